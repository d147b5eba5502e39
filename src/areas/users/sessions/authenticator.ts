import type { Authenticator } from '#platform/area.ts'
import type { Deps } from '#platform/deps.ts'
import { findLiveSession } from './queries.ts'
import { accessTokens } from './token.ts'

const FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Reads access tokens: a right one counts as long as its session is alive. */
export function sessionAuthenticator(deps: Deps): Authenticator {
  const tokens = accessTokens(deps)
  return {
    accepts: (token) => FORM.test(token),
    async identify(db, token, { tenantId, now }) {
      const claims = tokens.read(token, tenantId, now)
      if (!claims) return null
      const { sessionId, userId } = claims
      const session = await findLiveSession(db, { tenantId, sessionId }, now)
      if (session?.userId !== userId) return null
      return {
        kind: 'user',
        tenantId,
        userId,
        email: session.email,
        via: 'session',
        credentialId: sessionId,
        readOnly: false,
        impersonatorId: session.impersonatorId,
      }
    },
  }
}
