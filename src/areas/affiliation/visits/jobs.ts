import { DAY_MS, HOUR_MS, later } from '#lib/time.ts'
import { schedule } from '#platform/jobs.ts'
import { deleteExpired } from './queries.ts'

const BATCH = 1000
/** A registration just before the end may still be on its way to be looked at. */
const KEPT_AFTER_MS = DAY_MS

/** Forgets clicks that no longer count. */
export const forgetVisits = schedule(
  'affiliation.forget-visits',
  HOUR_MS,
  async ({ now, transact, signal }) => {
    const before = later(now, -KEPT_AFTER_MS)
    while (!signal.aborted && (await transact((tx) => deleteExpired(tx, before, BATCH))) === BATCH);
  },
)
