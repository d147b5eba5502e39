import { DAY_MS, later } from '#lib/time.ts'
import { schedule } from '#platform/jobs.ts'
import { deleteOldEvents } from './queries.ts'

/** Longer than any provider's log reaches back, so that what is read again is still known. */
const KEPT_MS = 90 * DAY_MS
/** What could not be applied is kept for whoever has to look into it. */
const FAILED_KEPT_MS = 400 * DAY_MS
const BATCH = 500

/** Forgets what providers told us once it is long done: it names people. */
export const forgetOldEvents = schedule(
  'billing.forget-old-events',
  DAY_MS,
  async ({ now, transact }) => {
    const ages = [
      { states: ['done', 'ignored'] as const, before: later(now, -KEPT_MS) },
      { states: ['failed'] as const, before: later(now, -FAILED_KEPT_MS) },
    ]
    for (const age of ages) {
      let count = BATCH
      while (count === BATCH) count = await transact((tx) => deleteOldEvents(tx, age, BATCH))
    }
  },
)
