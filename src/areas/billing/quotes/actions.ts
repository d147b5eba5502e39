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
import { reserveCredit, useCredit } from '../payments/credit.ts'
import { OpenPages, openPages } from './open-pages.ts'
import { holds, isQuote } from './rules.ts'

/** The reason for voiding a pro forma that was replaced by another one. */
const REASON = HOUSE_REASONS.priceExpired

/**
 * Locks and returns a pro forma whose content differs from what it would be today; null while it is still
 * valid, and for an invoice that is not a pro forma (any more). `today` is null if the quoted sale is no
 * longer possible. The caller must already have locked what the pro forma is for. Throws 409 while money
 * may be on its way: that is booked at the amounts that were requested (R3.4). The caller checks open pages
 * before, or closes them with the pro forma.
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
 * Voids an expired pro forma and opens another one for the same thing; credit that was set aside for the
 * first is set aside for the second. The caller updates references to the pro forma, in this transaction.
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
  // Credit that would pay everything is not set aside: a customer who agreed to another price must choose
  // to pay this one.
  if (heldCreditCents >= opened.totalCents || opened.number !== null) return opened
  return reserveCredit(tx, opened, heldCreditCents, now)
}

/**
 * Money came for pro formas that were replaced by now, and has become the customer's credit: it is used on
 * the replacements, or set aside if it is not enough. Returns how much paid for them, in cents.
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

/** Locks and returns the last of a chain of pro formas that replaced each other. */
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
