import { type Cents, cents } from '#lib/money.ts'
import { conflict, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { dueCents, excessCents, type InvoiceFacts, refundableCents, statusAfter } from './rules.ts'

/** An invoice after money was applied. */
export type Settlement<I extends InvoiceFacts = InvoiceFacts> = {
  readonly invoice: I
  /** The part of the money that the invoice took, in cents. */
  readonly appliedCents: Cents
  /** What is to be booked as the customer's credit, in cents. */
  readonly creditCents: Cents
  /** Whether this payment settled the invoice, which triggers activation, commission and receipt. */
  readonly settled: boolean
}

/**
 * Applies money that came in: the invoice takes what is due, the rest becomes customer credit
 * (R3.8). A paid or void invoice takes nothing (R3.2). Throws 409 for a draft, RangeError for an
 * amount below 0.
 */
export function withPayment<I extends InvoiceFacts>(invoice: I, amountCents: Cents): Settlement<I> {
  assertAmount(amountCents)
  const paid = { ...invoice, status: statusAfter(invoice, 'pay') }
  const appliedCents = cents(Math.min(amountCents, dueCents(invoice)))
  const creditCents = cents(amountCents - appliedCents)
  const paidCents = cents(invoice.paidCents + appliedCents)
  return { ...settle({ ...paid, paidCents }), appliedCents, creditCents }
}

/**
 * Applies a refund together with its credit note, so nothing becomes due (R3.7). `pendingCents` are
 * refunds under way and disputed money. Throws 409 unless paid, 422 for too large an amount.
 */
export function withRefund<I extends InvoiceFacts>(
  invoice: I,
  amountCents: Cents,
  pendingCents = 0,
): I {
  assertAmount(amountCents)
  const status = statusAfter(invoice, 'refund')
  if (amountCents > refundableCents(invoice, pendingCents)) {
    const message = 'This is more than was paid and has not been refunded.'
    throw unprocessable(message, 'refund_too_large')
  }
  const refundedCents = cents(invoice.refundedCents + amountCents)
  return { ...invoice, status, refundedCents, creditedCents: credited(invoice, amountCents) }
}

/**
 * Applies a credit note that refunds nothing by itself: less is due, and excess money on the invoice
 * goes to the customer's credit (R3.1). A credit note over all of an open invoice makes it void.
 * Throws 409 for a draft, void or written-off invoice, 422 above what is not yet credited.
 */
export function withCreditNote<I extends InvoiceFacts>(
  invoice: I,
  amountCents: Cents,
): Settlement<I> {
  assertAmount(amountCents)
  const { status } = invoice
  if (status !== 'open' && status !== 'paid') {
    throw conflict('Only an open or paid invoice can be credited.', `invoice_${status}`)
  }
  const reduced = { ...invoice, creditedCents: credited(invoice, amountCents) }
  const creditCents = excessCents(reduced)
  const refundedCents = cents(reduced.refundedCents + creditCents)
  const balanced = { ...reduced, refundedCents }
  const appliedCents = cents(0)
  if (status === 'open' && balanced.creditedCents === balanced.totalCents) {
    const voided = { ...balanced, status: statusAfter(balanced, 'credit_in_full') }
    return { invoice: voided, appliedCents, creditCents, settled: false }
  }
  return { ...settle(balanced), appliedCents, creditCents }
}

/**
 * Applies a lost chargeback or returned debit: the money is gone and due again, without a credit
 * note (R3.10). Throws 422 above the money left on the invoice.
 */
export function withReversal<I extends InvoiceFacts>(invoice: I, amountCents: Cents): I {
  assertAmount(amountCents)
  if (amountCents > refundableCents(invoice)) {
    throw unprocessable('This is more than the invoice holds.', 'reversal_too_large')
  }
  const reversed = { ...invoice, reversedCents: cents(invoice.reversedCents + amountCents) }
  if (reversed.status !== 'paid' || dueCents(reversed) === 0) return reversed
  return { ...reversed, status: statusAfter(reversed, 'reopen') }
}

/**
 * The voided invoice, credited in full if it is numbered (R3.2). Throws 409 once money has come in.
 */
export function voided<I extends InvoiceFacts>(invoice: I, { numbered }: { numbered: boolean }): I {
  const status = statusAfter(invoice, 'void')
  return { ...invoice, status, creditedCents: numbered ? invoice.totalCents : cents(0) }
}

/** One payment for several invoices. */
export type PayableInvoice = InvoiceFacts & {
  readonly id: string
  readonly number: string | null
  readonly dueAt: Instant | null
}

/**
 * Distributes one payment: oldest due date first, then number, those without one last (R3.8). What
 * no invoice can use becomes customer credit. Shares of 0 are left out.
 */
export function sharePayment(
  amountCents: Cents,
  invoices: readonly PayableInvoice[],
): { parts: { invoiceId: string; appliedCents: Cents }[]; creditCents: Cents } {
  let left: number = amountCents
  const parts: { invoiceId: string; appliedCents: Cents }[] = []
  for (const invoice of [...invoices].sort(byUrgency)) {
    const appliedCents = cents(Math.min(left, dueCents(invoice)))
    if (appliedCents > 0) parts.push({ invoiceId: invoice.id, appliedCents })
    left -= appliedCents
  }
  return { parts, creditCents: cents(left) }
}

/** How much of a credit balance an invoice takes, and what is left to charge elsewhere (R3.8). */
export function creditToUse(
  balanceCents: Cents,
  due: Cents,
): { usedCents: Cents; balanceCents: Cents; toChargeCents: Cents } {
  const usedCents = cents(Math.min(Math.max(0, balanceCents), due))
  return {
    usedCents,
    balanceCents: cents(balanceCents - usedCents),
    toChargeCents: cents(due - usedCents),
  }
}

function settle<I extends InvoiceFacts>(invoice: I): { invoice: I; settled: boolean } {
  const owed = invoice.status === 'open' || invoice.status === 'uncollectible'
  if (!owed || dueCents(invoice) > 0) return { invoice, settled: false }
  return { invoice: { ...invoice, status: statusAfter(invoice, 'settle') }, settled: true }
}

function credited(invoice: InvoiceFacts, amountCents: Cents): Cents {
  const creditedCents = cents(invoice.creditedCents + amountCents)
  if (creditedCents > invoice.totalCents) {
    throw unprocessable('This is more than is left to credit.', 'credit_note_too_large')
  }
  return creditedCents
}

function byUrgency(a: PayableInvoice, b: PayableInvoice): number {
  return order(a.dueAt, b.dueAt) || order(a.number, b.number) || order(a.id, b.id)
}

/** Ascending, null last. */
function order(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? -1 : 1
}

function assertAmount(amountCents: Cents): void {
  if (amountCents < 0) throw new RangeError(`Not an amount: ${amountCents}`)
}
