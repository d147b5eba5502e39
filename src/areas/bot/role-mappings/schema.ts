import { type Static, Type } from 'typebox'
import { Body, Id, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import { Snowflake } from '../snowflake.ts'

const Source = OneOf(
  ['product', 'plan', 'active_service', 'rbac_role', 'group'],
  'Who gets the role: customers with an active service, or one of this product or plan; people with this role or group of staff',
)
const SourceId = Nullable(
  Type.String({
    format: 'uuid',
    description: 'The product, plan, role or group; null for `active_service`',
  }),
)

const fields = {
  discordGuildId: Snowflake,
  discordRoleId: Snowflake,
  source: Source,
}

export const RoleMapping = Resource('RoleMapping', {
  id: Id,
  ...fields,
  sourceId: SourceId,
  createdAt: Timestamp,
})

export const NewRoleMapping = Body({ ...fields, sourceId: Type.Optional(SourceId) })
export type NewRoleMapping = Static<typeof NewRoleMapping>

export const RoleMappingChange = Body({
  discordGuildId: Type.Optional(Snowflake),
  discordRoleId: Type.Optional(Snowflake),
  source: Type.Optional(Source),
  sourceId: Type.Optional(SourceId),
})
export type RoleMappingChange = Static<typeof RoleMappingChange>
