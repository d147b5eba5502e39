import { type Cents, cents } from '#lib/money.ts'
import { conflict, type Problem, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'

export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'

/** The status that people see: the stored one, refined by what happened and by the time (R3.2). */
export type DisplayStatus =
  | InvoiceStatus
  | 'refunded'
  | 'partially_refunded'
  | 'overdue'
  | 'partially_paid'

/** The stored amounts of an invoice in cents, which never decrease (R3.1). */
export type InvoiceAmounts = {
  readonly totalCents: Cents
  /** Sum of the invoice's credit notes. */
  readonly creditedCents: Cents
  /** Payments and credit applied to the invoice; overpaid money is not included. */
  readonly paidCents: Cents
  /** Given back, to the means of payment or to the customer's credit. */
  readonly refundedCents: Cents
  /** Taken back: lost chargebacks and returned debits. */
  readonly reversedCents: Cents
}

export type InvoiceFacts = InvoiceAmounts & { readonly status: InvoiceStatus }

/** What can happen to an invoice. */
export type InvoiceEvent =
  | 'issue'
  | 'pay'
  | 'settle'
  | 'void'
  | 'credit_in_full'
  | 'write_off'
  | 'reopen'
  | 'refund'

/**
 * The only table of status changes (R3.2): event, then the status in which it may happen and the status
 * it leads to. Money is never refused once an invoice is issued; what the invoice cannot use becomes the
 * customer's credit.
 */
const MOVES: Record<InvoiceEvent, Partial<Record<InvoiceStatus, InvoiceStatus>>> = {
  issue: { draft: 'open' },
  pay: { open: 'open', paid: 'paid', void: 'void', uncollectible: 'uncollectible' },
  settle: { open: 'paid', uncollectible: 'paid' },
  void: { open: 'void' },
  credit_in_full: { open: 'void' },
  write_off: { open: 'uncollectible' },
  reopen: { paid: 'open' },
  refund: { paid: 'paid' },
}

const WORDS: Record<InvoiceEvent, string> = {
  issue: 'issued',
  pay: 'paid',
  settle: 'settled',
  void: 'voided',
  credit_in_full: 'credited in full',
  write_off: 'written off',
  reopen: 'opened again',
  refund: 'refunded',
}

/**
 * The status an event leads to. Throws 409 for a change that is not in the table, and for one that the
 * amounts forbid: settling with something due, voiding after money came in (R3.2).
 */
export function statusAfter(invoice: InvoiceFacts, event: InvoiceEvent): InvoiceStatus {
  const { status } = invoice
  const next = MOVES[event][status]
  if (!next) {
    const message = `An invoice with the status ${status} cannot be ${WORDS[event]}.`
    throw conflict(message, `invoice_${status}`)
  }
  const refusal = refusalOf(invoice, event)
  if (refusal) throw refusal
  return next
}

/**
 * What is still to be paid, in cents: (total − credited) − (paid − refunded − reversed), never below
 * 0; nothing on a void invoice (R3.1).
 */
export function dueCents(invoice: InvoiceFacts): Cents {
  return invoice.status === 'void' ? cents(0) : cents(Math.max(0, balanceOf(invoice)))
}

/** Money on an invoice beyond what it asks for; it belongs to the customer's credit (R3.1). */
export function excessCents(invoice: InvoiceAmounts): Cents {
  return cents(Math.max(0, -balanceOf(invoice)))
}

/** What could still be refunded: money received and neither refunded nor taken back (R3.7). */
export function refundableCents({ paidCents, ...gone }: InvoiceAmounts, pendingCents = 0): Cents {
  return cents(Math.max(0, paidCents - gone.refundedCents - gone.reversedCents - pendingCents))
}

/** The status people see: the first that is true, in the order of R3.2. */
export function displayStatusOf(invoice: InvoiceFacts & Claim, now: Instant): DisplayStatus {
  const { status, refundedCents, creditedCents, totalCents, paidCents } = invoice
  if (status === 'draft' || status === 'void' || status === 'uncollectible') return status
  if (refundedCents > 0) return creditedCents === totalCents ? 'refunded' : 'partially_refunded'
  if (dueCents(invoice) === 0) return 'paid'
  if (isOverdue(invoice, now)) return 'overdue'
  return paidCents > 0 ? 'partially_paid' : 'open'
}

/** Since when money is owed: on an invoice without a number, a pro forma, none is (R3.4). */
type Claim = { readonly number: string | null; readonly dueAt: Instant | null }

/** Whether money is due on an open, issued invoice whose due date has passed (R3.2). */
export function isOverdue(invoice: InvoiceFacts & Claim, now: Instant): boolean {
  const { status, number, dueAt } = invoice
  return (
    status === 'open' && number !== null && dueAt !== null && now > dueAt && dueCents(invoice) > 0
  )
}

/** Throws 409 for an invoice that is not a draft any more. */
export function assertDraft({ status }: Pick<InvoiceFacts, 'status'>): void {
  if (status === 'draft') return
  throw conflict('This invoice was issued and does not change.', `invoice_${status}`)
}

/** Throws 422 for an invoice without lines or with a negative total, which is a credit note (R3.2). */
export function assertIssuable(invoice: { lineCount: number; totalCents: Cents }): void {
  if (invoice.lineCount === 0) throw unprocessable('An invoice needs a line.', 'invoice_empty')
  if (invoice.totalCents < 0) {
    const message = 'An invoice cannot have a negative total. Make a credit note.'
    throw unprocessable(message, 'invoice_negative')
  }
}

function balanceOf(invoice: InvoiceAmounts): number {
  const { totalCents, creditedCents, paidCents, refundedCents, reversedCents } = invoice
  return totalCents - creditedCents - (paidCents - refundedCents - reversedCents)
}

function refusalOf(invoice: InvoiceFacts, event: InvoiceEvent): Problem | null {
  const due = dueCents(invoice)
  if (event === 'settle' && due > 0) return conflict('Something is still due.', 'invoice_due')
  if (event === 'reopen' && due === 0) return conflict('Nothing is due.', 'invoice_settled')
  if (event === 'void' && invoice.paidCents > 0) {
    return conflict('Money has been paid on this invoice.', 'invoice_partially_paid')
  }
  return null
}
