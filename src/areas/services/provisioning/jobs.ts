import { later, millis, SECOND_MS } from '#lib/time.ts'
import { forRequest, transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { provision } from '../work.ts'
import { leaseEnd } from './actions.ts'
import {
  leaseAnother,
  leaseProvisioning,
  listDueProvisioning,
  type ProvisioningRow,
} from './queries.ts'
import { step } from './saga.ts'

/** For how long one job continues while steps are due; the remaining steps get a job of their own. */
const PATIENCE_MS = 20 * SECOND_MS
/** Up to this long a job waits for its own next step, rather than leaving it to another job. */
const WORTH_WAITING_MS = 3 * SECOND_MS
const TIMEOUT_SECONDS = 240

/**
 * Does the next provisioning step of a paid service, then steps of other services on the same panel
 * that are due, up to the limit of that panel.
 */
export const provisionJob = job(
  provision,
  async (context: JobContext, key) => {
    const { clock, signal, transact } = context
    const endMs = performance.now() + PATIENCE_MS
    const lease = () => ({ now: clock.now(), until: leaseEnd(clock.now()) })
    let row = await transact((tx) => leaseProvisioning(tx, key, lease()))
    while (row) {
      const done: ProvisioningRow = row
      const next = await forRequest(
        row.requestId,
        () => step({ ...context, requestId: done.requestId }, done),
        row.purchaseId,
      )
      if (next === 'held' || signal.aborted || performance.now() > endMs) return
      row = await transact((tx) => leaseAnother(tx, done, lease()))
      const waitMs = next ? millis(next) - millis(clock.now()) : Number.POSITIVE_INFINITY
      if (row || waitMs > WORTH_WAITING_MS) continue
      await pause(waitMs, signal)
      row = await transact((tx) => leaseProvisioning(tx, done, lease()))
    }
  },
  { concurrency: 10, timeoutSeconds: TIMEOUT_SECONDS, retrySeconds: 5 },
)

const BATCH = 200
/** At most as many as work on a panel at once; each then continues with other services of its panel. */
const BATCH_PER_PANEL = 10

/**
 * Continues services whose panel did not allow the step yet, and those whose job was lost with a
 * process.
 */
export const resumeProvisioning = schedule(
  'services.resume-provisioning',
  5 * SECOND_MS,
  async ({ db, now }: JobContext) => {
    // A step that is only just late still has its own job.
    const late = later(now, -2 * SECOND_MS)
    const due = await listDueProvisioning(db, late, BATCH_PER_PANEL, BATCH)
    await transact(db, async (tx) => {
      for (const { tenantId, serviceId } of due) {
        await enqueue(tx, provision, { tenantId, serviceId }, { key: `resume ${serviceId}` })
      }
    })
  },
)

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}
