import { Type } from 'typebox'
import { Id, Nullable, Resource, Timestamp } from '#lib/schema.ts'
import { Me } from '../schema.ts'

/** The answer to a completed sign-in. */
export const SignedIn = Resource('SignedIn', {
  accessToken: Type.String({ description: 'Goes along as a bearer token' }),
  refreshToken: Nullable(
    Type.String({
      description:
        'Exchanged once for the next pair of tokens; null where the session cookie holds it',
    }),
  ),
  expiresIn: Type.Integer({ description: 'Seconds until the access token ends' }),
  user: Me,
})

export const Session = Resource('Session', {
  id: Id,
  current: Type.Boolean({ description: 'Whether this request came with it' }),
  address: Nullable(Type.String()),
  userAgent: Nullable(Type.String()),
  impersonated: Type.Boolean(),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  expiresAt: Timestamp,
})
