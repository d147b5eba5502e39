import { kindOf, type NamedObject } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'

/** The objects of this area with these ids, with their names. */
export function objectsAmong(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<NamedObject[]> {
  return db
    .selectFrom('webhooks.endpoints')
    .select(['id', 'url as name', kindOf('webhook_endpoint')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
    .execute()
}
