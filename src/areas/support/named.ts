import { kindOf, type NamedObject } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'

/** The tickets among these ids, with their numbers. */
export function objectsAmong(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<NamedObject[]> {
  return db
    .selectFrom('support.tickets')
    .select(['id', 'number as name', kindOf('ticket')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
    .execute()
}
