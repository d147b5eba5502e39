import { HOUR_MS } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { schedule } from '#platform/jobs.ts'
import { listFeeds } from '../roles/queries.ts'
import { trimFeed } from './actions.ts'

/** Deletes changes of roles that no bot will request. */
export const trimFeeds = schedule(
  'bot.trim-feeds',
  HOUR_MS,
  async ({ db, database, now, signal }: JobContext) => {
    for (const { tenantId } of await listFeeds(db)) {
      const own = database.of(tenantId)
      while (!signal.aborted && (await transact(own, (tx) => trimFeed(tx, tenantId, now))));
    }
  },
)
