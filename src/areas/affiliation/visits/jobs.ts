import { DAY_MS, HOUR_MS, later } from '#lib/time.ts'
import { schedule } from '#platform/jobs.ts'
import { deleteExpired } from './queries.ts'

const BATCH = 1000
/** Kept this long after expiry, because the job of a registration just before it may run later. */
const KEPT_AFTER_MS = DAY_MS

/** Deletes expired clicks. */
export const forgetVisits = schedule(
  'affiliation.forget-visits',
  HOUR_MS,
  async ({ now, transact, signal }) => {
    const before = later(now, -KEPT_AFTER_MS)
    while (!signal.aborted && (await transact((tx) => deleteExpired(tx, before, BATCH))) === BATCH);
  },
)
