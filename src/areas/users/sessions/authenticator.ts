import type { Authenticator } from '#platform/area.ts'
import type { Deps } from '#platform/deps.ts'
import { mayImpersonate } from '../impersonation/rules.ts'
import { viewsOf } from '../views.ts'
import { findLiveSession } from './queries.ts'
import { accessTokens } from './token.ts'

const FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/

/**
 * Authenticates by access tokens: a correct one is valid as long as its session is alive and, if a person acts
 * as another, as long as they may.
 */
export function sessionAuthenticator(deps: Deps): Authenticator {
  const tokens = accessTokens(deps)
  const { permissionsOf } = viewsOf(deps)
  return {
    accepts: (token) => FORM.test(token),
    async identify(db, token, { tenantId, now }) {
      const claims = tokens.read(token, tenantId, now)
      if (!claims) return null
      const { sessionId, userId, expiresAt } = claims
      const session = await findLiveSession(db, { tenantId, sessionId }, now)
      if (session?.userId !== userId) return null
      const { impersonatorId } = session
      if (impersonatorId) {
        const own = await permissionsOf(db, { tenantId, userId: impersonatorId })
        if (!mayImpersonate(own, await permissionsOf(db, { tenantId, userId }))) return null
      }
      return {
        kind: 'user',
        tenantId,
        userId,
        email: session.email,
        via: 'session',
        credentialId: sessionId,
        until: expiresAt,
        readOnly: false,
        impersonatorId,
      }
    },
  }
}
