import { MINUTE_MS } from '#lib/time.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { completeMaintenance } from './incidents/actions.ts'
import { notifySome } from './notices/actions.ts'
import { notifyAffected } from './work.ts'

const BATCHES = 50
const ENDED_AT_ONCE = 100

/** Notifies everybody whom an incident affects of an update, in small transactions; resumes where it stopped. */
export const notifyAffectedJob = job(
  notifyAffected,
  async ({ now, signal, transact }: JobContext, { tenantId, updateId: id }) => {
    for (let batch = 1; ; batch += 1) {
      signal.throwIfAborted()
      const goesOn = await transact(async (tx) => {
        const left = await notifySome(tx, { tenantId, id }, now)
        if (left && batch === BATCHES) await enqueue(tx, notifyAffected, { tenantId, updateId: id })
        return left && batch < BATCHES
      })
      if (!goesOn) return
    }
  },
)

/** Ends maintenance at its planned end. */
export const endPlannedMaintenance = schedule(
  'incidents.end-maintenance',
  MINUTE_MS,
  async ({ now, transact }) => {
    let count = ENDED_AT_ONCE
    while (count === ENDED_AT_ONCE) {
      count = await transact((tx) => completeMaintenance(tx, now, ENDED_AT_ONCE))
    }
  },
)
