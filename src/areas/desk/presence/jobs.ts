import { MINUTE_MS } from '#lib/time.ts'
import { schedule } from '#platform/jobs.ts'
import { deleteExpired } from './queries.ts'
import { expiredAt } from './rules.ts'

const EVERY_MS = 5 * MINUTE_MS
const BATCH = 500

/** Deletes expired heartbeats: where staff were seen is not kept. */
export const forgetPresence = schedule(
  'desk.forget-presence',
  EVERY_MS,
  async ({ now, transact }) => {
    let count = BATCH
    while (count === BATCH) count = await transact((tx) => deleteExpired(tx, expiredAt(now), BATCH))
  },
)
