import { kindOf, type NamedObject } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'

/** Those of these ids that belong to objects of this area, with their names. */
export function objectsAmong(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<NamedObject[]> {
  const roles = db
    .selectFrom('rbac.roles')
    .select(['id', 'name', kindOf('role')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
  const groups = db
    .selectFrom('rbac.groups')
    .select(['id', 'name', kindOf('group')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
  return roles.unionAll(groups).execute()
}
