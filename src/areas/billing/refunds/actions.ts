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
import { creditAdded, refundMade } from '../events.ts'
import { assertOwnDocument } from '../imported/rules.ts'
import { settle } from '../invoices/actions.ts'
import { type InvoiceRow, lockInvoice, updateInvoice } from '../invoices/queries.ts'
import { refundableCents } from '../invoices/rules.ts'
import { withCreditNote, withRefund } from '../invoices/settlement.ts'
import { listPaymentsOf } from '../payments/queries.ts'
import { reasonForStaff } from '../texts.ts'
import { assertNotHeld, heldOf } from './held.ts'
import { eventOf, postRefund } from './posting.ts'
import { insertRefund, type RefundRow } from './queries.ts'
import { sendRefund } from './send.ts'

export type WantedRefund = {
  readonly tenantId: string
  readonly invoiceId: string
  /** All that is left, if it is not said. */
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
 * Gives money of a paid invoice back, with the credit note that belongs to it in the same
 * transaction (R3.7). It goes to the payments it came from, newest first; what was paid with credit
 * becomes credit again. The provider is told by a job. Throws 404, 409 unless the invoice is paid,
 * 422 above what was received and neither refunded nor disputed.
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

/** A credit note; `heldToo` also gives away what a bank holds, for who cannot wait for it. */
export type WantedCredit = Omit<WantedRefund, 'to'> & { readonly heldToo?: boolean }

/**
 * A credit note that refunds nothing by itself: less is due, and money the invoice then holds too
 * much of becomes credit (R3.6). Throws 404, 409 or 422 as the invoice's state says, and 409 for money
 * that a bank holds: should it be lost, the credit would be spent by then (R3.7).
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
  if (credited.creditCents > 0) {
    await toCredit(tx, { invoice: saved, creditNote }, credited.creditCents, now)
  }
  const after = credited.settled ? await settle(tx, saved, cents(0), now) : saved
  return { invoice: after, creditNote }
}

type Source = { id: string; gatewayId: string; amountCents: Cents }
type Share = { paymentId: string; gatewayId: string; amountCents: Cents }

/** Takes an amount from payments, newest first, as far as each has something left. */
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

/** What a refund says follows its credit note. */
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
