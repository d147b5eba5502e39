import { Type } from 'typebox'
import { Resource } from '#lib/schema.ts'

/** An id of Discord: a number of 64 bits, as text because JavaScript's numbers are not precise enough. */
export const Snowflake = Type.String({ pattern: '^[0-9]{5,20}$', description: 'An id of Discord' })

/** A role of a Discord server. */
export const RoleOfGuild = Resource('GuildRole', { guildId: Snowflake, roleId: Snowflake })

/** The path of a member. */
export const MemberParams = Type.Object({ discordId: Snowflake })
