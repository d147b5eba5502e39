import { later, MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { changeState } from '../work.ts'
import { queueTransition } from './actions.ts'
import { changeOne } from './change.ts'
import { leaseTransition, listDueTransitions, lockServicesToDelete } from './queries.ts'
import { leaseEnd } from './rules.ts'

const TIMEOUT_SECONDS = 240
const BATCH = 200

/** Brings a server to the state its service should be in: looks, acts, looks again, records. */
export const changeStateJob = job(
  changeState,
  async (context: JobContext, key) => {
    const now = context.clock.now()
    const lease = { now, until: leaseEnd(now) }
    const transition = await context.transact((tx) => leaseTransition(tx, key, lease))
    if (transition) await changeOne(context, transition)
  },
  { concurrency: 6, timeoutSeconds: TIMEOUT_SECONDS, retrySeconds: 5 },
)

/** Finds services whose next step is due and whose job was lost with its process. */
export const resumeTransitions = schedule(
  'services.resume-transitions',
  10 * SECOND_MS,
  async ({ db, now }: JobContext) => {
    // A transition that is only just late still has its own job.
    const due = await listDueTransitions(db, later(now, -2 * SECOND_MS), BATCH)
    await transact(db, async (tx) => {
      for (const { tenantId, serviceId } of due) {
        const key = `resume ${serviceId}`
        await enqueue(tx, changeState, { tenantId, serviceId }, { key })
      }
    })
  },
)

/** Deletes the servers of services that ended some days ago (R4.6). */
export const deleteKeptServers = schedule(
  'services.delete-kept-servers',
  5 * MINUTE_MS,
  async ({ now, transact }: JobContext) => {
    await transact(async (tx) => {
      for (const service of await lockServicesToDelete(tx, now, BATCH)) {
        await queueTransition(tx, service, now)
      }
    })
  },
)
