import { MINUTE_MS } from '#lib/time.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { tellEverybody } from '../work.ts'
import { notifyNextBatch, publishDue } from './actions.ts'

const BATCHES = 50
const PUBLISHED_AT_ONCE = 100

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

/** Publishes the announcements whose planned time has come. */
export const publishDueAnnouncements = schedule(
  'notifications.publish-announcements',
  MINUTE_MS,
  async ({ now, transact }: JobContext) => {
    let count = PUBLISHED_AT_ONCE
    while (count === PUBLISHED_AT_ONCE) {
      count = await transact((tx) => publishDue(tx, now, PUBLISHED_AT_ONCE))
    }
  },
)
