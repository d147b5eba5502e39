import { lockCredit } from '#ledger'
import { type Cents, cents } from '#lib/money.ts'
import { conflict } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { HOUSE_REASONS } from '#notifications'
import type { Pages } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { listUnfinished } from '../attempts/queries.ts'
import { openInvoice, voidInvoice } from '../invoices/actions.ts'
import type { InvoiceDocument } from '../invoices/document.ts'
import {
  type InvoiceKey,
  type InvoiceRow,
  lockInvoice,
  partsOf,
  updateInvoice,
} from '../invoices/queries.ts'
import { creditToUse } from '../invoices/settlement.ts'
import { holdCredit, useCredit } from '../payments/credit.ts'
import { OpenPages, openPages } from './pages.ts'
import { holds, isQuote } from './rules.ts'

/** Why a pro forma was voided that another one stands for. */
const REASON = HOUSE_REASONS.priceExpired

/**
 * A pro forma that does not say what it would say today, locked; null while it holds, and for an
 * invoice that is none (any more). `today` is null where the sale as it was quoted is no longer
 * possible. What it was made for is locked by the caller, before. Throws 409 while money may be on its
 * way: that is booked at the amounts it was asked for (R3.4). Pages that are open are asked about first, or
 * closed with the pro forma.
 */
export async function lockExpired(
  tx: Tx,
  { pages, ...key }: InvoiceKey & { readonly pages: Pages },
  today: InvoiceDocument | null,
): Promise<InvoiceRow | null> {
  const invoice = await lockInvoice(tx, key)
  if (!invoice || !isQuote(invoice)) return null
  if (today && holds(invoice, await partsOf(tx, key), today)) return null
  const unfinished = await listUnfinished(tx, key.tenantId, [key.invoiceId])
  const moving = unfinished.some(
    ({ state, sentAt }) =>
      state === 'processing' || state === 'unknown' || (state === 'created' && sentAt !== null),
  )
  if (moving) throw conflict('A payment of this invoice is under way.', 'payment_in_progress')
  const open = openPages(unfinished)
  if (pages === 'ask' && open.length > 0) throw new OpenPages(open)
  return invoice
}

/**
 * Voids an expired pro forma and opens another one for the same thing; credit that was set aside for
 * the first is set aside for the second. Moving what refers to it is the caller's, in this transaction.
 */
export async function replaceQuote(
  tx: Tx,
  expired: InvoiceRow,
  { document, dueAt }: { document: InvoiceDocument; dueAt: Instant },
  now: Instant,
): Promise<InvoiceRow> {
  const { tenantId, id, userId, kind, reference, series, draftLines, heldCreditCents } = expired
  await voidInvoice(tx, { tenantId, invoiceId: id }, REASON, now)
  const about = { tenantId, userId, kind, reference, series, draftLines }
  const opened = await openInvoice(tx, { ...about, document, dueAt }, now)
  await updateInvoice(tx, expired, { replacedBy: opened.id }, now)
  // What would pay all of it is not held: whoever agreed to another price pays this one by asking.
  if (heldCreditCents >= opened.totalCents || opened.number !== null) return opened
  return holdCredit(tx, opened, heldCreditCents, now)
}

/**
 * Money came for pro formas that others stand for by now, and has become the customer's credit: it is
 * used on those others, or set aside where it is not enough. Answers how much paid for them, in cents.
 */
export async function payReplacements(
  tx: Tx,
  paidFor: readonly InvoiceRow[],
  creditCents: Cents,
  now: Instant,
): Promise<Cents> {
  let left: number = creditCents
  let paid = 0
  for (const { tenantId, replacedBy } of paidFor) {
    if (!replacedBy || left <= 0) continue
    const invoice = await lockNewest(tx, tenantId, replacedBy)
    if (invoice?.status !== 'open') continue
    const { userId, currency } = invoice
    const balanceCents = await lockCredit(tx, { tenantId, userId, currency })
    const usable = creditToUse(balanceCents, cents(left)).usedCents
    const after = await useCredit(tx, invoice, usable, now)
    const used = usedBetween(invoice, after)
    left -= used
    if (after.status === 'paid') paid += used
  }
  return cents(paid)
}

/** The last of a chain of pro formas that stand for each other, locked. */
async function lockNewest(tx: Tx, tenantId: string, id: string): Promise<InvoiceRow | null> {
  let next: string | null = id
  let invoice: InvoiceRow | undefined
  while (next) {
    invoice = await lockInvoice(tx, { tenantId, invoiceId: next })
    next = invoice?.replacedBy ?? null
  }
  return invoice ?? null
}

function usedBetween(before: InvoiceRow, after: InvoiceRow): number {
  const taken = ({ paidCents, heldCreditCents }: InvoiceRow) => paidCents + heldCreditCents
  return taken(after) - taken(before)
}
