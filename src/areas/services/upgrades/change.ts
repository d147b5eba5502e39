import { isDeepStrictEqual } from 'node:util'
import {
  clientOf,
  type EggRow,
  type Environment,
  environmentFor,
  mayBegin,
  outcomeOf,
  type PanelClient,
  PanelError,
  type PanelFailure,
  type PanelServer,
  type Provisioning,
} from '#panel'
import type { JobContext } from '#platform/deps.ts'
import { type Blueprint, blueprintOf, ownChoices } from '../components/builds.ts'
import { buildOf, placeFor } from '../provisioning/placement.ts'
import { findService, type ServiceRow } from '../queries.ts'
import { reinstallServer } from '../reinstalls/order.ts'
import { chosenOf, startsLike } from '../startup/rules.ts'
import { isKept, MISFITS, misfitOf } from './fits.ts'
import { afterChange } from './move.ts'
import type { UpgradeRow } from './queries.ts'
import { keptValues } from './rules.ts'

/** How many requests a change may make; it begins only if its panel allows that many. */
const REQUESTS = 5

type Change = {
  service: ServiceRow
  /** What its customer chose, except what options decide. */
  own: ReturnType<typeof ownChoices>
  client: PanelClient
  /** What the service is on, and what it goes to. */
  from: Provisioning | null
  to: Provisioning
  /** Money was paid for it that can go back. */
  wasPaid: boolean
  /** Whether options choose another image or start command than before. */
  newLabels: { image: boolean; startup: boolean }
}

/** The product and components of a service once a change is made. */
function goalOf(service: ServiceRow, upgrade: UpgradeRow) {
  const { tenantId, productId } = upgrade
  return { tenantId, productId, components: afterChange(upgrade, service).components }
}

function labelsAfter(before: Blueprint | undefined, after: Blueprint) {
  return {
    image: (before?.dockerImage ?? null) !== after.dockerImage,
    startup: (before?.startupCommand ?? null) !== after.startupCommand,
  }
}

/**
 * Makes a paid change on the panel: start-up, then build, each of which may be repeated. Returns null when it is done,
 * and for a service without a server; else the reason why not. After a refusal the server is as it was.
 */
export async function makeChange(
  context: JobContext,
  upgrade: UpgradeRow,
): Promise<PanelError | PanelFailure | null> {
  const { tenantId, serviceId, invoiceId } = upgrade
  const { db, clock } = context
  const at = clock.now()
  const service = await findService(db, { tenantId, id: serviceId })
  if (!service || service.endedAt || service.endWantedAt) {
    return { code: 'service_ended', detail: 'It has ended, or is about to.', at }
  }
  if (service.delivery !== 'server') return null
  if (!service.nodeId) return { code: 'unmanaged', detail: 'Its panel was disconnected.', at }
  const blueprint = await blueprintOf(db, goalOf(service, upgrade))
  if (!blueprint) {
    return { code: 'no_blueprint', detail: 'The product does not say what to install.', at }
  }
  const current = await blueprintOf(db, service)
  const client = await outcomeOf(clientOf(context, db, { tenantId, nodeId: service.nodeId }))
  if (client instanceof PanelError) return client
  if (!(await mayBegin(context, db, { tenantId, nodeId: service.nodeId }, REQUESTS))) {
    const detail = 'Other work on this panel comes first.'
    return new PanelError('rate_limited', { code: 'rate_limited', detail })
  }
  const [from, to] = [current?.provisioning ?? null, blueprint.provisioning]
  const own = ownChoices(service, blueprint)
  const change = {
    ...{ service, own, client, from, to, wasPaid: invoiceId !== null },
    newLabels: labelsAfter(current, blueprint),
  }
  return outcomeOf(apply(context, change))
}

/**
 * Whether a server already is as a change would make it, because an earlier answer was lost. False also if the panel
 * does not answer.
 */
export async function isMade(context: JobContext, upgrade: UpgradeRow): Promise<boolean> {
  const look = async () => {
    const sides = await sidesOf(context, upgrade, { goesTo: 'new' })
    if (!sides || sides.hasOtherEgg) return false
    return isBuilt(sides.server, sides.change.to) && startsLike(sides.server, sides.startup)
  }
  const made = await outcomeOf(look())
  return made === true
}

/**
 * Puts a server back on the product of its service, after a change was given up whose calls may have reached the panel.
 * Changes nothing on a server that an operator has built differently. Returns a PanelError if the panel could not be
 * asked.
 */
export function restoreServer(
  context: JobContext,
  upgrade: UpgradeRow,
): Promise<PanelError | undefined> {
  const restore = async (): Promise<undefined> => {
    const sides = await sidesOf(context, upgrade, { goesTo: 'old' })
    if (!sides) return
    const { change, server, startup } = sides
    if (!change.from) return
    const { limits, featureLimits } = buildOf(change.to)
    const wasBuilt = isBuilt(server, change.from) && !isBuilt(server, change.to)
    if (!wasBuilt && !isBuilt(server, change.to)) return
    if (!startsLike(server, startup)) await change.client.updateStartup(server.id, startup)
    if (wasBuilt) await change.client.updateBuild(server.id, { limits, featureLimits })
  }
  return outcomeOf(restore())
}

