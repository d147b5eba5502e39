import { sql } from 'kysely'
import { kindOf, type NamedObject } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'

/** Those of these ids that belong to objects of this area, with their names. */
export function objectsAmong(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<NamedObject[]> {
  return db
    .selectFrom('users.users')
    .select(['id', sql<string>`coalesce(nullif(name, ''), email)`.as('name'), kindOf('user')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
    .where('deletedAt', 'is', null)
    .execute()
}
