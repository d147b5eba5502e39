import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

/** A refresh token of an application was used again after it was exchanged: its sign-in was ended. */
export const refreshTokenReused = event(
  'oidc.refresh-token-reused',
  Type.Object({ tenantId: Id, userId: Id, clientId: Id }),
)
