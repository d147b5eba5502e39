import { lockCredit, post, postings } from '#ledger'
import { newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { numberInvoice, releaseHeld, settle } from '../invoices/actions.ts'
import {
  type InvoiceKey,
  type InvoiceRow,
  lockInvoice,
  updateInvoice,
} from '../invoices/queries.ts'
import { dueCents } from '../invoices/rules.ts'
import { creditToUse } from '../invoices/settlement.ts'

/**
 * Uses a customer's credit on a locked, open invoice, up to what there is and what is due (R3.8):
 * if it covers all, the invoice is paid; otherwise a pro forma has it set aside, and a numbered
 * invoice takes it at once.
 */
export async function useCredit(
  tx: Tx,
  invoice: InvoiceRow,
  balanceCents: Cents,
  now: Instant,
): Promise<InvoiceRow> {
  const wanted = cents(dueCents(invoice) - invoice.heldCreditCents)
  const { usedCents, toChargeCents } = creditToUse(balanceCents, wanted)
  if (toChargeCents > 0 && invoice.number === null)
    return reserveCredit(tx, invoice, usedCents, now)
  const ready = await applyHeld(tx, await numberInvoice(tx, invoice, now), now)
  if (usedCents === 0) return ready
  await postApplied(tx, ready, { amountCents: usedCents, from: 'balance' }, now)
  return settle(tx, ready, usedCents, now)
}

/** Pays with the credit that was set aside for an invoice that has its number now. */
export async function applyHeld(tx: Tx, invoice: InvoiceRow, now: Instant): Promise<InvoiceRow> {
  const { heldCreditCents: amountCents } = invoice
  if (amountCents === 0) return invoice
  await postApplied(tx, invoice, { amountCents, from: 'held' }, now)
  const free = await updateInvoice(tx, invoice, { heldCreditCents: cents(0) }, now)
  return settle(tx, free, amountCents, now)
}

/** Frees the credit that was set aside: the customer wants to pay everything in another way. */
export async function freeHeld(tx: Tx, invoice: InvoiceRow, now: Instant): Promise<InvoiceRow> {
  if (invoice.heldCreditCents === 0) return invoice
  await releaseHeld(tx, invoice, now)
  return updateInvoice(tx, invoice, { heldCreditCents: cents(0) }, now)
}

/** Sets credit of a customer aside for a locked, open pro forma. */
export async function reserveCredit(
  tx: Tx,
  invoice: InvoiceRow,
  amountCents: Cents,
  now: Instant,
): Promise<InvoiceRow> {
  if (amountCents === 0) return invoice
  const { tenantId, id, userId, currency } = invoice
  const held = postings.creditHeld({ customerId: userId, amountCents })
  const event = { kind: 'credit_held', postings: held }
  await post(tx, { tenantId, event, eventId: id, key: `hold:${newId()}`, currency }, now)
  const heldCreditCents = cents(invoice.heldCreditCents + amountCents)
  return updateInvoice(tx, invoice, { heldCreditCents }, now)
}

async function postApplied(
  tx: Tx,
  { tenantId, id, userId, currency, number }: InvoiceRow,
  { amountCents, from }: { amountCents: Cents; from: 'balance' | 'held' },
  now: Instant,
): Promise<void> {
  const applied = postings.creditApplied({ customerId: userId, amountCents }, from)
  const event = {
    kind: 'credit_applied',
    postings: applied,
    ...(number && { description: number }),
  }
  await post(tx, { tenantId, event, eventId: id, key: `credit:${newId()}`, currency }, now)
}

/**
 * Uses a customer's credit on an open, numbered invoice, up to what there is and what is due
 * (R3.8). Returns the changed invoice. Throws 404.
 */
export async function applyCredit(tx: Tx, key: InvoiceKey, now: Instant): Promise<InvoiceRow> {
  const invoice = await lockInvoice(tx, key)
  if (!invoice) throw notFound('Invoice')
  if (invoice.status !== 'open' || invoice.number === null) return invoice
  const { tenantId, userId, currency } = invoice
  const balanceCents = await lockCredit(tx, { tenantId, userId, currency })
  return useCredit(tx, invoice, balanceCents, now)
}
