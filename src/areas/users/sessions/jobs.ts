import { DAY_MS, later } from '#lib/time.ts'
import { schedule } from '#platform/jobs.ts'
import { deleteEndedSessions, deleteOldLinks } from './queries.ts'

const KEPT_MS = 30 * DAY_MS
const BATCH = 500

/** Forgets sessions and links 30 days after their end, with the addresses they were used from. */
export const forgetEnded = schedule(
  'users.forget-ended',
  DAY_MS,
  async ({ now, transact }) => {
    const before = later(now, -KEPT_MS)
    for (const forget of [deleteEndedSessions, deleteOldLinks]) {
      let count = BATCH
      while (count === BATCH) count = await transact((tx) => forget(tx, before, BATCH))
    }
  },
  { retries: 1 },
)
