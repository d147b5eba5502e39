import { MINUTE_MS } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { schedule } from '#platform/jobs.ts'
import { releaseOverdueCoupons } from '../redemptions/actions.ts'
import { releaseOverdue } from './actions.ts'

const BATCH = 200

/** Gives back the stock and coupons of orders that were not paid in time. */
export const releaseHolds = schedule(
  'store.release-holds',
  MINUTE_MS,
  async ({ transact, now, signal }) => {
    const kinds = [
      (tx: Tx) => releaseOverdue(tx, 'product', now, BATCH),
      (tx: Tx) => releaseOverdue(tx, 'value', now, BATCH),
      (tx: Tx) => releaseOverdueCoupons(tx, now, BATCH),
    ]
    for (const release of kinds) {
      let released = BATCH
      while (released === BATCH && !signal.aborted) released = await transact(release)
    }
  },
)
