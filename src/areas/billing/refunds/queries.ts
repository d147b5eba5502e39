import type { Insertable, Updateable } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type RefundRow = Row<'billing.refunds'>

export function insertRefund(
  tx: Tx,
  row: Insertable<Tables['billing.refunds']>,
): Promise<RefundRow> {
  return tx.insertInto('billing.refunds').values(row).returningAll().executeTakeFirstOrThrow()
}

export function findRefund(db: Db, tenantId: string, id: string) {
  return db
    .selectFrom('billing.refunds')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The refund with a provider's id. */
export function findByProviderRefund(
  db: Db,
  { tenantId, gatewayId }: { tenantId: string; gatewayId: string },
  providerRefundId: string,
) {
  return db
    .selectFrom('billing.refunds')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('gatewayId', '=', gatewayId)
    .where('providerRefundId', '=', providerRefundId)
    .executeTakeFirst()
}

/** Refunds of a payment that we requested and the provider has not confirmed, oldest first. */
export function listUnsent(db: Db, tenantId: string, paymentId: string) {
  return db
    .selectFrom('billing.refunds')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('paymentId', '=', paymentId)
    .where('providerRefundId', 'is', null)
    .where('state', '=', 'pending')
    .orderBy('id')
    .execute()
}

export function updateRefund(
  tx: Tx,
  { tenantId, id }: Pick<RefundRow, 'tenantId' | 'id'>,
  changes: Updateable<Tables['billing.refunds']>,
): Promise<RefundRow> {
  return tx
    .updateTable('billing.refunds')
    .set(changes)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The refunds of an invoice, oldest first. */
export function listRefundsOf(db: Db, tenantId: string, invoiceId: string) {
  return db
    .selectFrom('billing.refunds')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('invoiceId', '=', invoiceId)
    .orderBy('id')
    .execute()
}

export function lockRefund(tx: Tx, tenantId: string, id: string) {
  return tx
    .selectFrom('billing.refunds')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Refunds with their gateway, the name and address of their customer, and the number of their invoice. */
function withNames(db: Db, tenantId: string) {
  return db
    .selectFrom('billing.refunds as refund')
    .innerJoin('users.users as customer', (join) =>
      join
        .onRef('customer.tenantId', '=', 'refund.tenantId')
        .onRef('customer.id', '=', 'refund.userId'),
    )
    .leftJoin('billing.gateways as gateway', (join) =>
      join
        .onRef('gateway.tenantId', '=', 'refund.tenantId')
        .onRef('gateway.id', '=', 'refund.gatewayId'),
    )
    .leftJoin('billing.invoices as invoice', (join) =>
      join
        .onRef('invoice.tenantId', '=', 'refund.tenantId')
        .onRef('invoice.id', '=', 'refund.invoiceId'),
    )
    .selectAll('refund')
    .select(['gateway.driver', 'invoice.number as invoiceNumber'])
    .select(['customer.name as customerName', 'customer.email as customerEmail'])
    .where('refund.tenantId', '=', tenantId)
}

/** A refund as administrators see it. */
export function findNamedRefund(db: Db, tenantId: string, id: string) {
  return withNames(db, tenantId).where('refund.id', '=', id).executeTakeFirst()
}

export type NamedRefund = NonNullable<Awaited<ReturnType<typeof findNamedRefund>>>

type Filter = { status?: RefundRow['state']; userId?: string }

/** Refunds of a tenant, newest first; optionally in one state or of one customer. */
export function listRefunds(
  db: Db,
  tenantId: string,
  { status, userId, ...page }: PageQuery & Filter,
) {
  const query = withNames(db, tenantId)
    .where((it) => (status ? it('refund.state', '=', status) : it.val(true)))
    .where((it) => (userId ? it('refund.userId', '=', userId) : it.val(true)))
  return pageOf(query, page, 'refund.id')
}

/** Refunds of every tenant that providers have not finished since a time, newest first. */
export function listWaiting(db: Db, before: Instant, limit: number) {
  return db
    .selectFrom('billing.refunds as refund')
    .innerJoin('billing.gateways as gateway', (join) =>
      join
        .onRef('gateway.tenantId', '=', 'refund.tenantId')
        .onRef('gateway.id', '=', 'refund.gatewayId'),
    )
    .select(['refund.tenantId', 'refund.id', 'gateway.driver'])
    .where('refund.state', '=', 'pending')
    .where('refund.providerRefundId', 'is not', null)
    .where('refund.sentAt', '<=', before)
    .orderBy('refund.sentAt', 'desc')
    .limit(limit)
    .execute()
}
