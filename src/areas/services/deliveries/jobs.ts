import { later, MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { sendDelivery } from '../work.ts'
import { leaseDelivery, notifyOfLateDelivery, recordTry } from './actions.ts'
import { call } from './calls.ts'
import { listDueDeliveries, listLateDeliveries } from './queries.ts'

const BATCH = 200

/** Sends a delivery to its system once, and records the result. */
export const sendDeliveryJob = job(
  sendDelivery,
  async (context: JobContext, { tenantId, deliveryId }) => {
    const { clock, secrets } = context
    const key = { tenantId, id: deliveryId }
    const leased = await context.transact((tx) => leaseDelivery(tx, key, clock.now()))
    if (!leased) return
    const tried = await call(context, context.db, leased)
    const found = { tried, random: Math.random(), secrets }
    await context.transact((tx) => recordTry(tx, key, found, clock.now()))
  },
  { concurrency: 6, timeoutSeconds: 60, retrySeconds: 5 },
)

/** Finds deliveries that are due and whose job was lost with its process. */
export const resumeDeliveries = schedule(
  'services.resume-deliveries',
  10 * SECOND_MS,
  async ({ db, now }: JobContext) => {
    // A delivery that is only just late still has its own job.
    const due = await listDueDeliveries(db, later(now, -2 * SECOND_MS), BATCH)
    await transact(db, async (tx) => {
      for (const { tenantId, id: deliveryId } of due) {
        const key = `resume ${deliveryId}`
        await enqueue(tx, sendDelivery, { tenantId, deliveryId }, { key })
      }
    })
  },
)

/** Notifies staff of deliveries that are not confirmed in time. */
export const watchDeliveries = schedule(
  'services.watch-deliveries',
  MINUTE_MS,
  async ({ db, now, transact: inTransaction, signal }: JobContext) => {
    for (const key of await listLateDeliveries(db, now, BATCH)) {
      if (signal.aborted) return
      await inTransaction((tx) => notifyOfLateDelivery(tx, key, now))
    }
  },
)