/** A server and its start-up on one side of a change; undefined if either no longer exists. */
async function sidesOf(
  context: JobContext,
  upgrade: UpgradeRow,
  { goesTo }: { goesTo: 'old' | 'new' },
) {
  const { db } = context
  const { tenantId, serviceId, invoiceId } = upgrade
  const service = await findService(db, { tenantId, id: serviceId })
  if (!service?.nodeId || service.endedAt || service.endWantedAt) return undefined
  const sides = [await blueprintOf(db, service), await blueprintOf(db, goalOf(service, upgrade))]
  const [before, after] = goesTo === 'new' ? sides : sides.toReversed()
  const [from, to] = [before?.provisioning ?? null, after?.provisioning]
  const place = to && (await placeFor(context, service, to))
  if (!after || !to || !place) return undefined
  const own = ownChoices(service, after)
  const client = await clientOf(context, db, { tenantId, nodeId: service.nodeId })
  const server = await client.findServerByExternalId(service.externalId)
  if (!server) return undefined
  const change = {
    ...{ service, own, client, from, to, wasPaid: invoiceId !== null },
    newLabels: labelsAfter(before, after),
  }
  const { remoteEggId } = place
  return {
    ...{ change, server, startup: startupOf(change, place, server) },
    hasOtherEgg: await hasOtherEgg(context, change, { server, remoteEggId }),
  }
}

/** Whether a server has the resources that a product gives. */
function isBuilt(server: PanelServer, product: Provisioning): boolean {
  const { limits, featureLimits } = buildOf(product)
  const { memoryMb, diskMb, cpuPercent, swapMb, io } = limits
  const has = server.limits
  return (
    isDeepStrictEqual(
      [has.memoryMb, has.diskMb, has.cpuPercent, has.swapMb, has.io],
      [memoryMb, diskMb, cpuPercent, swapMb, io],
    ) &&
    server.featureLimits.databases === featureLimits.databases &&
    server.featureLimits.backups === featureLimits.backups &&
    server.featureLimits.allocations === featureLimits.allocations
  )
}

/** Whether a failure is a refusal, which repeating does not change; any other failure may pass. */
export function isRefusal({ kind }: PanelError): boolean {
  return kind === 'invalid' || kind === 'no_allocation' || kind === 'no_capacity'
}

async function apply(context: JobContext, change: Change): Promise<PanelFailure | null> {
  const { service, client, to } = change
  const at = context.clock.now()
  const plan = await placeFor(context, service, to)
  if (!plan) return { code: 'no_egg', detail: 'The product’s egg is not on this panel.', at }
  const server = await client.findServerByExternalId(service.externalId)
  if (!server) return { code: 'server_gone', detail: 'The server is not on the panel.', at }
  const misfit = await misfitOf(client, server, to)
  // A planned change is made in spite of a misfit that panels tolerate: they keep what is stored, and only refuse more.
  if (misfit && (change.wasPaid || !isKept(misfit))) {
    return { code: misfit, detail: MISFITS[misfit], at }
  }
  const { limits, featureLimits } = buildOf(to)
  // Refused more often than a build, and first, so that most refusals leave nothing behind.
  await client.updateStartup(server.id, startupOf(change, plan, server))
  const built = await outcomeOf(client.updateBuild(server.id, { limits, featureLimits }))
  if (!(built instanceof PanelError)) {
    const { remoteEggId } = plan
    const isOther = await hasOtherEgg(context, change, { server, remoteEggId })
    if (isOther) await installAnew(context, change, server)
    return null
  }
  if (isRefusal(built)) {
    const { eggId, image, startup, environment } = server
    const before = { eggId, image, startup, environment, skipScripts: false }
    const restored = await outcomeOf(client.updateStartup(server.id, before))
    if (restored instanceof PanelError) {
      const detail = `${built.failure.detail} Its start-up could not be restored.`
      return { ...built.failure, detail, at }
    }
  }
  throw built
}

/** Whether the old product has another egg. Compares the product, because the server may be on the new egg by now. */
async function hasOtherEgg(
  context: JobContext,
  { service, from }: Change,
  { server, remoteEggId }: { server: PanelServer; remoteEggId: number },
): Promise<boolean> {
  const before = from && (await placeFor(context, service, from))
  return (before?.remoteEggId ?? server.eggId) !== remoteEggId
}

/** Reinstalls the server, which another game needs. An installation that may have begun is not begun twice. */
async function installAnew(
  context: JobContext,
  { service: { tenantId, id: serviceId }, client }: Change,
  { id: serverId }: PanelServer,
): Promise<void> {
  const begun = await outcomeOf(reinstallServer(context, client, { tenantId, serviceId, serverId }))
  if (begun instanceof PanelError && begun.kind !== 'unknown_outcome') throw begun
}

/** The start-up after a change; if the egg is the same, image and command stay as they are. */
function startupOf(
  { own, from, to, newLabels }: Change,
  { egg, remoteEggId }: { egg: EggRow; remoteEggId: number },
  server: PanelServer,
) {
  const same = server.eggId === remoteEggId
  const { image = server.image, command: startup = server.startup } = chosenOf(egg, own)
  const kept = keptValues(egg.variables, {
    server: server.environment,
    plan: from?.environment ?? {},
  })
  const customer: Environment = { ...own.environment, ...kept }
  return {
    eggId: remoteEggId,
    image: same && !newLabels.image ? server.image : image,
    startup: same && !newLabels.startup ? server.startup : startup,
    environment: environmentFor(egg, { plan: { ...kept, ...to.environment }, customer }),
    skipScripts: false,
  }
}
