import { DAY_MS, HOUR_MS, later } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { schedule } from '#platform/jobs.ts'
import { deleteOldActivity } from './queries.ts'

const KEPT_MS = 30 * DAY_MS
const BATCH = 2000

/** Deletes the record of what people did on servers more than thirty days ago. */
export const forgetOldActivity = schedule(
  'panel.forget-activity',
  HOUR_MS,
  async ({ db, now, signal }: JobContext) => {
    const before = later(now, -KEPT_MS)
    let gone = BATCH
    while (gone === BATCH && !signal.aborted) {
      gone = await transact(db, (tx) => deleteOldActivity(tx, before, BATCH))
    }
  },
)
