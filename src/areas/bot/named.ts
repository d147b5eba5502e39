import { kindOf, type NamedObject } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'

/** Those of these ids that belong to objects of this area, with their names. */
export function objectsAmong(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<NamedObject[]> {
  return db
    .selectFrom('bot.tokens')
    .select(['id', 'name', kindOf('bot_token')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
    .execute()
}
