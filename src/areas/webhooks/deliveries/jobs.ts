import { DAY_MS, HOUR_MS, later, MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { listTenantIds, settingsOf } from '#tenants'
import { purgeDeleted } from '../endpoints/queries.ts'
import { purgeMessages } from '../messages/queries.ts'
import { webhookSettings } from '../settings.ts'
import { deliver } from '../work.ts'
import { dispatcherOf } from './dispatcher.ts'
import { listTenantsDue, purgeOfDeleted } from './queries.ts'

const LOOK_MS = 5 * SECOND_MS
const TENANTS = 1000
const BATCH = 500

/**
 * Starts what is due for a tenant. The first of these jobs in a process runs while anything is being
 * sent, so that the process does not stop in the middle; the others only wake it up.
 */
export const deliverJob = job(
  deliver,
  async (context: JobContext, { tenantId }) => {
    const dispatcher = dispatcherOf(context)
    await dispatcher.take(tenantId)
    const limit = AbortSignal.timeout(MINUTE_MS)
    const isBusy = await dispatcher.host(AbortSignal.any([context.signal, limit]))
    if (!isBusy || context.signal.aborted) return
    await context.transact((tx) => enqueue(tx, deliver, { tenantId }, { key: tenantId }))
  },
  { concurrency: 2, retries: 1 },
)

/** Finds tenants with due deliveries: those to be tried again, and those that a dead process left. */
export const findDue = schedule('webhooks.find-due', LOOK_MS, async ({ db, now }: JobContext) => {
  const due = await listTenantsDue(db, now, TENANTS)
  if (due.length === 0) return
  await transact(db, async (tx) => {
    for (const tenantId of due) await enqueue(tx, deliver, { tenantId }, { key: tenantId })
  })
})

/** Removes messages older than the tenant keeps them, and those sent to deleted endpoints. */
export const forgetMessages = schedule(
  'webhooks.forget-messages',
  HOUR_MS,
  async ({ db, now, signal, transact: inTransaction }: JobContext) => {
    for (const tenantId of await listTenantIds(db)) {
      const { retentionDays } = await settingsOf(db, tenantId, webhookSettings)
      const old = { tenantId, before: later(now, -retentionDays * DAY_MS), limit: BATCH }
      for (let gone = BATCH; gone === BATCH && !signal.aborted; ) {
        gone = await inTransaction((tx) => purgeMessages(tx, old))
      }
    }
    for (let gone = BATCH; gone === BATCH && !signal.aborted; ) {
      gone = await inTransaction((tx) => purgeOfDeleted(tx, BATCH))
    }
    await inTransaction((tx) => purgeDeleted(tx, later(now, -MINUTE_MS)))
  },
  { timeoutSeconds: 600 },
)
