import { DAY_MS, later } from '#lib/time.ts'
import { schedule } from '#platform/jobs.ts'
import { deleteOldEvents } from './queries.ts'

/**
 * Longer than any provider's log reaches back, so that an event that is read again is still
 * recognized.
 */
const KEPT_MS = 90 * DAY_MS
/** What could not be applied is kept for the person who has to look into it. */
const FAILED_KEPT_MS = 400 * DAY_MS
const BATCH = 500

/** Deletes events of providers long after they were processed: they contain names of people. */
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
