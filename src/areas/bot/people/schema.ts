import { Type } from 'typebox'
import { Id, Nullable, Resource, Timestamp } from '#lib/schema.ts'
import { RoleOfGuild, Snowflake } from '../snowflake.ts'

export const Member = Resource('BotMember', {
  discordId: Snowflake,
  linked: Type.Boolean(),
  userId: Nullable(Id),
  firstName: Nullable(Type.String()),
  linkedAt: Nullable(Timestamp),
  activeServices: Type.Integer(),
  products: Type.Array(
    Type.Object({ id: Id, name: Type.String(), activeServices: Type.Integer() }),
    { description: 'Of which products they have active services' },
  ),
  linkUrl: Type.String({ description: 'Where people link their account' }),
})

export const MemberRoles = Resource('BotMemberRoles', {
  discordId: Snowflake,
  linked: Type.Boolean(),
  roles: Type.Array(RoleOfGuild, { description: 'What the member is to have' }),
  remove: Type.Array(RoleOfGuild, {
    description: 'Roles that the shop manages and this member is not to have: take them away',
  }),
})
