import { type Instant, later, MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import type { Authenticator } from '#platform/area.ts'
import { transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { sameBytes, tokenHash } from '#platform/secrets.ts'
import { KEY_PREFIX } from './actions.ts'
import { isAllowedFrom } from './addresses.ts'
import { findLiveApiKey, markApiKeysUsed } from './queries.ts'

/** Reads API keys: found by their hash, held to their addresses. */
export function apiKeyAuthenticator(deps: Deps): Authenticator {
  const noteUse = useNotes(deps)
  return {
    accepts: (token) => token.startsWith(KEY_PREFIX),
    async identify(db, token, { tenantId, address, now }) {
      const hash = tokenHash(token)
      const key = await findLiveApiKey(db, { tenantId, hash }, now)
      if (!key || !sameBytes(key.hash, hash)) return null
      if (!isAllowedFrom(address, key.allowedIps)) return null
      if (!key.lastUsedAt || key.lastUsedAt < later(now, -MINUTE_MS)) noteUse(key.id, now)
      return {
        kind: 'user',
        tenantId,
        userId: key.userId,
        email: key.email,
        via: 'apiKey',
        credentialId: key.id,
        readOnly: key.permission === 'read',
        impersonatorId: null,
      }
    },
  }
}

/** Gathers which keys were used, and writes it a moment later: no request waits for it. */
function useNotes({ database, log }: Deps): (keyId: string, now: Instant) => void {
  const used = new Set<string>()
  let latest: Instant
  async function write(): Promise<void> {
    const ids = [...used]
    used.clear()
    try {
      await transact(database.everywhere, (tx) => markApiKeysUsed(tx, ids, latest))
    } catch (error) {
      log.warn({ err: error }, 'the last use of API keys is not noted')
    }
  }
  return (keyId, now) => {
    latest = now
    if (used.size === 0) setTimeout(write, SECOND_MS).unref()
    used.add(keyId)
  }
}
