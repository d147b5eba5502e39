import { type SqlBool, sql } from 'kysely'
import { isId } from '#lib/id.ts'
import type { Db } from '#platform/database/index.ts'
import { type Hit, hit, MOST_HITS, type Wanted } from './hits.ts'

/** Payments that another system received, by their id at the provider or in our database. */
export async function findImportedPayments(db: Db, { tenantId, q }: Wanted): Promise<Hit[]> {
  const rows = await db
    .selectFrom('billing.imported_payments as payment')
    .innerJoin('users.users as customer', (join) =>
      join
        .onRef('customer.tenantId', '=', 'payment.tenantId')
        .onRef('customer.id', '=', 'payment.userId'),
    )
    .select(['payment.id', 'payment.reference', 'payment.gateway', 'payment.userId'])
    .select(['payment.inCents', 'payment.outCents', 'payment.currency'])
    .select(['payment.happenedAt', 'payment.createdAt', 'customer.name as customerName'])
    .where('payment.tenantId', '=', tenantId)
    .where(({ or, and, eb }) =>
      or([
        ...(isId(q) ? [eb('payment.id', '=', q)] : []),
        and([sql<SqlBool>`payment.reference <> ''`, eb('payment.reference', '=', q)]),
      ]),
    )
    .orderBy('payment.id', 'desc')
    .limit(MOST_HITS)
    .execute()
  return rows.map(({ reference, gateway: detail, inCents, outCents, happenedAt, ...row }) => {
    const { id, userId, currency, createdAt, customerName } = row
    return hit({
      ...{ id, title: reference || id, detail, userId, customerName, currency, exact: true },
      ...{ amountCents: inCents > 0 ? inCents : outCents, createdAt: happenedAt ?? createdAt },
      status: inCents > 0 ? 'paid' : 'refunded',
    })
  })
}

/** Orders of another system, by their number in that system or by their id in our database. */
export async function findImportedOrders(db: Db, { tenantId, q }: Wanted): Promise<Hit[]> {
  const rows = await db
    .selectFrom('orders.imported_orders as order')
    .innerJoin('users.users as customer', (join) =>
      join
        .onRef('customer.tenantId', '=', 'order.tenantId')
        .onRef('customer.id', '=', 'order.userId'),
    )
    .select(['order.id', 'order.number', 'order.status', 'order.userId', 'order.amountCents'])
    .select(['order.currency', 'order.orderedAt', 'order.createdAt'])
    .select(['customer.name as customerName'])
    .where('order.tenantId', '=', tenantId)
    .where(({ or, eb }) =>
      or([...(isId(q) ? [eb('order.id', '=', q)] : []), eb('order.number', '=', q)]),
    )
    .orderBy('order.id', 'desc')
    .limit(MOST_HITS)
    .execute()
  return rows.map(({ number: title, orderedAt, createdAt, ...row }) =>
    hit({ ...row, title, createdAt: orderedAt ?? createdAt, exact: true }),
  )
}
