import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'

/** The roles at Discord that this shop gave a person. */
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
