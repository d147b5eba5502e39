import type { Authenticator } from '#platform/area.ts'
import { sameBytes } from '#platform/secrets.ts'
import { findLiveToken } from './queries.ts'
import { isDaemonToken, keptOf } from './rules.ts'

/** Authenticates daemons by their tokens: found by id, compared by the hash of the whole token. */
export const daemonAuthenticator: Authenticator = {
  accepts: isDaemonToken,
  async identify(db, token, { tenantId, now }) {
    const { tokenId, hash } = keptOf(token)
    const known = await findLiveToken(db, { tenantId, tokenId }, now)
    if (!known || !sameBytes(known.hash, hash)) return null
    return {
      ...{ kind: 'daemon', tenantId, userId: '', email: '', via: 'token' },
      ...{ credentialId: known.id, readOnly: false, impersonatorId: null },
    }
  },
}
