import { newId } from '#lib/id.ts'
import { type Cents, cents, sumCents } from '#lib/money.ts'
import { conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Reason } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { enqueue } from '#platform/jobs.ts'
import { issueCreditNote } from '../credit-notes/actions.ts'
import type { CreditNoteRow } from '../credit-notes/queries.ts'
import { creditAdded, invoiceVoided, refundMade } from '../events.ts'
import { assertOwnDocument } from '../imported/rules.ts'
import { eventOf as invoiceEventOf, settle } from '../invoices/actions.ts'
import { type InvoiceRow, lockInvoice, updateInvoice } from '../invoices/queries.ts'
import { refundableCents } from '../invoices/rules.ts'
import { withCreditNote, withRefund } from '../invoices/settlement.ts'
import { listPaymentsOf } from '../payments/queries.ts'
import { reasonForStaff } from '../texts.ts'
import { sendRefund } from '../work.ts'
import { assertNotHeld, heldOf } from './held.ts'
import { eventOf, postRefund } from './posting.ts'
import { insertRefund, type RefundRow } from './queries.ts'

export type WantedRefund = {
  readonly tenantId: string
  readonly invoiceId: string
  /** By default all that is left. */
  readonly amountCents?: Cents | undefined
  readonly to: 'payment' | 'credit'
  readonly reason: Reason
}

export type MadeRefund = {
  readonly invoice: InvoiceRow
  readonly creditNote: CreditNoteRow
  readonly refunds: readonly RefundRow[]
}

/**
 * Refunds money of a paid invoice, with the credit note that belongs to it in the same transaction
 * (R3.7). It goes back to the payments it came from, newest first; what was paid with credit becomes
 * credit again. A job tells the provider. Throws 404, 409 unless the invoice is paid, 422 above what
 * was received and neither refunded nor disputed.
 */
export async function refundInvoice(
  tx: Tx,
  { tenantId, invoiceId, to, reason, ...wanted }: WantedRefund,
  now: Instant,
): Promise<MadeRefund> {
  const invoice = await lockInvoice(tx, { tenantId, invoiceId })
  if (!invoice) throw notFound('Invoice')
  assertOwnDocument(invoice)
  if (invoice.kind === 'top_up') {
    throw conflict('Bought credit is not refunded by a credit note.', 'top_up_not_refundable')
  }
  const payments = await listPaymentsOf(tx, tenantId, invoiceId)
  const pendingCents = heldOf(payments)
  const amountCents = wanted.amountCents ?? refundableCents(invoice, pendingCents)
  const { refundedCents, creditedCents, status } = withRefund(invoice, amountCents, pendingCents)
  const creditNote = await issueCreditNote(tx, invoice, { amountCents, reason }, now)
  const saved = await updateInvoice(tx, invoice, { refundedCents, creditedCents, status }, now)
  const shares = to === 'credit' ? [] : sharesOf(amountCents, payments)
  const rest = cents(amountCents - sumCents(shares.map((share) => share.amountCents)))
  const about = { invoice: saved, creditNote }
  const refunds: RefundRow[] = []
  for (const share of shares) refunds.push(await toPayment(tx, about, share, now))
  if (rest > 0) refunds.push(await toCredit(tx, about, rest, now))
  return { invoice: saved, creditNote, refunds }
}

/** A credit note; `heldToo` includes money in dispute, if the customer cannot wait. */
export type WantedCredit = Omit<WantedRefund, 'to'> & { readonly heldToo?: boolean }

/**
 * Issues a credit note that refunds nothing by itself: less is due, and excess money on the invoice
 * becomes credit (R3.6). Throws 404, 409 or 422 depending on the invoice's state, and 409 for money in
 * dispute: if the dispute is lost, the credit could already be spent (R3.7).
 */
