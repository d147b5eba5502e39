import type { Static } from 'typebox'
import { type NewTransaction, post, postings } from '#ledger'
import { newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import { conflict, notFound } from '#lib/problem.ts'
import { HOUR_MS, type Instant, later } from '#lib/time.ts'
import type { Reason } from '#notifications'
import { inPurchase, json, type Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { taxSettings } from '#store'
import { assertSells, issuerOf, settingsOf } from '#tenants'
import { billingProfileOf, findVatCheck } from '#users'
import { issueCreditNote } from '../credit-notes/actions.ts'
import { requestDocument } from '../documents/actions.ts'
import { invoiceIssued, invoicePaid, invoiceVoided } from '../events.ts'
import { referenceOf } from '../gateways/bank-transfer/reference.ts'
import { assertOwnDocument } from '../imported/rules.ts'
import { billingSettings, NUMBERED_AT } from '../settings.ts'
import { reasonForStaff } from '../texts.ts'
import { invoiceHash } from './content.ts'
import { type InvoiceDocument, rowsOf, statementOf } from './document.ts'
import { evidenceOn, needsVatCheck } from './evidence.ts'
import {
  type InvoiceKey,
  type InvoiceRow,
  insertInvoice,
  insertParts,
  lastPaymentCountry,
  lockInvoice,
  partsOf,
  updateInvoice,
} from './queries.ts'
import { assertIssuable, dueCents, statusAfter } from './rules.ts'
import type { InvoiceKind } from './schema.ts'
import { takeNumber } from './series.ts'
import { voided, withPayment, withReversal } from './settlement.ts'

export type NewInvoice = {
  readonly tenantId: string
  readonly userId: string
  readonly kind: InvoiceKind
  /** The order, upgrade or service that the invoice is for. */
  readonly reference: string | null
  readonly document: InvoiceDocument
  readonly dueAt: Instant
  /** The series chosen for the invoice; by default that of its kind. */
  readonly series?: string | null
  /** What an administrator wrote: kept while the invoice is a pro forma, to calculate its prices again. */
  readonly draftLines?: InvoiceRow['draftLines']
  /** Only free trials: there is no sale yet, so a total of 0 is settled without a number (R4.3). */
  readonly onTrial?: boolean
}

/**
 * Creates an open invoice with frozen content. Unless the tenant chose otherwise, what a customer has yet
 * to decide on (checkout, upgrade, top-up) stays a pro forma, without a number, until its first payment; a
 * renewal and an administrator's invoice are numbered at once (R3.4). A total of 0 is numbered and paid in
 * this transaction (R3.9), unless all of it is a free trial: that is paid and gets no number (R4.3).
 * Throws 404 for an unknown customer, 422 without lines or below 0.
 */
export async function openInvoice(
  tx: Tx,
  { tenantId, userId, kind, reference, document, dueAt, ...manual }: NewInvoice,
  now: Instant,
): Promise<InvoiceRow> {
  const { series = null, draftLines = null, onTrial = false } = manual
  const { totalCents } = document
  assertIssuable({ lineCount: document.lines.length, totalCents })
  const id = newId()
  const invoice = await insertInvoice(tx, {
    ...{ tenantId, id, userId, kind, reference, status: 'open', number: null },
    ...(await contentOf(tx, { tenantId, userId, kind, document })),
    ...{ contentHash: null, note: null, voidReason: null, series },
    transferReference: referenceOf(id),
    draftLines: draftLines && json(draftLines),
    ...{ createdAt: now, issuedAt: null, dueAt, paidAt: null, voidedAt: null, writtenOffAt: null },
  })
  await insertParts(tx, rowsOf(document, { tenantId, invoiceId: id }))
  const issued = onTrial && totalCents === 0 ? invoice : await issue(tx, invoice, now)
  return totalCents === 0 ? settle(tx, issued, cents(0), now) : issued
}

/** Numbers an invoice that is issued now, if its kind is to have a number before its first payment. */
export async function issue(tx: Tx, invoice: InvoiceRow, now: Instant): Promise<InvoiceRow> {
  const settings = await settingsOf(tx, invoice.tenantId, billingSettings)
  return isNumberedAtOnce(settings, invoice) ? numberInvoice(tx, invoice, now) : invoice
}

/** Whether an invoice gets its number when it is issued, and not with its first payment (R3.4). */
export function isNumberedAtOnce(
  { numberAt }: Pick<Static<typeof billingSettings.schema>, 'numberAt'>,
  { kind, totalCents }: Pick<InvoiceRow, 'kind' | 'totalCents'>,
): boolean {
  const wanted = kind === 'top_up' ? undefined : numberAt[kind]
  return (wanted ?? NUMBERED_AT[kind]) === 'issue' || totalCents === 0
}

/**
 * The content of an invoice, as columns: its amounts, and seller and buyer as they are now (R2.8). Throws
 * 404 for an unknown customer, 409 `shop_not_ready` while the seller's details are incomplete, RangeError
 * for a document whose parts do not add up.
 */
export async function contentOf(
  tx: Tx,
  {
    tenantId,
    userId,
    kind,
    document,
  }: Pick<NewInvoice, 'tenantId' | 'userId' | 'kind' | 'document'>,
) {
  const profile = await billingProfileOf(tx, { tenantId, userId })
  if (!profile) throw notFound('User')
  const issuer = await issuerOf(tx, tenantId, kind === 'manual' ? 'staff' : 'customer')
  const said = statementOf(document, { kind, seller: issuer, profile })
  const { seller, buyer, mentions } = said
  return { ...said, seller: json(seller), buyer: json(buyer), mentions: json(mentions) }
}

/** When an invoice is voided that is to be paid on the spot, or not at all. */
export async function proFormaEnd(tx: Tx, tenantId: string, now: Instant): Promise<Instant> {
  const { unpaidHours } = await settingsOf(tx, tenantId, billingSettings)
  return later(now, unpaidHours * HOUR_MS)
}

/**
 * Gives an open invoice its number, issue date and hash, and posts what the customer owes. An invoice that
 * already has a number is returned unchanged. The invoice is locked by the caller.
 */
export async function numberInvoice(
  tx: Tx,
  invoice: InvoiceRow,
  now: Instant,
): Promise<InvoiceRow> {
  if (invoice.number !== null) return invoice
  const { tenantId, id } = invoice
  await assertSells(tx, tenantId, invoice.kind === 'manual' ? 'staff' : 'customer')
  const parts = await partsOf(tx, { tenantId, invoiceId: id })
  const code = seriesIn(await settingsOf(tx, tenantId, billingSettings), invoice)
  const place = await takeNumber(tx, { tenantId, code }, now)
  const frozen = { ...place, ...(await evidenceFor(tx, invoice)) }
  const { evidence } = frozen
  const contentHash = invoiceHash({ invoice: { ...invoice, evidence }, ...parts }, place)
  // Buying credit is not a sale: tax arises on the invoice that the credit pays (R2.9).
  if (invoice.kind !== 'top_up') await post(tx, issueOf(invoice, parts.taxes), now)
  await requestDocument(tx, { tenantId, kind: 'invoice', sourceId: id }, now)
  const saved = await updateInvoice(tx, invoice, { ...frozen, contentHash }, now)
  await emit(tx, invoiceIssued, eventOf(saved))
  return saved
}

/** The buyer's location, by all evidence known when the invoice is numbered (R2.5). */
async function evidenceFor(tx: Tx, invoice: InvoiceRow) {
  const { tenantId, userId, kind } = invoice
  if (kind === 'top_up') return { evidence: null, evidenceConflict: false }
  const { locationEvidenceThresholdPassed } = await settingsOf(tx, tenantId, taxSettings)
  return evidenceOn(invoice, {
    paymentCountry: await lastPaymentCountry(tx, invoice),
    vatCheck: needsVatCheck(invoice)
      ? await findVatCheck(tx, { tenantId, userId }, invoice.buyer.vatNumber ?? '')
      : undefined,
    twoNeeded: locationEvidenceThresholdPassed,
  })
}

/** The series an invoice is numbered in: the one chosen for it, its kind's, or the default one. */
export function seriesIn(
  settings: Static<typeof billingSettings.schema>,
  { kind, series }: Pick<InvoiceRow, 'kind' | 'series'>,
): string {
  if (kind === 'top_up') return settings.topUpSeries
  return series ?? settings.kindSeries[kind] ?? settings.invoiceSeries
}

/** The posting in the books for an invoice when it is issued. */
export function issueOf(
  { tenantId, id, userId, netCents, currency }: InvoiceRow,
  taxes: Parameters<typeof postings.invoiceIssued>[0]['taxes'],
): NewTransaction {
  const issued = postings.invoiceIssued({ customerId: userId, netCents, taxes })
  const event = { kind: 'invoice_issued', postings: issued }
  return { tenantId, event, eventId: id, key: `invoice:${id}`, currency }
}

/**
 * Records money on a locked, numbered invoice; the caller posts it. If nothing is due any more, the
 * invoice is paid and `invoicePaid` is emitted, once per settlement (R3.2).
 */
export async function settle(
  tx: Tx,
  invoice: InvoiceRow,
  amountCents: InvoiceRow['paidCents'],
  now: Instant,
): Promise<InvoiceRow> {
  const { invoice: after, settled } = withPayment(invoice, amountCents)
  const { status, paidCents } = after
  const changes = { status, paidCents, ...(settled && { paidAt: now }) }
  const saved = await updateInvoice(tx, invoice, changes, now)
  if (settled) {
    const orderId = saved.kind === 'checkout' ? saved.reference : null
    inPurchase(tx, orderId ?? saved.id)
    await emit(tx, invoicePaid, eventOf(saved))
  }
  return saved
}

/**
 * Ends an open invoice on which nothing was paid: credit set aside for it is freed, and a numbered one is
 * credited in full (R3.2). Throws 404, or 409 once money has come in.
 */
export async function voidInvoice(
  tx: Tx,
  key: InvoiceKey,
  reason: Reason,
  now: Instant,
): Promise<InvoiceRow> {
  const invoice = await lockInvoice(tx, key)
  if (!invoice) throw notFound('Invoice')
  assertOwnDocument(invoice)
  const numbered = invoice.number !== null
  const { status, creditedCents } = voided(invoice, { numbered })
  if (numbered) await issueCreditNote(tx, invoice, { amountCents: invoice.totalCents, reason }, now)
  await releaseHeld(tx, invoice, now)
  const changes = { status, creditedCents, voidReason: reasonForStaff(reason), voidedAt: now }
  const saved = await updateInvoice(tx, invoice, { ...changes, heldCreditCents: cents(0) }, now)
  await emit(tx, invoiceVoided, eventOf(saved))
  return saved
}

/**
 * Gives up what is due on an open invoice; it may still be paid later (R3.2). Throws 404, 409 for one that
 * is not open, and for a purchase of credit, which nobody owes.
 */
export async function writeOffInvoice(tx: Tx, key: InvoiceKey, now: Instant): Promise<InvoiceRow> {
  const invoice = await lockInvoice(tx, key)
  if (!invoice) throw notFound('Invoice')
  if (invoice.kind === 'top_up') {
    throw conflict('A top-up that was not paid is no debt. Void it instead.', 'top_up_not_owed')
  }
  const status = statusAfter(invoice, 'write_off')
  const issued = await numberInvoice(tx, invoice, now)
  await releaseHeld(tx, issued, now)
  await postWriteOff(tx, issued, { amountCents: dueCents(issued), recovered: false }, now)
  const heldCreditCents = cents(0)
  return updateInvoice(tx, issued, { status, heldCreditCents, writtenOffAt: now }, now)
}

/**
 * Books that part of what is due is given up or, if money for it came after all, is owed again (R5.2). The
 * caller has locked the invoice, so a new key is enough.
 */
export async function postWriteOff(
  tx: Tx,
  { tenantId, id, userId, currency }: InvoiceRow,
  { amountCents, recovered }: { amountCents: Cents; recovered: boolean },
  now: Instant,
): Promise<void> {
  const amount = { customerId: userId, amountCents }
  const event = recovered
    ? { kind: 'write_off_recovered', postings: postings.writeOffRecovered(amount) }
    : { kind: 'written_off', postings: postings.writtenOff(amount) }
  await post(tx, { tenantId, event, eventId: id, key: `write-off:${newId()}`, currency }, now)
}

/**
 * Money of a locked invoice was taken back from us: it is due again, or written off with the rest of an
 * invoice that was given up (R3.10). The caller posts where the money went.
 */
export async function reverse(
  tx: Tx,
  invoice: InvoiceRow,
  amountCents: Cents,
  now: Instant,
): Promise<InvoiceRow> {
  const { reversedCents, status } = withReversal(invoice, amountCents)
  if (status === 'uncollectible') {
    await postWriteOff(tx, invoice, { amountCents, recovered: false }, now)
  }
  return updateInvoice(tx, invoice, { reversedCents, status }, now)
}

/** Frees the credit that was set aside for an invoice; the caller writes the invoice. */
export async function releaseHeld(tx: Tx, invoice: InvoiceRow, now: Instant): Promise<void> {
  const { tenantId, id, userId, currency, heldCreditCents: amountCents } = invoice
  if (amountCents === 0) return
  const released = postings.creditReleased({ customerId: userId, amountCents })
  const event = { kind: 'credit_released', postings: released }
  await post(tx, { tenantId, event, eventId: id, key: `release:${newId()}`, currency }, now)
}

export function eventOf({ tenantId, id, userId, kind, reference }: InvoiceRow) {
  return { tenantId, invoiceId: id, userId, kind, reference }
}
