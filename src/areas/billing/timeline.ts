import { sql } from 'kysely'
import type { TimelineObject, UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { amountDetail, type Moments, moment } from '#platform/timeline.ts'

/** What a person was asked to pay, has paid, and got back. */
export function timeline(db: Db, { tenantId, userId }: UserKey): readonly Moments[] {
  return [...invoiced(db, tenantId, { userId }), ...moneyMoved(db, { tenantId, userId })]
}

/** How an invoice was made and settled, and what was paid back of it. */
export function objectTimeline(db: Db, { tenantId, kind, id }: TimelineObject): readonly Moments[] {
  if (kind !== 'invoice') return []
  const paid = db
    .selectFrom('billing.payment_allocations as part')
    .innerJoin('billing.payments as payment', (join) =>
      join
        .onRef('payment.tenantId', '=', 'part.tenantId')
        .onRef('payment.id', '=', 'part.paymentId'),
    )
    .where('part.tenantId', '=', tenantId)
    .where('part.invoiceId', '=', id)
  const disputes = paid.innerJoin('billing.disputes as dispute', (join) =>
    join
      .onRef('dispute.tenantId', '=', 'payment.tenantId')
      .onRef('dispute.paymentId', '=', 'payment.id'),
  )
  const refunds = db
    .selectFrom('billing.refunds')
    .where('tenantId', '=', tenantId)
    .where('invoiceId', '=', id)
  const creditNotes = db
    .selectFrom('billing.credit_notes')
    .where('tenantId', '=', tenantId)
    .where('invoiceId', '=', id)
  return [
    ...invoiced(db, tenantId, { id }),
    paid.select(
      moment('billing.payment-received', {
        ...{ at: 'payment.paidAt', id: 'payment.id' },
        detail: sql<string>`payment.received_cents || ' ' || payment.currency`,
      }),
    ),
    disputes.select(
      moment('billing.disputed', {
        ...{ at: 'dispute.createdAt', id: 'dispute.id' },
        detail: sql.ref('dispute.state'),
      }),
    ),
    refunds.select(
      moment('billing.refunded', { at: 'createdAt', detail: amountDetail('amountCents') }),
    ),
    creditNotes.select(
      moment('billing.credit-note-issued', { at: 'issuedAt', detail: sql.ref('number') }),
    ),
  ]
}

function invoiced(
  db: Db,
  tenantId: string,
  which: { userId: string } | { id: string },
): readonly Moments[] {
  const invoices = db
    .selectFrom('billing.invoices')
    .where('tenantId', '=', tenantId)
    .where((it) => it.and(which))
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
