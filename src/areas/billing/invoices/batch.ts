import { postAll } from '#ledger'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emitAll } from '#platform/events.ts'
import { taxSettings } from '#store'
import { issuerOf, type Seller, settingsOf } from '#tenants'
import { type BillingProfile, billingProfilesOf, lastVatChecks } from '#users'
import { requestDocuments } from '../documents/actions.ts'
import { invoiceIssued, invoicePaid } from '../events.ts'
import { referenceOf } from '../gateways/bank-transfer/reference.ts'
import { billingSettings } from '../settings.ts'
import { eventOf, isNumberedAtOnce, issueOf, type NewInvoice, seriesIn } from './actions.ts'
import { invoiceHash } from './content.ts'
import { rowsOf, statementOf } from './document.ts'
import { evidenceOn, needsVatCheck } from './evidence.ts'
import {
  type InvoiceParts,
  type InvoiceRow,
  insertInvoices,
  lastPaymentCountries,
} from './queries.ts'
import { assertIssuable } from './rules.ts'
import { type Place, takeNumbers } from './series.ts'
import { withPayment } from './settlement.ts'

/** An invoice of a kind that needs no decision by the customer. */
export type NewIssued = Omit<NewInvoice, 'tenantId' | 'kind' | 'series' | 'draftLines'> & {
  readonly kind: 'renewal' | 'manual'
}

type Written = { row: InvoiceRow; parts: InvoiceParts }

/**
 * Creates invoices of one tenant as `openInvoice` creates each, with as many statements as for a
 * single one; those that are numbered at once get their numbers in the given order. The series and
 * the books are locked last and until the transaction ends. Throws 404 for an unknown customer, 422
 * without lines or below 0, 409 `shop_not_ready` while the seller's details are incomplete; then no
 * invoice is created.
 */
export async function openInvoices(
  tx: Tx,
  tenantId: string,
  wanted: readonly NewIssued[],
  now: Instant,
): Promise<InvoiceRow[]> {
  if (wanted.length === 0) return []
  const facts = await factsFor(tx, tenantId, wanted)
  const open = wanted.map((it) => opened(tenantId, it, facts, now))
  const settings = await settingsOf(tx, tenantId, billingSettings)
  const seriesOf = ({ row }: Written) => seriesIn(settings, row)
  const toNumber = open.filter(({ row }) => isNumberedAtOnce(settings, row))
  const evidence = await evidenceFor(tx, tenantId, toNumber)
  const places = await placesFor(tx, tenantId, Map.groupBy(toNumber, seriesOf), now)
  const issued = open.map((it) => {
    const place = places.get(it.row.id)
    return place ? { ...it, row: numbered(it, place, evidence(it.row)) } : it
  })
  const rows = issued.map(({ row }) => row)
  await insertInvoices(tx, rows, {
    lines: issued.flatMap(({ parts }) => parts.lines),
    taxes: issued.flatMap(({ parts }) => parts.taxes),
  })
  const withNumber = issued.filter(({ row }) => row.number !== null)
  const transactions = withNumber.map(({ row, parts }) => issueOf(row, parts.taxes))
  await postAll(tx, transactions, now)
  const ids = withNumber.map(({ row }) => row.id)
  await requestDocuments(tx, tenantId, ids, now)
  await emitAll(
    tx,
    invoiceIssued,
    withNumber.map(({ row }) => eventOf(row)),
  )
  const paid = rows.filter(({ status }) => status === 'paid')
  await emitAll(tx, invoicePaid, paid.map(eventOf))
  return rows
}

type Facts = { seller: Seller; people: ReadonlyMap<string, BillingProfile> }

async function factsFor(tx: Tx, tenantId: string, wanted: readonly NewIssued[]): Promise<Facts> {
  const userIds = [...new Set(wanted.map(({ userId }) => userId))]
  const people = await billingProfilesOf(tx, tenantId, userIds)
  return { seller: await issuerOf(tx, tenantId, 'staff'), people }
}

/** Reads the customers' locations, and returns the part that is frozen with an invoice (R2.5). */
async function evidenceFor(tx: Tx, tenantId: string, invoices: readonly Written[]) {
  const rows = invoices.map(({ row }) => row)
  const idsOf = (some: readonly InvoiceRow[]) => [...new Set(some.map(({ userId }) => userId))]
  const { locationEvidenceThresholdPassed } = await settingsOf(tx, tenantId, taxSettings)
  const countries = await lastPaymentCountries(tx, tenantId, idsOf(rows))
  const checks = await lastVatChecks(tx, tenantId, idsOf(rows.filter(needsVatCheck)))
  return (row: InvoiceRow) =>
    evidenceOn(row, {
      paymentCountry: countries.get(row.userId) ?? null,
      vatCheck: needsVatCheck(row) ? checks.get(row.userId) : undefined,
      twoNeeded: locationEvidenceThresholdPassed,
    })
}

/** An invoice with all its content but its number, which it gets once its series is locked. */
function opened(
  tenantId: string,
  { userId, kind, reference, document, dueAt }: NewIssued,
  { seller, people }: Facts,
  now: Instant,
): Written {
  assertIssuable({ lineCount: document.lines.length, totalCents: document.totalCents })
  const profile = people.get(userId)
  if (!profile) throw notFound('User')
  const id = newId()
  const none = cents(0)
  const said = statementOf(document, { kind, seller, profile })
  const row: InvoiceRow = {
    ...{ tenantId, id, userId, kind, reference, status: 'open', number: null, series: null },
    ...{ ...said, evidence: null, evidenceConflict: false, contentHash: null },
    ...{ paidCents: none, creditedCents: none, refundedCents: none, reversedCents: none },
    ...{ heldCreditCents: none, disputed: false, draftLines: null, note: null, voidReason: null },
    ...{ createdAt: now, issuedAt: null, dueAt, paidAt: null, voidedAt: null, writtenOffAt: null },
    ...{ anonymizedAt: null, replacedBy: null, imported: null },
    transferReference: referenceOf(id),
    ...{ sourceSystem: null, sourceId: null, sourceFingerprint: null, targetFingerprint: null },
  }
  return { row, parts: rowsOf(document, { tenantId, invoiceId: id }) }
}

/** A number for each invoice; the series are locked in one order, so that no deadlock can occur. */
async function placesFor(
  tx: Tx,
  tenantId: string,
  bySeries: ReadonlyMap<string, readonly Written[]>,
  now: Instant,
): Promise<ReadonlyMap<string, Place>> {
  const places = new Map<string, Place>()
  for (const [code, those] of [...bySeries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const taken = await takeNumbers(tx, { tenantId, code }, those.length, now)
    for (const [index, place] of taken.entries()) {
      const invoice = those[index]
      if (invoice) places.set(invoice.row.id, place)
    }
  }
  return places
}

/** An invoice with its number; one with a total of 0 is paid with it (R3.9). */
function numbered(
  { row, parts }: Written,
  place: Place,
  evidence: Pick<InvoiceRow, 'evidence' | 'evidenceConflict'>,
): InvoiceRow {
  const located = { ...row, ...evidence }
  const contentHash = invoiceHash({ invoice: located, ...parts }, place)
  const issued = { ...located, ...place, contentHash }
  if (row.totalCents > 0) return issued
  return { ...issued, status: withPayment(row, cents(0)).invoice.status, paidAt: row.createdAt }
}
