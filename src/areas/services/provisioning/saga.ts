import { type Instant, later, SECOND_MS } from '#lib/time.ts'
import {
  afterCreate,
  afterLook,
  afterPoll,
  beforeCreate,
  clientOf,
  environmentFor,
  findReport,
  mayBegin,
  moveReservation,
  type Next,
  outcomeOf,
  type PanelClient,
  PanelError,
  type PanelFailure,
  type PanelServer,
  type ProvisioningState,
  pollAt,
  type ServerDraft,
  UNCERTAIN_MS,
} from '#panel'
import type { JobContext } from '#platform/deps.ts'
import { blueprintOf, ownChoices } from '../components/builds.ts'
import { findService, type ServiceRow, updateService } from '../queries.ts'
import { chosenOf } from '../startup/rules.ts'
import { panelUserFor } from './accounts.ts'
import { activate, alertOperators, continueAt, fail, recordServer } from './actions.ts'
import { buildOf, type Plan, placeFor } from './placement.ts'
import { hasPanelAccount, type ProvisioningRow, updateProvisioning } from './queries.ts'

/**
 * One service that is being provisioned: its rows, what is to be created, and the panel that does it.
 */
type Work = {
  context: JobContext
  row: ProvisioningRow
  service: ServiceRow
  plan: Made
  client: PanelClient
}

/**
 * Does one provisioning step: looks before it creates, writes before it calls, and trusts only the
 * panel's answers. Returns when the next step is due; null if none follows; `held` if the panel allows
 * no step now: it then stays due, and the next job of this panel chooses among all due steps.
 */
export async function step(
  context: JobContext,
  row: ProvisioningRow,
): Promise<Instant | null | 'held'> {
  const { db, transact, clock } = context
  const { tenantId, serviceId } = row
  const service = await findService(db, { tenantId, id: serviceId })
  if (!service || service.endedAt || service.activatedAt) {
    const done = { doneAt: clock.now(), nextAt: null, leaseUntil: null }
    await transact((tx) => updateProvisioning(tx, row, done))
    return null
  }
  if (row.leavingNodeId) return leave({ context, row, service }, row.leavingNodeId)
  const plan = await planFor(context, service, row)
  if ('code' in plan) return end(context, row, plan)
  const client = await outcomeOf(clientOf(context, db, { tenantId, nodeId: plan.nodeId }))
  if (client instanceof PanelError) return retry({ context, row, service }, client)
  const { nodeId } = plan
  if (!(await mayBegin(context, db, { tenantId, nodeId }, await requestsOf(context, row, plan)))) {
    await transact((tx) => updateProvisioning(tx, row, { leaseUntil: null }))
    return 'held'
  }
  const work: Work = { context, row, service, plan, client }
  if (row.linksServer) return link(work)
  return row.watchedSince ? watch(work) : lookAndCreate(work)
}

/**
 * How many requests a step takes: to look and, before there is a server, to create it and an account.
 */
async function requestsOf(
  { db }: JobContext,
  { tenantId, serviceId, watchedSince }: ProvisioningRow,
  { nodeId }: Plan,
): Promise<number> {
  if (watchedSince) return 1
  return (await hasPanelAccount(db, { tenantId, serviceId, nodeId })) ? 2 : 5
}

/** What is to be created, with what its customer and options chose for it. */
type Made = Plan & { readonly own: ReturnType<typeof ownChoices> }

/** The blueprint of a service and the panel it goes to; chosen once, before a panel is first asked. */
async function planFor(
  context: JobContext,
  service: ServiceRow,
  { locationIds }: ProvisioningRow,
): Promise<Made | PanelFailure> {
  const { db, transact, clock } = context
  const { tenantId } = service
  const at = clock.now()
  if (service.serverId !== null && service.nodeId === null) {
    return { code: 'unmanaged', detail: 'Its panel was disconnected.', at }
  }
  const blueprint = await blueprintOf(db, service)
  if (!blueprint) {
    return { code: 'no_blueprint', detail: 'The product does not say what to install.', at }
  }
  const { provisioning } = blueprint
  // A service continues on the panel where it was begun, even if the product is sold elsewhere by now.
  const begun = service.nodeId ? { ...provisioning, nodeIds: [service.nodeId] } : provisioning
  const plan = await placeFor(context, service, begun, locationIds)
  if (!plan) return { code: 'no_panel', detail: 'The egg is on none of the product’s panels.', at }
  const { nodeId } = plan
  if (!service.nodeId) {
    await transact(async (tx) => {
      await updateService(tx, service, { nodeId })
      const { id } = service
      await moveReservation(tx, {
        tenantId,
        id,
        nodeId,
        locationIds: plan.provisioning.locationIds,
      })
    })
  }
  return { ...plan, own: ownChoices(service, blueprint) }
}

