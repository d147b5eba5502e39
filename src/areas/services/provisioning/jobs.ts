import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { later, millis, SECOND_MS } from '#lib/time.ts'
import { forRequest, transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { leaseEnd } from './actions.ts'
import {
  leaseAnother,
  leaseProvisioning,
  listDueProvisioning,
  type ProvisioningRow,
} from './queries.ts'
import { step } from './saga.ts'

/** One job goes on as long as there is something due; what is left then is a job of its own. */
const PATIENCE_MS = 20 * SECOND_MS
/** So long a job waits for its own next step rather than leaving it to another job. */
const WORTH_WAITING_MS = 3 * SECOND_MS
const TIMEOUT_SECONDS = 240

/**
 * Brings a paid service one step nearer to its server, then others of the same panel whose step is due,
 * as far as that panel allows.
 */
export const provision = job(
  'services.provision',
  Type.Object({ tenantId: Id, serviceId: Id }),
  async (context: JobContext, key) => {
    const { clock, signal, transact } = context
    const endMs = performance.now() + PATIENCE_MS
    const lease = () => ({ now: clock.now(), until: leaseEnd(clock.now()) })
    let row = await transact((tx) => leaseProvisioning(tx, key, lease()))
    while (row) {
      const done: ProvisioningRow = row
      const next = await forRequest(row.requestId, () =>
        step({ ...context, requestId: done.requestId }, done),
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
/** As many as work on it at once; each goes on with others of its panel. */
const BATCH_PER_PANEL = 10

/** Goes on with what its panel did not allow yet, and with what lost its job with a process. */
export const resumeProvisioning = schedule(
  'services.resume-provisioning',
  5 * SECOND_MS,
  async ({ db, now }: JobContext) => {
    // What is a moment late still has its own job.
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