export async function creditInvoice(
  tx: Tx,
  { tenantId, invoiceId, reason, heldToo, ...wanted }: WantedCredit,
  now: Instant,
): Promise<{ invoice: InvoiceRow; creditNote: CreditNoteRow }> {
  const invoice = await lockInvoice(tx, { tenantId, invoiceId })
  if (!invoice) throw notFound('Invoice')
  assertOwnDocument(invoice)
  if (invoice.kind === 'top_up') {
    throw conflict('Bought credit is not refunded by a credit note.', 'top_up_not_refundable')
  }
  const left = cents(invoice.totalCents - invoice.creditedCents)
  const amountCents = wanted.amountCents ?? left
  const credited = withCreditNote(invoice, amountCents)
  if (credited.creditCents > 0 && !heldToo) await assertNotHeld(tx, invoice, credited.creditCents)
  const creditNote = await issueCreditNote(tx, invoice, { amountCents, reason }, now)
  const { creditedCents, refundedCents, status } = credited.invoice
  const settled = credited.settled ? { status: invoice.status } : { status }
  const ended = status === 'void' ? { voidedAt: now, voidReason: reasonForStaff(reason) } : {}
  const changes = { creditedCents, refundedCents, ...settled, ...ended }
  const saved = await updateInvoice(tx, invoice, changes, now)
  if (status === 'void' && invoice.status !== 'void')
    await emit(tx, invoiceVoided, invoiceEventOf(saved))
  if (credited.creditCents > 0) {
    await toCredit(tx, { invoice: saved, creditNote }, credited.creditCents, now)
  }
  const after = credited.settled ? await settle(tx, saved, cents(0), now) : saved
  return { invoice: after, creditNote }
}

type Source = { id: string; gatewayId: string; amountCents: Cents }
type Share = { paymentId: string; gatewayId: string; amountCents: Cents }

/** Takes an amount from payments, newest first, up to what is left of each. */
function sharesOf(
  amountCents: Cents,
  payments: readonly (Source & {
    refundedCents: Cents | null
    disputedCents: Cents | null
  })[],
): Share[] {
  let left: number = amountCents
  const shares: Share[] = []
  for (const payment of [...payments].reverse()) {
    const gone = (payment.refundedCents ?? 0) + (payment.disputedCents ?? 0)
    const part = Math.min(left, Math.max(0, payment.amountCents - gone))
    if (part === 0) continue
    const { id: paymentId, gatewayId } = payment
    shares.push({ paymentId, gatewayId, amountCents: cents(part) })
    left -= part
  }
  return shares
}

/** The description of a refund comes from its credit note. */
type About = { invoice: InvoiceRow; creditNote: CreditNoteRow }

async function toPayment(
  tx: Tx,
  { invoice, creditNote }: About,
  { paymentId, gatewayId, amountCents }: Share,
  now: Instant,
): Promise<RefundRow> {
  const { tenantId, id: invoiceId, userId, currency } = invoice
  const { reason } = creditNote
  const refund = await insertRefund(tx, {
    ...{ tenantId, id: newId(), userId, invoiceId, creditNoteId: creditNote.id, paymentId },
    ...{ gatewayId, amountCents, currency, state: 'pending', origin: 'us', reason, createdAt: now },
  })
  await postRefund(tx, refund, now)
  await enqueue(tx, sendRefund, { tenantId, refundId: refund.id })
  await emit(tx, refundMade, eventOf(refund, 'payment'))
  return refund
}

async function toCredit(
  tx: Tx,
  { invoice, creditNote }: About,
  amountCents: Cents,
  now: Instant,
): Promise<RefundRow> {
  const { tenantId, id: invoiceId, userId, currency } = invoice
  const { reason } = creditNote
  const refund = await insertRefund(tx, {
    ...{ tenantId, id: newId(), userId, invoiceId, creditNoteId: creditNote.id },
    ...{ amountCents, currency, state: 'succeeded', origin: 'us', reason },
    ...{ createdAt: now, endedAt: now },
  })
  await postRefund(tx, refund, now)
  await emit(tx, refundMade, eventOf(refund, 'credit'))
  await emit(tx, creditAdded, { tenantId, userId, amountCents, currency, why: 'refund' })
  return refund
}
