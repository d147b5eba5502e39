import { Type } from 'typebox'
import { invoicePaid, invoiceVoided } from '#billing'
import { Id } from '#lib/schema.ts'
import { type Instant, later, SECOND_MS } from '#lib/time.ts'
import {
  canGrow,
  clientOf,
  environmentFor,
  outcomeOf,
  type PanelClient,
  PanelError,
  type PanelFailure,
  type PanelServer,
  type Provisioning,
  retryAt,
} from '#panel'
import { transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { onEvent } from '#platform/events.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { findProduct } from '#store'
import { buildOf, placeFor } from '../provisioning/placement.ts'
import { findService, type ServiceRow } from '../queries.ts'
import {
  cancelUpgrade,
  completeUpgrade,
  failUpgrade,
  retryUpgrade,
  startUpgrade,
  upgradeLeaseEnd,
} from './actions.ts'
import { leaseUpgrade, listDueUpgrades, type UpgradeRow } from './queries.ts'

const TIMEOUT_SECONDS = 240
const BATCH = 200

export const upgradePaid = onEvent(
  invoicePaid,
  'services.upgrade-paid',
  async ({ transact, now }, { tenantId, kind, reference }) => {
    if (kind !== 'upgrade' || !reference) return
    await transact((tx) => startUpgrade(tx, { tenantId, id: reference }, now))
  },
)

export const upgradeVoided = onEvent(
  invoiceVoided,
  'services.upgrade-voided',
  async ({ transact, now }, { tenantId, kind, reference }) => {
    if (kind !== 'upgrade' || !reference) return
    await transact((tx) => cancelUpgrade(tx, { tenantId, id: reference }, now))
  },
)

/** Makes a paid change on the panel: build, then start-up. Every call may be repeated. */
export const applyUpgrade = job(
  'services.apply-upgrade',
  Type.Object({ tenantId: Id, upgradeId: Id }),
  async (context: JobContext, { tenantId, upgradeId }) => {
    const { transact, clock } = context
    const now = clock.now()
    const lease = { now, until: upgradeLeaseEnd(now) }
    const upgrade = await transact((tx) => leaseUpgrade(tx, { tenantId, id: upgradeId }, lease))
    if (!upgrade) return
    const failure = await change(context, upgrade)
    const at = clock.now()
    if (!failure) return void (await transact((tx) => completeUpgrade(tx, upgrade, at)))
    const next = failure instanceof PanelError ? nextTry(upgrade, failure, at) : undefined
    await transact((tx) =>
      next
        ? retryUpgrade(tx, upgrade, next, at)
        : failUpgrade(tx, upgrade, failureOf(failure, at), at),
    )
  },
  { concurrency: 4, timeoutSeconds: TIMEOUT_SECONDS },
)

/** Finds paid changes whose job was lost with its process. */
export const resumeUpgrades = schedule(
  'services.resume-upgrades',
  15 * SECOND_MS,
  async ({ db, now }: JobContext) => {
    const due = await listDueUpgrades(db, later(now, -2 * SECOND_MS), BATCH)
    await transact(db, async (tx) => {
      for (const { tenantId, id } of due) {
        await enqueue(tx, applyUpgrade, { tenantId, upgradeId: id }, { key: `resume ${id}` })
      }
    })
  },
)

/** The change on the panel; null when it is done. */
async function change(
  context: JobContext,
  { tenantId, serviceId, productId }: UpgradeRow,
): Promise<PanelError | PanelFailure | null> {
  const { db, clock } = context
  const at = clock.now()
  const service = await findService(db, { tenantId, id: serviceId })
  const product = await findProduct(db, { tenantId, id: productId })
  if (!service || service.endedAt) return { code: 'service_ended', detail: 'It has ended.', at }
  if (!product?.provisioning) {
    return { code: 'no_blueprint', detail: 'The product does not say what to install.', at }
  }
  if (!service.nodeId) return { code: 'unmanaged', detail: 'Its panel was disconnected.', at }
  const client = await outcomeOf(clientOf(context, db, { tenantId, nodeId: service.nodeId }))
  if (client instanceof PanelError) return client
  const result = await outcomeOf(build(context, { service, client }, product.provisioning))
  return result
}

async function build(
  context: JobContext,
  { service, client }: { service: ServiceRow; client: PanelClient },
  provisioning: Provisioning,
): Promise<PanelFailure | null> {
  const at = context.clock.now()
  const plan = await placeFor(context, service, provisioning)
  if (!plan) return { code: 'no_egg', detail: 'The product’s egg is not on this panel.', at }
  const { egg, remoteEggId } = plan
  const server = await client.findServerByExternalId(service.externalId)
  if (!server) return { code: 'server_gone', detail: 'The server is not on the panel.', at }
  if (!(await hasRoom(client, server, provisioning))) {
    return { code: 'no_capacity', detail: 'Its machine has no room for the change.', at }
  }
  const { limits, featureLimits } = buildOf(provisioning)
  await client.updateBuild(server.id, { limits, featureLimits })
  await client.updateStartup(server.id, {
    eggId: remoteEggId,
    image: egg.dockerImages[0]?.image ?? server.image,
    startup: egg.startupCommands[0]?.command ?? server.startup,
    environment: environmentFor(egg, {
      plan: { ...server.environment, ...provisioning.environment },
      customer: service.environment,
    }),
    skipScripts: false,
  })
  return null
}

/** Panels check no capacity when a server grows, so this does. */
async function hasRoom(
  client: PanelClient,
  server: PanelServer,
  { limits }: Provisioning,
): Promise<boolean> {
  const machine = (await client.listNodes()).find((node) => node.id === server.nodeId)
  return !machine || canGrow(machine, { from: server.limits, to: limits })
}

/** What a panel refuses stays refused; the rest is tried for three days. */
function nextTry(
  { paidAt, attempt }: UpgradeRow,
  { kind, retryAfterMs = 0 }: PanelError,
  now: Instant,
): Instant | undefined {
  if (kind === 'invalid' || kind === 'no_allocation' || kind === 'no_capacity') return undefined
  const at = retryAt({ startedAt: paidAt ?? now, attempt: attempt + 1 }, now, Math.random)
  const earliest = later(now, retryAfterMs)
  return at && at < earliest ? earliest : at
}

function failureOf(failure: PanelError | PanelFailure, at: Instant): PanelFailure {
  return failure instanceof PanelError ? { ...failure.failure, at } : failure
}
