import type { FastifyRequest } from 'fastify'
import { notFound } from '#lib/problem.ts'
import type { UserKey } from '#platform/area.ts'
import type { Deps } from '#platform/deps.ts'
import { findUser } from '../queries.ts'
import { viewsOf } from '../views.ts'
import type { Device, OpenedSession } from './actions.ts'
import { ACCESS_SECONDS } from './rules.ts'
import { accessTokens } from './token.ts'

/** Makes the answer that whoever has just signed in gets: `SignedIn`. */
export function signedInAnswers(deps: Deps) {
  const tokens = accessTokens(deps)
  const views = viewsOf(deps)
  return async (
    { db, now, scope }: Pick<FastifyRequest, 'db' | 'now' | 'scope'>,
    { tenantId, userId, sessionId, refreshToken }: OpenedSession & UserKey,
  ) => {
    scope.provenId = userId
    const user = await findUser(db, { tenantId, userId })
    if (!user) throw notFound('User')
    return {
      accessToken: tokens.sign({ tenantId, userId, sessionId }, now),
      refreshToken,
      expiresIn: ACCESS_SECONDS,
      user: await views.one(db, user),
    }
  }
}

/** Where a request comes from. */
export function deviceOf({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): Device {
  return { address: ip, userAgent: headers['user-agent'] ?? null }
}
