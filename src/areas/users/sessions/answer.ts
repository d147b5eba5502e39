import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Named, OneOf } from '#lib/schema.ts'
import type { UserKey } from '#platform/area.ts'
import type { Deps } from '#platform/deps.ts'
import { writeCookie } from '#platform/pages/cookies.ts'
import { assertSameOrigin } from '#platform/pages/origin.ts'
import { findUser } from '../queries.ts'
import { viewsOf } from '../views.ts'
import type { ContinuedSession, Device } from './actions.ts'
import { ACCESS_SECONDS } from './rules.ts'
import { accessTokens } from './token.ts'

/** The field of a sign-in that says how its refresh token is returned. */
export const TransportField = {
  transport: Type.Optional(
    Named(
      'TokenTransport',
      OneOf(
        ['body', 'cookie'],
        'Where the refresh token goes: the answer, or the HttpOnly session cookie of a page of this host',
      ),
    ),
  ),
}
export type Transport = 'body' | 'cookie'

type WithTransport = { readonly transport?: Transport }

/** Before a sign-in: throws 403 if a page of another origin asks for the session cookie. */
export async function assertTransport(request: FastifyRequest): Promise<void> {
  if ((request.body as WithTransport).transport === 'cookie') assertSameOrigin(request)
}

/** Builds the answer to a sign-in, `SignedIn`, and sets the session cookie if the request asks for one. */
export function signedInAnswers(deps: Deps) {
  const tokens = accessTokens(deps)
  const views = viewsOf(deps)
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { tenantId, userId, sessionId, refreshToken }: ContinuedSession & UserKey,
  ) => {
    const { db, now, scope } = request
    scope.provenId = userId
    const user = await findUser(db, { tenantId, userId })
    if (!user) throw notFound('User')
    const inCookie = (request.body as WithTransport).transport === 'cookie'
    if (inCookie && refreshToken) writeCookie(request, reply, 'session', refreshToken)
    return {
      accessToken: tokens.sign({ tenantId, userId, sessionId }, now),
      refreshToken: inCookie ? null : refreshToken,
      expiresIn: ACCESS_SECONDS,
      user: await views.me(db, user),
    }
  }
}

/** The address and browser of a request. */
export function deviceOf({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): Device {
  return { address: ip, userAgent: headers['user-agent'] ?? null }
}
