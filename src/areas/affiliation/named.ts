import { kindOf, type NamedObject } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'

/** Those of these ids that belong to objects of this area, with their names. */
export function objectsAmong(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<NamedObject[]> {
  return db
    .selectFrom('affiliation.affiliates')
    .select(['id', 'code as name', kindOf('affiliate')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
    .execute()
}
