import { type Static, Type } from 'typebox'
import { Body, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import { RoleOfGuild, Snowflake } from '../snowflake.ts'

/** A position in the feed. Opaque to bots: they send back what they got. */
const Cursor = Type.String({ pattern: '^[0-9]{1,15}$', description: 'A place in the feed' })
const Limit = Type.Integer({ minimum: 1, maximum: 500, default: 100 })

export const ChangesQuery = Type.Object({
  after: Type.Optional(
    Type.Unsafe<string>({
      ...Cursor,
      description: 'Where to read on; by default what was applied',
    }),
  ),
  limit: Type.Optional(Limit),
})

const RoleChange = Resource('BotRoleChange', {
  id: Cursor,
  discordId: Snowflake,
  guildId: Snowflake,
  roleId: Snowflake,
  action: OneOf(['add', 'remove']),
  at: Timestamp,
})

export const Changes = Resource('BotRoleChanges', {
  data: Type.Array(RoleChange),
  cursor: Type.Unsafe<string>({
    ...Cursor,
    description: 'What to acknowledge once all is applied',
  }),
  more: Type.Boolean({ description: 'Whether there is more after the cursor right now' }),
  reset: Type.Boolean({
    description:
      'Changes are missing: read /v1/bot/members, make it so, and then acknowledge the cursor',
  }),
})
export type Changes = Static<typeof Changes>

export const Acknowledgement = Body({ cursor: Cursor })
export const Acknowledged = Resource('AcknowledgedCursor', { cursor: Cursor })

export const MembersQuery = Type.Object({
  after: Type.Optional(
    Type.Unsafe<string>({ ...Snowflake, description: 'The last member of the page before' }),
  ),
  limit: Type.Optional(Limit),
})

export const Members = Resource('BotMembers', {
  data: Type.Array(Type.Object({ discordId: Snowflake, roles: Type.Array(RoleOfGuild) })),
  nextCursor: Nullable(Type.String()),
  managed: Type.Array(RoleOfGuild, {
    description: 'The roles that are given from here: who is not in the list is to have none',
  }),
})
