import type { Insertable, Updateable } from 'kysely'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'

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

/** The refund behind what a provider calls one. */
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

/** Refunds of a payment that we want and the provider has not confirmed, oldest first. */
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
