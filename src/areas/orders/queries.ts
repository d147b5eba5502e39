import { sql } from 'kysely'
import type { ShownLocation } from '#panel'
import type { UserKey } from '#platform/area.ts'
import { compiled } from '#platform/database/compiled.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import { type CountedPage, compiledPage, type ListQuery, listOf } from '#platform/page.ts'
import { type KeptComponent, SERVICE_STATUS_IN_SQL } from '#services'
import type { OrderItemView } from './rules.ts'
import type { OrderStatus } from './schema.ts'

export type OrderRow = Row<'orders.orders'>
export type OrderKey = Pick<OrderRow, 'tenantId' | 'id'>
export type OrderItemRow = Row<'orders.order_items'>

export async function insertOrder(
  tx: Tx,
  row: Omit<OrderRow, 'number' | 'paidAt' | 'fulfilledAt' | 'canceledAt'>,
  items: readonly OrderItemRow[],
): Promise<OrderRow> {
  const order = await tx
    .insertInto('orders.orders')
    .values({
      ...row,
      quote: row.quote && json(row.quote),
      number: sql<string>`'ORD-' || nextval('orders.numbers')`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('orders.order_items')
    .values([...items])
    .execute()
  return order
}

/** Orders of one customer, newest first. */
export const listOrdersOf = compiledPage((db, { tenantId, userId }: UserKey) =>
  db
    .selectFrom('orders.orders')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId),
)

export function findOrderOf(db: Db, { tenantId, userId }: UserKey, id: string) {
  return db
    .selectFrom('orders.orders')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
}

type Filters = { userId?: string; status?: OrderStatus }

/** Orders of a tenant, optionally of one customer or in one state. */
export function listOrders(
  db: Db,
  tenantId: string,
  { userId, status, ...page }: ListQuery & Filters,
): Promise<CountedPage<OrderRow>> {
  let query = db.selectFrom('orders.orders').selectAll().where('tenantId', '=', tenantId)
  if (userId) query = query.where('userId', '=', userId)
  if (status === 'canceled') query = query.where('canceledAt', 'is not', null)
  else if (status) query = query.where('canceledAt', 'is', null)
  if (status === 'pending') query = query.where('paidAt', 'is', null)
  if (status === 'pending' || status === 'paid') query = query.where('fulfilledAt', 'is', null)
  if (status === 'paid') query = query.where('paidAt', 'is not', null)
  if (status === 'fulfilled') query = query.where('fulfilledAt', 'is not', null)
  return listOf(db, query, page)
}

export function findOrder(db: Db, { tenantId, id }: OrderKey) {
  return db
    .selectFrom('orders.orders')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function lockOrder(tx: Tx, { tenantId, id }: OrderKey) {
  return tx
    .selectFrom('orders.orders')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateOrder(
  tx: Tx,
  { tenantId, id }: OrderKey,
  change: Partial<
    Pick<
      OrderRow,
      'paidAt' | 'startsAt' | 'fulfilledAt' | 'canceledAt' | 'invoiceId' | 'totalCents'
    >
  >,
): Promise<void> {
  await tx
    .updateTable('orders.orders')
    .set(change)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Deletes the notes of a person's orders. */
export async function deleteNotes(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .updateTable('orders.orders')
    .set({ note: null })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('note', 'is not', null)
    .execute()
}

/** Sets the present price of an item. */
export async function updateItem(
  tx: Tx,
  { tenantId, id }: Pick<OrderItemRow, 'tenantId' | 'id'>,
  change: Pick<OrderItemRow, 'totalCents'>,
): Promise<void> {
  await tx
    .updateTable('orders.order_items')
    .set(change)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

type OrderKeys = { tenantId: string; orderIds: readonly string[] }

const itemsOf = compiled<OrderKeys, OrderItemView>((db, { tenantId, orderIds }) =>
  db
    .selectFrom('orders.order_items as item')
    .leftJoin('services.services as service', (join) =>
      join
        .onRef('service.tenantId', '=', 'item.tenantId')
        .onRef('service.orderId', '=', 'item.orderId')
        .onRef('service.orderItemId', '=', 'item.id'),
    )
    .innerJoin('store.products as product', (join) =>
      join
        .onRef('product.tenantId', '=', 'item.tenantId')
        .onRef('product.id', '=', 'item.productId'),
    )
    .innerJoin('store.plans as plan', (join) =>
      join.onRef('plan.tenantId', '=', 'item.tenantId').onRef('plan.id', '=', 'item.planId'),
    )
    .selectAll('item')
    .select(['product.name as productName', 'plan.name as planName'])
    .select(
      sql<string | null>`(array_agg(service.name order by service.id)
        filter (where service.id is not null))[1]`.as('serviceName'),
    )
    .select(
      sql<string[]>`coalesce(json_agg(service.id order by service.id)
        filter (where service.id is not null), '[]')`.as('serviceIds'),
    )
    .select(
      sql<KeptComponent[]>`coalesce((jsonb_agg(service.components order by service.id)
        filter (where service.id is not null)) -> 0, '[]')`.as('components'),
    )
    .select(
      sql<ShownLocation | null>`(select json_build_object('id', location.id, 'slug', location.slug,
          'name', location.name, 'country', location.country, 'city', location.city)
        from panel.locations as location
        where location.tenant_id = item.tenant_id and location.id = item.location_id)`.as(
        'location',
      ),
    )
    .where('item.tenantId', '=', tenantId)
    .where('item.orderId', '=', sql<string>`any(${orderIds}::uuid[])`)
    .groupBy(['item.tenantId', 'item.id', 'product.name', 'plan.name'])
    .orderBy('item.id'),
)

/** The items of orders with the services created from them, in one statement. */
export function listItems(
  db: Db,
  tenantId: string,
  orderIds: readonly string[],
): Promise<OrderItemView[]> {
  return itemsOf(db, { tenantId, orderIds })
}

/** What each payment paid of an invoice, oldest first. */
export function listPaymentsOf(
  db: Db,
  { tenantId, invoiceId }: Pick<OrderRow, 'tenantId' | 'invoiceId'>,
) {
  return db
    .selectFrom('billing.payment_allocations as part')
    .innerJoin('billing.payments as payment', (join) =>
      join
        .onRef('payment.tenantId', '=', 'part.tenantId')
        .onRef('payment.id', '=', 'part.paymentId'),
    )
    .leftJoin('billing.gateways as gateway', (join) =>
      join
        .onRef('gateway.tenantId', '=', 'payment.tenantId')
        .onRef('gateway.id', '=', 'payment.gatewayId'),
    )
    .select(['payment.id', 'gateway.name as gatewayName', 'part.amountCents', 'payment.paidAt'])
    .where('part.tenantId', '=', tenantId)
    .where('part.invoiceId', '=', invoiceId)
    .orderBy('payment.id')
    .execute()
}

/** The services that were created for an order. */
export function listServicesMade(db: Db, { tenantId, id }: Pick<OrderRow, 'tenantId' | 'id'>) {
  return db
    .selectFrom('services.services as service')
    .select(['service.id', 'service.name', SERVICE_STATUS_IN_SQL.as('status')])
    .where('service.tenantId', '=', tenantId)
    .where('service.orderId', '=', id)
    .orderBy('service.id')
    .execute()
}
