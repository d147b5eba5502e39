import { type Static, Type } from 'typebox'
import { Body, Id, Line, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'

/** The scopes of bots. None of them gives access to an e-mail address or an amount. */
export const SCOPES = ['users:read', 'roles:read', 'notifications:read'] as const

const Scopes = Type.Array(OneOf(SCOPES), { minItems: 1, uniqueItems: true })
const AllowedIps = Type.Array(Type.String({ maxLength: 50 }), {
  maxItems: 20,
  description: 'Addresses and ranges the token may be used from; all when empty',
})

const fields = {
  id: Id,
  name: Type.String(),
  scopes: Type.Array(OneOf(SCOPES)),
  prefix: Type.String({ description: 'How the token begins; the rest is not kept' }),
  allowedIps: Type.Array(Type.String()),
  createdAt: Timestamp,
  expiresAt: Nullable(Timestamp),
  lastUsedAt: Nullable(Timestamp),
}

export const BotToken = Resource('BotToken', fields)

export const CreatedBotToken = Resource('CreatedBotToken', {
  ...fields,
  token: Type.String({ description: 'The token itself, shown this once' }),
})

export const NewBotToken = Body({
  name: Line(),
  scopes: Scopes,
  allowedIps: Type.Optional(AllowedIps),
  expiresAt: Type.Optional(Nullable(Timestamp)),
})
export type NewBotToken = Static<typeof NewBotToken>

export const BotTokenChange = Body({
  name: Type.Optional(Line()),
  scopes: Type.Optional(Scopes),
  allowedIps: Type.Optional(AllowedIps),
  expiresAt: Type.Optional(Nullable(Timestamp)),
})
export type BotTokenChange = Static<typeof BotTokenChange>
