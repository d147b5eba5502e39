import { post, postings } from '#ledger'
import { newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import { conflict, notFound, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { creditAdded } from '../events.ts'
import { findGateway } from '../gateways/queries.ts'
import { type InvoiceKey, lockInvoice, updateInvoice } from '../invoices/queries.ts'
import { refundableCents } from '../invoices/rules.ts'
import { assertNotHeld } from '../refunds/held.ts'
import {
  type ImportedPaymentKey,
  type ImportedRefundRow,
  insertImportedRefund,
  listImportedRefunds,
  lockImportedPayment,
} from './admin-queries.ts'

export type NotedRefund = {
  readonly amountCents: Cents
  readonly gatewayId?: string | null
  readonly reference?: string | null
  readonly reason: string
}

/**
 * Records and books the refund of an imported payment. Revenue and tax do not change, because the sale is in the books
 * of the previous system; the payment's invoice is credited by the amount. Throws 404, 409 for a reference that this
 * payment already has, and 422 above the amount that is not yet refunded.
 */
export async function recordImportedRefund(
  tx: Tx,
  key: ImportedPaymentKey,
  { amountCents, gatewayId = null, reference = null, reason }: NotedRefund,
  now: Instant,
): Promise<ImportedRefundRow> {
  const payment = await lockImportedPayment(tx, key)
  if (!payment) throw notFound('Imported payment')
  const { tenantId } = key
  if (gatewayId && !(await findGateway(tx, { tenantId, gatewayId }))) throw notFound('Gateway')
  const noted = await listImportedRefunds(tx, tenantId, [payment.id])
  if (reference !== null && noted.some((it) => it.reference === reference)) {
    throw conflict('Another refund has this reference.', 'reference_used')
  }
  if (amountCents > payment.inCents - payment.outCents - payment.refundedCents) {
    const message = 'This is more than was paid and has not been refunded.'
    throw unprocessable(message, 'refund_too_large')
  }
  const { userId, currency } = payment
  const refund = await insertImportedRefund(tx, {
    ...{ tenantId, id: newId(), paymentId: payment.id, userId, gatewayId },
    ...{ amountCents, currency, reference, reason, createdAt: now },
  })
  const event = {
    kind: 'imported_refund',
    postings: postings.importedPaymentRefunded({ gatewayId, amountCents }),
  }
  const { id: eventId } = refund
  await post(tx, { tenantId, event, eventId, key: `imported-refund:${eventId}`, currency }, now)
  if (payment.invoiceId)
    await lowerInvoice(tx, { tenantId, invoiceId: payment.invoiceId }, amountCents, now)
  return refund
}

/**
 * Gives money that an imported invoice received back as credit: no credit note of this shop corrects the invoice, so
 * revenue and tax stay. Throws 409 for money in dispute, unless `heldToo`, and a RangeError above the money on the
 * invoice.
 */
export async function creditImported(
  tx: Tx,
  key: InvoiceKey,
  { amountCents, heldToo = false }: { amountCents: Cents; heldToo?: boolean },
  now: Instant,
): Promise<void> {
  const invoice = await lockInvoice(tx, key)
  if (!invoice) throw notFound('Invoice')
  if (amountCents > refundableCents(invoice, 0)) {
    throw new RangeError(`Invoice ${invoice.id} does not hold ${amountCents} cents`)
  }
  if (!heldToo) await assertNotHeld(tx, invoice, amountCents)
  await lowerInvoice(tx, key, amountCents, now)
  const { tenantId } = key
  const { userId, currency } = invoice
  const id = newId()
  const event = {
    kind: 'refund',
    postings: postings.openingCredit({ customerId: userId, amountCents }),
  }
  await post(tx, { tenantId, event, eventId: id, key: `imported-credit:${id}`, currency }, now)
  await emit(tx, creditAdded, { tenantId, userId, amountCents, currency, why: 'refund' })
}

/** Counts an amount as refunded and credited, so that a later change or cancellation credits less. The amount due stays. */
async function lowerInvoice(
  tx: Tx,
  key: InvoiceKey,
  amountCents: Cents,
  now: Instant,
): Promise<void> {
  const invoice = await lockInvoice(tx, key)
  if (!invoice) return
  const { paidCents, refundedCents, reversedCents, creditedCents } = invoice
  const lowered = Math.min(amountCents, paidCents - refundedCents - reversedCents)
  if (lowered <= 0) return
  const changes = {
    refundedCents: cents(refundedCents + lowered),
    creditedCents: cents(creditedCents + lowered),
  }
  await updateInvoice(tx, invoice, changes, now)
}
