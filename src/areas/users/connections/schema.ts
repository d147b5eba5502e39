import { type Static, Type } from 'typebox'
import { Body, Id, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import { ProofFields } from '../second-factors/schema.ts'

export const Provider = OneOf(['discord'])
export type Provider = Static<typeof Provider>

export const ProviderParams = Type.Object({ provider: Provider })

export const Connection = Resource('Connection', {
  id: Id,
  provider: Provider,
  accountId: Type.String({ description: 'The account there, as the provider names it' }),
  name: Type.String(),
  createdAt: Timestamp,
})

export const NewConnection = Body({ ...ProofFields, provider: Provider })

export const StartedConnection = Resource('StartedConnection', {
  provider: Provider,
  url: Type.String({ description: 'Where the browser goes to agree' }),
  expiresAt: Timestamp,
})

/** The query with which the provider redirects the browser back. */
export const Return = Type.Object({
  code: Type.Optional(
    Type.String({ maxLength: 500, description: 'The code that the provider issued' }),
  ),
  state: Type.Optional(
    Type.String({ maxLength: 500, description: 'The state that was sent to the provider' }),
  ),
  error: Type.Optional(Type.String({ maxLength: 200 })),
})