async function lookAndCreate(work: Work): Promise<Instant | null> {
  const { context, row, service, plan, client } = work
  const expected = { eggId: plan.remoteEggId }
  const outcome = await outcomeOf(client.findServerByExternalId(service.externalId))
  const next = afterLook(stateOf(row), { outcome, expected }, context.clock.now(), Math.random)
  if (next.step.step !== 'create') return follow(work, next)
  // Without a location of that panel, the panel would choose any of its machines.
  if (service.locationId !== null && plan.provisioning.locationIds.length === 0) {
    const detail = 'The location of the service has no place on this panel.'
    return end(context, row, { code: 'no_panel', detail, at: context.clock.now() })
  }
  const user = await panelUserFor(context, { service, nodeId: plan.nodeId, client })
  if (user instanceof PanelError) return retry(work, user)
  if (typeof user !== 'number') return end(context, row, user)
  const state = beforeCreate(next.state, context.clock.now())
  // Written before the call: after a crash, this row shows that a server may exist.
  await context.transact((tx) => updateProvisioning(tx, row, state))
  const created = await outcomeOf(client.createServer(draftOf(service, plan, user)))
  const at = context.clock.now()
  const failure = created instanceof PanelError ? { ...created.failure, at } : undefined
  return follow(work, afterCreate(state, created, at, Math.random), failure)
}

async function follow(
  work: Pick<Work, 'context' | 'row' | 'service'> & Partial<Pick<Work, 'client'>>,
  { state, step: it }: Next,
  lastError?: PanelFailure,
): Promise<Instant | null> {
  const { context, row, service, client } = work
  const now = context.clock.now()
  switch (it.step) {
    case 'adopt':
      await context.transact((tx) => recordServer(tx, row, it.server, now))
      if (!client) return now
      return watchOn({ context, row, client }, it.server, { since: now, polls: 0 })
    case 'look':
      return goOn(context, row, { ...state, nextAt: it.at, ...(lastError && { lastError }) })
    case 'retry':
      await context.transact(async (tx) => {
        if (it.alert && !row.alertedAt) await alertOperators(tx, service, it.failure, now)
        await continueAt(tx, row, { ...state, nextAt: it.at, lastError: it.failure }, now)
      })
      return it.at
    case 'fail':
      await context.transact((tx) => updateProvisioning(tx, row, state))
      return end(context, row, it.failure, it.serverMayExist)
    case 'create':
    case 'place_again':
      // The panel chooses the place by itself, so the only step is to look again.
      return goOn(context, row, { ...state, nextAt: later(now, SECOND_MS) })
  }
}

async function watch(work: Work): Promise<Instant | null> {
  const { context, row, service, client } = work
  const server = await outcomeOf(client.findServerByExternalId(service.externalId))
  if (server instanceof PanelError) return retry(work, server)
  const now = context.clock.now()
  if (!server) {
    return end(context, row, {
      code: 'server_gone',
      detail: 'The server was there and is gone.',
      at: now,
    })
  }
  return watchOn(work, server, { since: row.watchedSince ?? now, polls: row.polls + 1 })
}

async function watchOn(
  { context, row, client }: Pick<Work, 'context' | 'row' | 'client'>,
  server: PanelServer,
  { since, polls }: { since: Instant; polls: number },
): Promise<Instant | null> {
  const now = context.clock.now()
  const { reinstalls } = row
  const seen = (await wasInterrupted(context, row, server)) ? INTERRUPTED : server
  const it = afterPoll({ since, polls, reinstalls }, seen, now)
  switch (it.step) {
    case 'ready':
      await context.transact((tx) => activate(tx, row, server, now))
      return null
    case 'poll':
      return goOn(context, row, { polls, nextAt: it.at })
    case 'reinstall': {
      const outcome = await outcomeOf(client.reinstall(server.id))
      // Only a refusal does not count: an installation that may have begun is not begun twice.
      const begun = !(outcome instanceof PanelError) || outcome.kind === 'unknown_outcome'
      const change = { polls: 0, reinstalls: begun ? reinstalls + 1 : reinstalls }
      return goOn(context, row, { ...change, nextAt: pollAt(begun ? 1 : 4, now) })
    }
    case 'fail':
      return end(context, row, {
        ...{ code: it.code, at: now },
        detail: 'The installation on the panel did not end well.',
      })
  }
}

/**
 * Before a server is created on another panel: makes sure that the first one is deleted or never
 * existed. While that panel may still be creating it, its absence proves nothing. A connection that was
 * deleted can no longer be asked.
 */
