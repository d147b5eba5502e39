import { Type } from 'typebox'
import { Id, Resource, Timestamp } from '#lib/schema.ts'

/** An application that a person has given consent to. */
export const Consent = Resource('Consent', {
  clientId: Id,
  name: Type.String({ description: 'The application' }),
  scopes: Type.Array(Type.String()),
  grantedAt: Timestamp,
  expiresAt: Timestamp,
})

export const ConsentParams = Type.Object({ clientId: Id })
