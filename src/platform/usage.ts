import { type Instant, later, MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import { type Tx, transact } from './database/index.ts'
import type { Deps } from './deps.ts'

type Credential = { id: string; lastUsedAt: Instant | null }
type Write = (tx: Tx, ids: readonly string[], lastUsedAt: Instant) => Promise<void>

/**
 * Records when credentials were last used. Uses are collected and written with `write` a second later, so no
 * request waits for it; a credential whose use was recorded within the last minute is left out. `what` names
 * the credentials in the log.
 */
export function usageRecorder({ database, log }: Deps, what: string, write: Write) {
  const used = new Set<string>()
  let latest: Instant
  async function writeAll(): Promise<void> {
    const ids = [...used]
    used.clear()
    try {
      await transact(database.everywhere, (tx) => write(tx, ids, latest))
    } catch (error) {
      log.warn({ err: error }, `the last use of ${what} was not recorded`)
    }
  }
  return ({ id, lastUsedAt }: Credential, now: Instant): void => {
    if (lastUsedAt && lastUsedAt >= later(now, -MINUTE_MS)) return
    latest = now
    if (used.size === 0) setTimeout(writeAll, SECOND_MS).unref()
    used.add(id)
  }
}
