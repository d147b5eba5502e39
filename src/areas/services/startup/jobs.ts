import { HOUR_MS, type Instant, later, SECOND_MS } from '#lib/time.ts'
import { clientOf, findEgg, outcomeOf, PanelError, type PanelFailure, retryAt } from '#panel'
import { transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { findProduct } from '#store'
import { whileLeased } from '../leases/hold.ts'
import { BUSY_MS } from '../leases/queries.ts'
import { findService } from '../queries.ts'
import { applyStartup } from '../work.ts'
import { completeStartup, failStartup, retryStartup } from './actions.ts'
import { forgetStartup } from './last-seen.ts'
import {
  findStartupChange,
  listDueStartupChanges,
  type StartupChangeRow,
  updateStartupChange,
} from './queries.ts'
import { startsLike, startupWith } from './rules.ts'

const TIMEOUT_SECONDS = 200
const BATCH = 200

/** Sends the start-up of a server to its panel. This may be repeated. */
export const applyStartupJob = job(
  applyStartup,
  async (context: JobContext, key) => {
    const { db, clock, transact } = context
    const told = await whileLeased(context, key, async () => {
      const change = await findStartupChange(db, key)
      if (!change?.nextAt || change.nextAt > clock.now()) return
      const failure = await tell(context, change)
      forgetStartup(context, key)
      // The row now contains whether the change was sent.
      const current = (await findStartupChange(db, key)) ?? change
      const told = current.id === change.id ? current : change
      await transact((tx) => conclude(tx, told, failure, clock.now()))
    })
    if (told) return
    const change = await findStartupChange(db, key)
    const now = clock.now()
    if (!change?.nextAt) return
    await transact((tx) => retryStartup(tx, change, { nextAt: later(now, BUSY_MS) }, now))
  },
  { concurrency: 2, timeoutSeconds: TIMEOUT_SECONDS, retrySeconds: 5 },
)

/** Null if the panel was told; else the reason why not. */
async function tell(
  context: JobContext,
  change: StartupChangeRow,
): Promise<PanelError | PanelFailure | null> {
  const { db, clock, transact } = context
  const { tenantId, serviceId } = change
  const at = clock.now()
  const service = await findService(db, { tenantId, id: serviceId })
  const nodeId = service?.nodeId
  if (!service || !nodeId || service.endedAt || service.endWantedAt) {
    return { code: 'service_ended', detail: 'It has ended, or its panel was disconnected.', at }
  }
  const product = await findProduct(db, { tenantId, id: service.productId })
  const eggId = product?.provisioning?.eggId
  const egg = eggId && (await findEgg(db, { tenantId, id: eggId }))
  if (!egg) return { code: 'no_egg', detail: 'The product’s egg is gone.', at }
  const client = await outcomeOf(clientOf(context, db, { tenantId, nodeId }))
  if (client instanceof PanelError) return client
  const server = await outcomeOf(client.findServerByExternalId(service.externalId))
  if (server instanceof PanelError) return server
  if (!server) return { code: 'server_gone', detail: 'The server is not on the panel.', at }
  const startup = startupWith(egg, server, change)
  // An earlier answer may have been lost: a change that the panel has made is not given up.
  if (startsLike(server, startup)) return null
  if (isOver(change, at)) return change.lastError ?? { ...GIVEN_UP, at }
  // After a crash, this row shows that the panel may have made the change.
  const isLast = await transact((tx) => updateStartupChange(tx, change, { sentAt: at }))
  if (!isLast) return null
  const told = await outcomeOf(client.updateStartup(server.id, startup))
  return told instanceof PanelError ? told : null
}

const GIVEN_UP = { code: 'given_up', detail: 'The panel could not be told.' }

/** Whether a request is no longer sent: it is only checked whether the panel has made it. */
function isOver({ requestedAt: startedAt, attempt }: StartupChangeRow, now: Instant): boolean {
  return retryAt({ startedAt, attempt: attempt + 1 }, now, Math.random) === undefined
}

function conclude(
  tx: Parameters<typeof completeStartup>[0],
  change: StartupChangeRow,
  failure: PanelError | PanelFailure | null,
  now: Instant,
): Promise<void> {
  if (!failure) return completeStartup(tx, change, now)
  if (!(failure instanceof PanelError)) return failStartup(tx, change, failure, now)
  if (failure.kind === 'invalid') {
    const { detail } = failure.failure
    return failStartup(tx, change, { code: 'refused', detail, at: now }, now)
  }
  const { requestedAt: startedAt, attempt } = change
  const seen = { ...failure.failure, at: now }
  const isKnown = change.sentAt === null
  const inTime = retryAt({ startedAt, attempt: attempt + 1 }, now, Math.random)
  const at = inTime ?? (isKnown ? undefined : later(now, HOUR_MS))
  if (!at) return failStartup(tx, change, seen, now)
  const earliest = later(now, failure.retryAfterMs ?? 0)
  const nextAt = at < earliest ? earliest : at
  return retryStartup(tx, change, { nextAt, failure: seen }, now)
}

/** Finds requests whose job was lost with its process. */
export const resumeStartups = schedule(
  'services.resume-startups',
  30 * SECOND_MS,
  async ({ db, now }: JobContext) => {
    const due = await listDueStartupChanges(db, later(now, -2 * SECOND_MS), BATCH)
    await transact(db, async (tx) => {
      for (const key of due) {
        await enqueue(tx, applyStartup, key, { key: `resume ${key.serviceId}` })
      }
    })
  },
)
