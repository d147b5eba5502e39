import { sql } from 'kysely'
import type { Provisioning } from '#panel'
import type { Db } from '#platform/database/index.ts'

type NodeKey = { tenantId: string; nodeId: string }

/** The published product with the least memory among those whose servers may be created on a panel. */
export function findSmallestProduct(db: Db, { tenantId, nodeId }: NodeKey) {
  return db
    .selectFrom('store.products as product')
    .innerJoin('panel.eggs as egg', (join) =>
      join
        .onRef('egg.tenantId', '=', 'product.tenantId')
        .on(sql<boolean>`egg.id = (product.provisioning ->> 'eggId')::uuid`),
    )
    .select(['product.id', 'product.name'])
    .select(sql<Provisioning>`product.provisioning`.as('provisioning'))
    .where('product.tenantId', '=', tenantId)
    .where('product.archivedAt', 'is', null)
    .where('product.publishedAt', 'is not', null)
    .where(sql<boolean>`coalesce((product.provisioning #>> '{limits,memoryMb}')::integer, 0) > 0`)
    .where(
      sql<boolean>`case when jsonb_array_length(product.provisioning -> 'nodeIds') > 0
        then product.provisioning -> 'nodeIds' ? ${nodeId}
        else coalesce(egg.node_id = ${nodeId}::uuid, true) end`,
    )
    .orderBy(sql`(product.provisioning #>> '{limits,memoryMb}')::integer`)
    .orderBy('product.id')
    .limit(1)
    .executeTakeFirst()
}

/** The services that have not ended and are stored with these servers of a panel, by the number of the server. */
export async function listOwners(
  db: Db,
  { tenantId, nodeId }: NodeKey,
  serverIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (serverIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('services.services')
    .select(['id', 'serverId'])
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where('serverId', '=', sql<number>`any(${[...serverIds]}::integer[])`)
    .where('endedAt', 'is', null)
    .execute()
  return new Map(rows.flatMap(({ id, serverId }) => (serverId === null ? [] : [[serverId, id]])))
}

/**
 * The services of all shops that have not ended and have these external ids. `everywhere` sees the rows of all tenants,
 * and ids of other tenants must not be returned to users.
 */
export async function listOwnersAnywhere(everywhere: Db, externalIds: readonly string[]) {
  if (externalIds.length === 0) return new Map<string, { id: string; tenantId: string }>()
  const rows = await everywhere
    .selectFrom('services.services')
    .select(['id', 'tenantId', 'externalId'])
    .where('externalId', '=', sql<string>`any(${[...externalIds]}::text[])`)
    .where('endedAt', 'is', null)
    .execute()
  return new Map(rows.map(({ externalId, ...owner }) => [externalId, owner]))
}
