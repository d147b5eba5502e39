import { type Static, Type } from 'typebox'
import { Body, Id, Line, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'

const Permission = OneOf(['read', 'read-write'])

const fields = {
  id: Id,
  name: Nullable(Type.String()),
  permission: Permission,
  prefix: Type.String({ description: 'How the key begins; the rest is not kept' }),
  allowedIps: Type.Array(Type.String()),
  parentId: { ...Nullable(Id), description: 'The key that created it; revoked together with it' },
  createdAt: Timestamp,
  expiresAt: Nullable(Timestamp),
  lastUsedAt: Nullable(Timestamp),
}

export const ApiKey = Resource('ApiKey', fields)

export const CreatedApiKey = Resource('CreatedApiKey', {
  ...fields,
  key: Type.String({ description: 'The key itself, shown this once' }),
})

export const NewApiKey = Body({
  name: Type.Optional(Nullable(Line())),
  permission: Permission,
  expiresAt: Type.Optional(Nullable(Timestamp)),
  allowedIps: Type.Optional(
    Type.Array(Type.String({ maxLength: 50 }), {
      maxItems: 20,
      description: 'Addresses and ranges the key may be used from; all when empty',
    }),
  ),
})
export type NewApiKey = Static<typeof NewApiKey>
