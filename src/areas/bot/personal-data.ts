import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'

/** The roles a person has at Discord from here. */
export function personalData(db: Db, { tenantId, userId }: UserKey) {
  return {
    discordRoles: () =>
      db
        .selectFrom('bot.grants')
        .select(['discordId', 'guildId', 'roleId', 'createdAt'])
        .where('tenantId', '=', tenantId)
        .where('userId', '=', userId)
        .orderBy('guildId')
        .orderBy('roleId')
        .execute(),
  }
}
