import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Row, Tx } from '#platform/database/index.ts'

export type HoldRow = Row<'store.stock_holds'>
export type Reference = Pick<HoldRow, 'tenantId' | 'reference'>
type Amount = Pick<HoldRow, 'tenantId' | 'productId' | 'quantity'>

/** Takes from a product's stock if it has that much; answers what is left, null being unlimited. */
export function takeFromStock(tx: Tx, { tenantId, productId, quantity }: Amount) {
  return tx
    .updateTable('store.products')
    .set({ stock: sql<number | null>`stock - ${quantity}` })
    .where('tenantId', '=', tenantId)
    .where('id', '=', productId)
    .where((it) => it.or([it('stock', 'is', null), it('stock', '>=', quantity)]))
    .returning('stock')
    .executeTakeFirst()
}

export async function returnToStock(tx: Tx, { tenantId, productId, quantity }: Amount) {
  await tx
    .updateTable('store.products')
    .set({ stock: sql<number | null>`stock + ${quantity}` })
    .where('tenantId', '=', tenantId)
    .where('id', '=', productId)
    .execute()
}

/** The stock of products, locked in the order in which all of us lock them. */
export function lockStock(tx: Tx, tenantId: string, productIds: readonly string[]) {
  return tx
    .selectFrom('store.products')
    .select(['id', 'stock'])
    .where('tenantId', '=', tenantId)
    .where('id', '=', sql<string>`any(${[...productIds]}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function insertHold(tx: Tx, hold: Omit<HoldRow, 'takenAt'>): Promise<void> {
  await tx.insertInto('store.stock_holds').values(hold).execute()
}

export function lockHolds(tx: Tx, { tenantId, reference }: Reference) {
  return tx
    .selectFrom('store.stock_holds')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('reference', '=', reference)
    .orderBy('productId')
    .forUpdate()
    .execute()
}

/** What was held until now and not paid, of any tenant; what somebody works on stays. */
export function lockOverdueHolds(tx: Tx, now: Instant, limit: number) {
  return tx
    .selectFrom('store.stock_holds')
    .selectAll()
    .where('heldUntil', '<=', now)
    .where('takenAt', 'is', null)
    .where('releasedAt', 'is', null)
    .orderBy('heldUntil')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

export async function updateHold(
  tx: Tx,
  { tenantId, reference, productId }: Reference & { productId: string },
  facts: Partial<Pick<HoldRow, 'takenAt' | 'releasedAt' | 'quantity'>>,
): Promise<void> {
  await tx
    .updateTable('store.stock_holds')
    .set(facts)
    .where('tenantId', '=', tenantId)
    .where('reference', '=', reference)
    .where('productId', '=', productId)
    .execute()
}
