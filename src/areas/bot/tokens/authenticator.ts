import type { Authenticator } from '#platform/area.ts'
import type { Deps } from '#platform/deps.ts'
import { sameBytes, tokenHash } from '#platform/secrets.ts'
import { usageRecorder } from '#platform/usage.ts'
import { isAllowedFrom } from '#users'
import { TOKEN_PREFIX } from './actions.ts'
import { findLiveToken, markTokensUsed } from './queries.ts'

/** Authenticates bots' tokens: finds them by their hash and enforces their allowed addresses. */
export function botAuthenticator(deps: Deps): Authenticator {
  const recordUse = usageRecorder(deps, 'bot tokens', markTokensUsed)
  return {
    accepts: (token) => token.startsWith(TOKEN_PREFIX),
    async identify(db, token, { tenantId, address, now }) {
      const hash = tokenHash(token)
      const known = await findLiveToken(db, { tenantId, hash }, now)
      if (!known || !sameBytes(known.hash, hash)) return null
      if (!isAllowedFrom(address, known.allowedIps)) return null
      recordUse(known, now)
      return {
        ...{ kind: 'bot', tenantId, userId: '', email: '', via: 'token' },
        ...{ credentialId: known.id, readOnly: false, impersonatorId: null },
        scopes: new Set(known.scopes),
      }
    },
  }
}
