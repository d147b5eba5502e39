import { type Instant, later, MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import { type Tx, transact } from './database/index.ts'
import type { Deps } from './deps.ts'

type Credential = { id: string; lastUsedAt: Instant | null }
type Write = (tx: Tx, ids: readonly string[], lastUsedAt: Instant) => Promise<void>

/**
 * Gathers which credentials were used and has `write` note it a moment later: no request waits for
 * it. One whose last use was noted within the minute is left out. `what` names them in the log.
 */
export function useNotes({ database, log }: Deps, what: string, write: Write) {
  const used = new Set<string>()
  let latest: Instant
  async function noteAll(): Promise<void> {
    const ids = [...used]
    used.clear()
    try {
      await transact(database.everywhere, (tx) => write(tx, ids, latest))
    } catch (error) {
      log.warn({ err: error }, `the last use of ${what} is not noted`)
    }
  }
  return ({ id, lastUsedAt }: Credential, now: Instant): void => {
    if (lastUsedAt && lastUsedAt >= later(now, -MINUTE_MS)) return
    latest = now
    if (used.size === 0) setTimeout(noteAll, SECOND_MS).unref()
    used.add(id)
  }
}
