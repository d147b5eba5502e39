import { MINUTE_MS } from '#lib/time.ts'
import { schedule } from '#platform/jobs.ts'
import { endHolds } from './tickets/actions.ts'

const BATCH = 100

/** Reopens the tickets whose hold has ended. */
export const reopenHeld = schedule('support.reopen-held', MINUTE_MS, async ({ now, transact }) => {
  let count = BATCH
  while (count === BATCH) count = await transact((tx) => endHolds(tx, now, BATCH))
})
