import type { JobContext } from '#platform/deps.ts'
import { enqueue, job } from '#platform/jobs.ts'
import { tellEverybody } from '../work.ts'
import { notifyNextBatch } from './actions.ts'

const BATCHES = 50

/** Sends an announcement to everybody it is addressed to, in small transactions; resumes where it stopped. */
export const tellEverybodyJob = job(
  tellEverybody,
  async ({ areas, now, signal, transact }: JobContext, key) => {
    for (let batch = 1; ; batch += 1) {
      signal.throwIfAborted()
      const goesOn = await transact(async (tx) => {
        const left = await notifyNextBatch(tx, { areas, key }, now)
        if (left && batch === BATCHES) await enqueue(tx, tellEverybody, key)
        return left && batch < BATCHES
      })
      if (!goesOn) return
    }
  },
)
