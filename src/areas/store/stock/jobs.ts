import { MINUTE_MS } from '#lib/time.ts'
import { schedule } from '#platform/jobs.ts'
import { releaseOverdueCoupons } from '../redemptions/actions.ts'
import { releaseOverdueStock } from './actions.ts'

const BATCH = 200

/** Gives back the stock and coupons of orders that were not paid in time. */
export const releaseHolds = schedule(
  'store.release-holds',
  MINUTE_MS,
  async ({ transact, now, signal }) => {
    for (const release of [releaseOverdueStock, releaseOverdueCoupons]) {
      let released = BATCH
      while (released === BATCH && !signal.aborted) {
        released = await transact((tx) => release(tx, now, BATCH))
      }
    }
  },
)
