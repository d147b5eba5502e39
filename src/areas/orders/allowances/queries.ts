import { sql } from 'kysely'
import { DAY_MS, HOUR_MS, type Instant, later } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { Held } from './rules.ts'

export type AllowanceRow = Row<'orders.allowances'>

/** The limits that staff set for a person. */
export function findAllowance(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('orders.allowances')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .executeTakeFirst()
}

export async function upsertAllowance(tx: Tx, row: AllowanceRow): Promise<void> {
  const { tenantId: _tenant, userId: _user, ...change } = row
  await tx
    .insertInto('orders.allowances')
    .values(row)
    .onConflict((it) => it.columns(['tenantId', 'userId']).doUpdateSet(change))
    .execute()
}

export async function deleteAllowance(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('orders.allowances')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

const UNPAID = sql<boolean>`orders.paid_at is null`

/** The unpaid orders of a customer, oldest first. */
export function listOpenOrders(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('orders.orders as orders')
    .innerJoin('billing.invoices as invoice', (join) =>
      join
        .onRef('invoice.tenantId', '=', 'orders.tenantId')
        .onRef('invoice.id', '=', 'orders.invoiceId'),
    )
    .select([
      'orders.id',
      'orders.number',
      'orders.heldUntil',
      sql<string[]>`array(
        select item.product_id::text from orders.order_items item
        where item.tenant_id = orders.tenant_id and item.order_id = orders.id
      )`.as('productIds'),
      sql<number>`(
        select sum(item.quantity)::int from orders.order_items item
        where item.tenant_id = orders.tenant_id and item.order_id = orders.id
      )`.as('units'),
    ])
    .where('orders.tenantId', '=', tenantId)
    .where('orders.userId', '=', userId)
    .where(UNPAID)
    .where('orders.canceledAt', 'is', null)
    .where('invoice.status', '=', 'open')
    .orderBy('orders.id')
    .execute()
}

/** How many orders of the last 24 hours a customer has not paid, including canceled ones. */
export async function countUnpaidOrders(
  db: Db,
  { tenantId, userId }: UserKey,
  now: Instant,
): Promise<number> {
  const { count } = await db
    .selectFrom('orders.orders as orders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where(UNPAID)
    .where('totalCents', '>', sql<never>`0`)
    .where('createdAt', '>', later(now, -DAY_MS))
    .executeTakeFirstOrThrow()
  return count
}

/** When the first of the customer's recent unpaid holds of one of these products ends or ended. */
export async function firstHoldEnd(
  db: Db,
  { tenantId, userId }: UserKey,
  { productIds, hours }: { productIds: readonly string[]; hours: number },
  now: Instant,
): Promise<Held['endsAt']> {
  const row = await db
    .selectFrom('orders.orders as orders')
    .innerJoin('orders.order_items as item', (join) =>
      join.onRef('item.tenantId', '=', 'orders.tenantId').onRef('item.orderId', '=', 'orders.id'),
    )
    .select('orders.heldUntil')
    .where('orders.tenantId', '=', tenantId)
    .where('orders.userId', '=', userId)
    .where(UNPAID)
    .where('orders.createdAt', '>', later(now, -hours * HOUR_MS))
    .where('orders.heldUntil', 'is not', null)
    .where('item.productId', '=', sql<string>`any(${[...productIds]}::uuid[])`)
    .orderBy('orders.heldUntil')
    .limit(1)
    .executeTakeFirst()
  return row?.heldUntil ?? null
}
