import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import { type Cents, cents } from '#lib/money.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'

export type PaymentRow = Row<'billing.payments'>
type AtGateway = { tenantId: string; gatewayId: string }

/** Inserts a payment of a provider; undefined if it is already booked. */
export function insertPayment(tx: Tx, row: Insertable<Tables['billing.payments']>) {
  return tx
    .insertInto('billing.payments')
    .values(row)
    .onConflict((it) => it.columns(['tenantId', 'gatewayId', 'providerPaymentId']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function findPayment(db: Db, tenantId: string, id: string) {
  return db
    .selectFrom('billing.payments')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function findPaymentAtGateway(
  db: Db,
  { tenantId, gatewayId }: AtGateway,
  providerPaymentId: string,
) {
  return db
    .selectFrom('billing.payments')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('gatewayId', '=', gatewayId)
    .where('providerPaymentId', '=', providerPaymentId)
    .executeTakeFirst()
}

export async function insertAllocations(
  tx: Tx,
  rows: readonly Row<'billing.payment_allocations'>[],
): Promise<void> {
  if (rows.length > 0)
    await tx
      .insertInto('billing.payment_allocations')
      .values([...rows])
      .execute()
}

/** Which invoices a payment went to, in the order of their ids. */
export function allocationsOf(db: Db, tenantId: string, paymentId: string) {
  return db
    .selectFrom('billing.payment_allocations')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('paymentId', '=', paymentId)
    .orderBy('invoiceId')
    .execute()
}

/** The payments allocated to an invoice, oldest first, each with what was refunded of it. */
export function listPaymentsOf(db: Db, tenantId: string, invoiceId: string) {
  return db
    .selectFrom('billing.payment_allocations as part')
    .innerJoin('billing.payments as payment', (join) =>
      join
        .onRef('payment.tenantId', '=', 'part.tenantId')
        .onRef('payment.id', '=', 'part.paymentId'),
    )
    .select(['payment.id', 'payment.gatewayId', 'payment.userId', 'part.amountCents'])
    .select((it) => [
      it
        .selectFrom('billing.refunds as refund')
        .select(sql<Cents>`coalesce(sum(refund.amount_cents), 0)::bigint`.as('sum'))
        .whereRef('refund.tenantId', '=', 'part.tenantId')
        .whereRef('refund.paymentId', '=', 'part.paymentId')
        .whereRef('refund.invoiceId', '=', 'part.invoiceId')
        .where('refund.state', 'not in', ['failed', 'canceled'])
        .as('refundedCents'),
      it
        .selectFrom('billing.disputes as dispute')
        .select(
          sql<Cents>`coalesce(sum(dispute.held_cents + dispute.lost_cents), 0)::bigint`.as('sum'),
        )
        .whereRef('dispute.tenantId', '=', 'part.tenantId')
        .whereRef('dispute.paymentId', '=', 'part.paymentId')
        .as('disputedCents'),
      it
        .selectFrom('billing.disputes as dispute')
        .select(sql<Cents>`coalesce(sum(dispute.held_cents), 0)::bigint`.as('sum'))
        .whereRef('dispute.tenantId', '=', 'part.tenantId')
        .whereRef('dispute.paymentId', '=', 'part.paymentId')
        .as('heldCents'),
    ])
    .where('part.tenantId', '=', tenantId)
    .where('part.invoiceId', '=', invoiceId)
    .orderBy('payment.id')
    .execute()
}

export type ReceivedRow = Awaited<ReturnType<typeof listReceived>>[number]

/** The payments received for an invoice and their means, oldest first. */
export function listReceived(db: Db, tenantId: string, invoiceId: string) {
  return db
    .selectFrom('billing.payment_allocations as part')
    .innerJoin('billing.payments as payment', (join) =>
      join
        .onRef('payment.tenantId', '=', 'part.tenantId')
        .onRef('payment.id', '=', 'part.paymentId'),
    )
    .innerJoin('billing.gateways as gateway', (join) =>
      join
        .onRef('gateway.tenantId', '=', 'payment.tenantId')
        .onRef('gateway.id', '=', 'payment.gatewayId'),
    )
    .select(['part.amountCents', 'payment.paidAt', 'gateway.driver', 'gateway.name as gatewayName'])
    .select(['payment.methodKind', 'payment.methodBrand', 'payment.methodLast4'])
    .where('part.tenantId', '=', tenantId)
    .where('part.invoiceId', '=', invoiceId)
    .orderBy('payment.paidAt')
    .orderBy('payment.id')
    .execute()
}

/** What was refunded of a payment, or is being refunded. */
export async function refundedOf(db: Db, tenantId: string, paymentId: string): Promise<Cents> {
  const { sum } = await db
    .selectFrom('billing.refunds')
    .select(sql<Cents>`coalesce(sum(amount_cents), 0)::bigint`.as('sum'))
    .where('tenantId', '=', tenantId)
    .where('paymentId', '=', paymentId)
    .where('state', 'not in', ['failed', 'canceled'])
    .executeTakeFirstOrThrow()
  return cents(sum)
}
