import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { later, millis, SECOND_MS } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { leaseEnd } from './actions.ts'
import { leaseProvisioning, listDueProvisioning } from './queries.ts'
import { step } from './saga.ts'

/** One job goes on as long as the next step is near; a later one is a job of its own. */
const PATIENCE_MS = 20 * SECOND_MS
const TIMEOUT_SECONDS = 240

/** Brings a paid service one or more steps nearer to its server. */
export const provision = job(
  'services.provision',
  Type.Object({ tenantId: Id, serviceId: Id }),
  async (context: JobContext, key) => {
    const endMs = performance.now() + PATIENCE_MS
    for (;;) {
      const now = context.clock.now()
      const row = await context.transact((tx) =>
        leaseProvisioning(tx, key, { now, until: leaseEnd(now) }),
      )
      if (!row) return
      const next = await step(context, row)
      if (!next) return
      const waitMs = millis(next) - millis(context.clock.now())
      if (context.signal.aborted || performance.now() + waitMs > endMs) return
      await pause(waitMs, context.signal)
    }
  },
  { concurrency: 10, timeoutSeconds: TIMEOUT_SECONDS, retrySeconds: 5 },
)

const BATCH = 200

/** Finds services whose next step is due and whose job was lost with its process. */
export const resumeProvisioning = schedule(
  'services.resume-provisioning',
  10 * SECOND_MS,
  async ({ db, now }: JobContext) => {
    // What is a moment late still has its own job.
    const due = await listDueProvisioning(db, later(now, -2 * SECOND_MS), BATCH)
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
