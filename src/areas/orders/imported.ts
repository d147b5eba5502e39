import { type RawBuilder, sql } from 'kysely'
import { sourceIdOf } from '#lib/source-id.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { type Db, read, type Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type ImportedOrder = {
  id: string
  source_id: number
  user_id: string
  number: string
  status: string
  amount_cents: number
  currency: string
  invoice_id: string | null
  ordered_at: Instant | null
}

/** Orders of another system, as a query. */
export type ImportedOrders = {
  readonly tenantId: string
  readonly importId: string
  /** The system they come from; a shop has at most one of each kind. */
  readonly system: string
  readonly rows: RawBuilder<ImportedOrder>
}

/** Stores orders from another system, to be looked up. They have no further effect. */
export async function importOrders(
  tx: Tx,
  { tenantId, importId, system, rows }: ImportedOrders,
  now: Instant,
): Promise<void> {
  await sql`
    insert into orders.imported_orders
      (tenant_id, id, import_id, system, source_id, user_id, number, status, amount_cents, currency,
       invoice_id, ordered_at, created_at)
    select ${tenantId}, id, ${importId}::uuid, ${system}, source_id, user_id, number, status,
      amount_cents, currency, invoice_id, ordered_at, ${now}
    from (${rows}) as given
  `.execute(tx)
}

/** Removes the orders that an import has stored. */
export async function removeImportedOrders(
  tx: Tx,
  { tenantId, importId }: Omit<ImportedOrders, 'rows' | 'system'>,
): Promise<void> {
  await sql`select orders.remove_imported(${tenantId}::uuid, ${importId}::uuid)`.execute(tx)
}

/** The sums of an import's orders in our database, by currency, in cents as text. */
export function sumImportedOrders(
  db: Db,
  { tenantId, importId }: Omit<ImportedOrders, 'rows' | 'system'>,
): Promise<{ what: string; currency: string; amount: string; sum: string }[]> {
  return read(
    db,
    `select 'orders' as what, currency, amount, sum::text from (
       select currency, count(*) as count, sum(amount_cents) as cents
       from orders.imported_orders where tenant_id = $1 and import_id = $2::uuid group by currency
     ) as summed cross join lateral (values ('count', count), ('amountCents', cents))
       as it (amount, sum)`,
    [tenantId, importId],
  )
}

const MOST = 10_000

/** The orders of a person in the system they were imported from. */
export function listImportedOrdersOf(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('orders.imported_orders')
    .select(['id', 'number', 'status', 'amountCents', 'currency', 'invoiceId', 'orderedAt'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute()
}

type Filters = PageQuery & { userId?: string; q?: string }

/** Orders of another system, of everybody or one person, newest first; `q` is their number or id there. */
export function listImportedOrders(db: Db, tenantId: string, { userId, q, ...page }: Filters) {
  let query = db
    .selectFrom('orders.imported_orders as order')
    .innerJoin('users.users as customer', (join) =>
      join
        .onRef('customer.tenantId', '=', 'order.tenantId')
        .onRef('customer.id', '=', 'order.userId'),
    )
    .leftJoin('billing.invoices as invoice', (join) =>
      join
        .onRef('invoice.tenantId', '=', 'order.tenantId')
        .onRef('invoice.id', '=', 'order.invoiceId'),
    )
    .select(['order.id', 'order.userId', 'order.importId', 'order.system', 'order.sourceId'])
    .select(['order.number', 'order.status', 'order.amountCents', 'order.currency'])
    .select(['order.invoiceId', 'invoice.number as invoiceNumber', 'order.orderedAt'])
    .select(['customer.name as customerName', 'customer.email as customerEmail'])
    .where('order.tenantId', '=', tenantId)
  if (userId) query = query.where('order.userId', '=', userId)
  if (q !== undefined) {
    const sourceId = sourceIdOf(q)
    query = query.where(({ or, eb }) =>
      or([
        eb('order.number', '=', q),
        ...(sourceId === null ? [] : [eb('order.sourceId', '=', sourceId)]),
      ]),
    )
  }
  return pageOf(query, page, 'order.id')
}
