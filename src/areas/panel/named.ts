import { kindOf, type NamedObject } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'

/** The objects of this area with these ids, with their names. */
export function objectsAmong(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<NamedObject[]> {
  const nodes = db
    .selectFrom('panel.nodes')
    .select(['id', 'name', kindOf('panel')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
  const eggs = db
    .selectFrom('panel.eggs')
    .select(['id', 'name', kindOf('egg')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
  const locations = db
    .selectFrom('panel.locations')
    .select(['id', 'name', kindOf('location')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
  return nodes.unionAll(eggs).unionAll(locations).execute()
}
