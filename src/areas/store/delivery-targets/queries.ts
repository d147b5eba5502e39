import { sql } from 'kysely'
import type { Db, Tx } from '#platform/database/index.ts'
import type { TargetKey, TargetRow } from './rules.ts'

export function findTarget(db: Db, { tenantId, productId }: TargetKey) {
  return db
    .selectFrom('store.delivery_targets')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('productId', '=', productId)
    .executeTakeFirst()
}

export function lockTarget(tx: Tx, { tenantId, productId }: TargetKey) {
  return tx
    .selectFrom('store.delivery_targets')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('productId', '=', productId)
    .forUpdate()
    .executeTakeFirst()
}

/** The targets of products, by product; those without one are left out. */
export async function targetsOf(
  db: Db,
  tenantId: string,
  productIds: readonly string[],
): Promise<Map<string, TargetRow>> {
  if (productIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('store.delivery_targets')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('productId', '=', sql<string>`any(${[...productIds]}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.productId, row]))
}

export async function insertTarget(
  tx: Tx,
  row: TargetKey & Pick<TargetRow, 'url'> & Partial<TargetRow>,
): Promise<void> {
  await tx.insertInto('store.delivery_targets').values(row).execute()
}

export async function updateTarget(
  tx: Tx,
  { tenantId, productId }: TargetKey,
  change: Partial<Omit<TargetRow, 'tenantId' | 'productId'>>,
): Promise<void> {
  await tx
    .updateTable('store.delivery_targets')
    .set(change)
    .where('tenantId', '=', tenantId)
    .where('productId', '=', productId)
    .execute()
}

export async function deleteTarget(tx: Tx, { tenantId, productId }: TargetKey): Promise<void> {
  await tx
    .deleteFrom('store.delivery_targets')
    .where('tenantId', '=', tenantId)
    .where('productId', '=', productId)
    .execute()
}
