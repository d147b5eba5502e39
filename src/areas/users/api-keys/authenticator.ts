import type { Authenticator } from '#platform/area.ts'
import type { Deps } from '#platform/deps.ts'
import { sameBytes, tokenHash } from '#platform/secrets.ts'
import { usageRecorder } from '#platform/usage.ts'
import { KEY_PREFIX } from './actions.ts'
import { isAllowedFrom } from './addresses.ts'
import { findLiveApiKey, markApiKeysUsed } from './queries.ts'

/** Authenticates API keys: finds them by their hash and enforces their allowed addresses. */
export function apiKeyAuthenticator(deps: Deps): Authenticator {
  const recordUse = usageRecorder(deps, 'API keys', markApiKeysUsed)
  return {
    accepts: (token) => token.startsWith(KEY_PREFIX),
    async identify(db, token, { tenantId, address, now }) {
      const hash = tokenHash(token)
      const key = await findLiveApiKey(db, { tenantId, hash }, now)
      if (!key || !sameBytes(key.hash, hash)) return null
      if (!isAllowedFrom(address, key.allowedIps)) return null
      recordUse(key, now)
      return {
        kind: 'user',
        tenantId,
        userId: key.userId,
        email: key.email,
        via: 'apiKey',
        credentialId: key.id,
        until: key.expiresAt,
        readOnly: key.permission === 'read',
        impersonatorId: null,
      }
    },
  }
}