async function leave(
  { context, row, service }: Pick<Work, 'context' | 'row' | 'service'>,
  nodeId: string,
): Promise<Instant | null> {
  const { db, clock, transact } = context
  const { tenantId } = row
  const client = await outcomeOf(clientOf(context, db, { tenantId, nodeId }))
  if (client instanceof PanelError && client.failure.code !== 'node_deleted') {
    return retry({ context, row, service }, client)
  }
  if (!(client instanceof PanelError)) {
    const server = await outcomeOf(client.findServerByExternalId(service.externalId))
    const gone =
      server && !(server instanceof PanelError)
        ? await outcomeOf(client.deleteServer(server.id))
        : server
    if (gone instanceof PanelError) return retry({ context, row, service }, gone)
    const now = clock.now()
    if (server) return goOn(context, row, { nextAt: later(now, SECOND_MS) })
    const certainAt = row.uncertainSince && later(row.uncertainSince, 2 * UNCERTAIN_MS)
    if (certainAt && now < certainAt) return goOn(context, row, { nextAt: certainAt })
  }
  const left = { leavingNodeId: null, uncertainSince: null, absentAt: null, attempt: 0 }
  await transact((tx) => updateProvisioning(tx, row, left))
  return goOn(context, row, { nextAt: clock.now() })
}

/** Gives an existing server our external id, and its customer's account as owner. */
async function link(work: Work): Promise<Instant | null> {
  const { context, row, service, plan, client } = work
  const { serverId, externalId } = service
  const at = context.clock.now()
  if (serverId === null) return end(context, row, { code: 'server_gone', detail: 'No server.', at })
  const server = await outcomeOf(client.getServer(serverId))
  const gone = server instanceof PanelError && server.kind === 'not_found'
  if (gone || (!(server instanceof PanelError) && server.uuid !== service.serverUuid)) {
    const detail = `Server ${serverId} is not on the panel any more.`
    return end(context, row, { code: 'server_gone', detail, at })
  }
  if (server instanceof PanelError) return retry(work, server)
  const userId = await panelUserFor(context, { service, nodeId: plan.nodeId, client })
  if (userId instanceof PanelError) return retry(work, userId)
  if (typeof userId !== 'number') return end(context, row, userId)
  if (server.externalId !== externalId || server.userId !== userId) {
    const linked = await outcomeOf(client.updateDetails(serverId, { externalId, userId }))
    if (linked instanceof PanelError) return retry(work, linked)
  }
  const now = context.clock.now()
  const watching = { linksServer: false, watchedSince: now, polls: 0, nextAt: now }
  return goOn(context, row, watching)
}

const INTERRUPTED = { status: 'install_failed' } as const

/**
 * Whether a server that the panel reports as installed is not: its daemon restarted during the
 * installation, and panels then consider every installation ended.
 */
async function wasInterrupted(
  { db }: JobContext,
  { tenantId, serviceId }: ProvisioningRow,
  { status, uuid: serverUuid }: PanelServer,
): Promise<boolean> {
  if (status !== 'installed') return false
  const service = await findService(db, { tenantId, id: serviceId })
  if (!service?.nodeId) return false
  const report = await findReport(db, { tenantId, nodeId: service.nodeId, serverUuid })
  return report?.interruptedAt != null
}

/** Ends the lease until the next step, and enqueues a job for it. */
async function goOn(
  { transact, clock }: JobContext,
  row: ProvisioningRow,
  change: Parameters<typeof continueAt>[2],
): Promise<Instant> {
  await transact((tx) => continueAt(tx, row, change, clock.now()))
  return change.nextAt
}

async function end(
  { transact, clock }: JobContext,
  row: ProvisioningRow,
  failure: PanelFailure,
  mayExist = row.uncertainSince !== null,
): Promise<null> {
  const serverMayExist = mayExist || row.leavingNodeId !== null
  await transact((tx) => fail(tx, row, { ...failure, serverMayExist }, clock.now()))
  return null
}

/**
 * After a call that failed and changed nothing: tries again, after the delay for this kind of failure.
 */
function retry(
  work: Pick<Work, 'context' | 'row' | 'service'>,
  error: PanelError,
): Promise<Instant | null> {
  const look = { outcome: error, expected: { eggId: 0 } }
  const { context, row } = work
  return follow(work, afterLook(stateOf(row), look, context.clock.now(), Math.random))
}

function draftOf(service: ServiceRow, plan: Made, userId: number): ServerDraft {
  const { egg, remoteEggId, provisioning, own } = plan
  const sources = { plan: provisioning.environment, customer: own.environment }
  const { image, command } = chosenOf(egg, own)
  return {
    externalId: service.externalId,
    name: service.name,
    description: '',
    userId,
    eggId: remoteEggId,
    image: image ?? '',
    startup: command ?? '',
    environment: environmentFor(egg, sources),
    ...buildOf(provisioning),
    skipScripts: false,
    startOnCompletion: true,
  }
}

function stateOf(row: ProvisioningRow): ProvisioningState {
  const { startedAt, attempt, uncertainSince, absentAt, placements } = row
  return { startedAt, attempt, uncertainSince, absentAt, placements }
}
