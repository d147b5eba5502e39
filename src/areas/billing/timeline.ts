import { sql } from 'kysely'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { amountDetail, type Moments, moment } from '#platform/timeline.ts'

/** What a person was asked to pay, paid, and got back. */
export function timeline(db: Db, { tenantId, userId }: UserKey): readonly Moments[] {
  const invoices = db
    .selectFrom('billing.invoices')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
  const total = amountDetail('totalCents')
  return [
    invoices.select(moment('billing.invoice-made', { at: 'createdAt', detail: total })),
    invoices.select(
      moment('billing.invoice-issued', { at: 'issuedAt', detail: sql.ref('number') }),
    ),
    invoices.select(moment('billing.invoice-paid', { at: 'paidAt', detail: sql.ref('number') })),
    invoices.select(
      moment('billing.invoice-voided', { at: 'voidedAt', detail: sql.ref('voidReason') }),
    ),
    ...moneyMoved(db, { tenantId, userId }),
  ]
}

function moneyMoved(db: Db, { tenantId, userId }: UserKey): readonly Moments[] {
  const payments = db
    .selectFrom('billing.payments')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
  const refunds = db
    .selectFrom('billing.refunds')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
  const disputes = db
    .selectFrom('billing.disputes as dispute')
    .innerJoin('billing.payments as payment', (join) =>
      join
        .onRef('payment.tenantId', '=', 'dispute.tenantId')
        .onRef('payment.id', '=', 'dispute.paymentId'),
    )
    .where('dispute.tenantId', '=', tenantId)
    .where('payment.userId', '=', userId)
  const methods = db
    .selectFrom('billing.payment_methods')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
  return [
    payments.select(
      moment('billing.payment-received', { at: 'paidAt', detail: amountDetail('receivedCents') }),
    ),
    refunds.select(
      moment('billing.refunded', { at: 'createdAt', detail: amountDetail('amountCents') }),
    ),
    disputes.select(
      moment('billing.disputed', {
        at: 'dispute.createdAt',
        id: 'dispute.id',
        detail: sql.ref('dispute.state'),
      }),
    ),
    methods.select(moment('billing.method-saved', { at: 'createdAt', detail: sql.ref('kind') })),
    methods.select(moment('billing.method-gone', { at: 'goneAt', detail: sql.ref('kind') })),
  ]
}
