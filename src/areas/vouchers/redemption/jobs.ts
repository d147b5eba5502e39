import { HOUR_MS, later } from '#lib/time.ts'
import { schedule } from '#platform/jobs.ts'
import { deleteOldAttempts } from './queries.ts'
import { REMEMBERED_MS } from './rules.ts'

const BATCH = 1000

/** Deletes wrong codes that no longer count. */
export const forgetAttempts = schedule(
  'vouchers.forget-attempts',
  HOUR_MS,
  async ({ now, transact, signal }) => {
    const before = later(now, -REMEMBERED_MS)
    while (
      !signal.aborted &&
      (await transact((tx) => deleteOldAttempts(tx, before, BATCH))) === BATCH
    );
  },
)
