import { idBefore } from '#lib/id.ts'
import { HOUR_MS } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { schedule } from '#platform/jobs.ts'
import { deleteDelivered, listReaders, moveStart } from './queries.ts'
import { passedOnSince } from './rules.ts'

/** No transaction lasts this long: a row with an older id is committed by now, or never will be. */
const COMMITTED_MS = HOUR_MS

/** Moves the start of the search for new notifications past those that bots have delivered. */
export const settleDeliveries = schedule(
  'bot.settle-deliveries',
  HOUR_MS,
  async ({ db, database, now, signal }: JobContext) => {
    const latest = idBefore(COMMITTED_MS)
    for (const key of await listReaders(db, now)) {
      if (signal.aborted) return
      await transact(database.of(key.tenantId), async (tx) => {
        const wanted = { ...key, discordId: null, since: passedOnSince(now) }
        const start = await moveStart(tx, wanted, latest)
        if (start) await deleteDelivered(tx, key, start)
      })
    }
  },
)
