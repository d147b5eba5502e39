import { kindOf, type NamedObject } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'

/** The objects of this area among these ids, with their names. */
export function objectsAmong(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<NamedObject[]> {
  return db
    .selectFrom('imports.imports')
    .select(['id', 'fileName as name', kindOf('import')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
    .execute()
}
