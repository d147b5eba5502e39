import {
  type BookedMoney,
  gatewayNames,
  type IssuedDocument,
  type IssuedLine,
  type IssuedTax,
  listBookedPayments,
  listBookedRefunds,
  listIssuedCreditNoteLines,
  listIssuedCreditNotes,
  listIssuedInvoices,
  listIssuedLines,
  listIssuedTaxes,
} from '#billing'
import { type Booking, listBookings } from '#ledger'
import { csvLine } from '#lib/csv.ts'
import { decimalText } from '#lib/currency.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import type { ArchivedFile } from '#platform/http/archive.ts'
import { inBatches } from '#platform/http/table.ts'

/** A shop and the time of an export, from an instant to another one, `to` excluded. */
export type Period = { readonly tenantId: string; readonly from: Instant; readonly to: Instant }

type Cell = string | number | null
type Cells = Readonly<Record<string, Cell>>

const BATCH = 1000

/** The documents, payments, refunds, fees and bookings of a period, each as a CSV file. */
export async function* tablesOf(db: Db, period: Period): AsyncGenerator<ArchivedFile> {
  const names = await gatewayNames(db, period.tenantId)
  const invoices = () =>
    inBatches<IssuedDocument>(BATCH, (after) => listIssuedInvoices(db, period, after, BATCH))
  const notes = () =>
    inBatches<IssuedDocument>(BATCH, (after) => listIssuedCreditNotes(db, period, after, BATCH))
  yield csvFile('invoices', mapped(invoices(), documentCells))
  yield csvFile(
    'invoice_lines',
    partsOf(invoices(), (ids) => listIssuedLines(db, period.tenantId, ids), lineCells),
  )
  yield csvFile(
    'invoice_taxes',
    partsOf<IssuedTax>(invoices(), (ids) => listIssuedTaxes(db, period.tenantId, ids), taxCells),
  )
  yield csvFile('credit_notes', mapped(notes(), documentCells))
  yield csvFile(
    'credit_note_lines',
    partsOf(notes(), (ids) => listIssuedCreditNoteLines(db, period.tenantId, ids), lineCells),
  )
  const payments = inBatches<BookedMoney>(BATCH, (after) =>
    listBookedPayments(db, period, after, BATCH),
  )
  yield csvFile(
    'payments',
    mapped(payments, (row) => paymentCells(row, names)),
  )
  const refunds = inBatches<BookedMoney>(BATCH, (after) =>
    listBookedRefunds(db, period, after, BATCH),
  )
  yield csvFile(
    'refunds',
    mapped(refunds, (row) => refundCells(row, names)),
  )
  const bookings = () =>
    inBatches<Booking>(BATCH, (after) => listBookings(db, period, after, BATCH))
  yield csvFile('fees', mapped(feesAmong(bookings()), feeCells))
  yield csvFile(
    'bookings',
    mapped(bookings(), (row) => bookingCells(row, names)),
  )
}

/** A CSV file of rows that all have the same columns; without rows it is empty. */
function csvFile(name: string, batches: AsyncIterable<readonly Cells[]>): ArchivedFile {
  async function* content() {
    let columns: string[] | null = null
    for await (const rows of batches) {
      const [first] = rows
      if (!first) continue
      if (columns === null) {
        columns = Object.keys(first)
        yield csvLine(columns)
      }
      const order = columns
      yield rows.map((row) => csvLine(order.map((column) => row[column] ?? null))).join('')
    }
  }
  return { path: `${name}.csv`, content: content() }
}

async function* mapped<R>(batches: AsyncIterable<readonly R[]>, cells: (row: R) => Cells) {
  for await (const rows of batches) yield rows.map(cells)
}

/** The parts of documents, read in batches, each with its document. */
async function* partsOf<P extends { readonly documentId: string }>(
  documents: AsyncIterable<readonly IssuedDocument[]>,
  list: (ids: readonly string[]) => Promise<readonly P[]>,
  cells: (document: IssuedDocument, part: P) => Cells,
) {
  for await (const batch of documents) {
    const parts = Map.groupBy(await list(batch.map(({ id }) => id)), ({ documentId }) => documentId)
    yield batch.flatMap((document) =>
      (parts.get(document.id) ?? []).map((part) => cells(document, part)),
    )
  }
}

async function* feesAmong(batches: AsyncIterable<readonly Booking[]>) {
  for await (const rows of batches) yield rows.filter(({ account }) => account === 'fees')
}

/** Amounts in cents and as decimal text: the first for spreadsheets, the second for people. */
function amounts(currency: string, ofCents: Readonly<Record<string, number | null>>): Cells {
  return Object.fromEntries(
    Object.entries(ofCents).flatMap(([name, value]) => [
      [`${name}Cents`, value],
      [name, value === null ? null : decimalText(value, currency)],
    ]),
  )
}

function documentCells(document: IssuedDocument): Cells {
  const { at, number, kind, invoiceNumber, reason, userId, buyer, currency } = document
  const { netCents: net, taxCents: tax, totalCents: total } = document
  return {
    ...{ number, kind, issuedAt: at, invoiceNumber, reason, customerId: userId },
    ...{ customer: buyer.name ?? null, company: buyer.company ?? null },
    ...{ country: buyer.country ?? null, vatNumber: buyer.vatNumber ?? null, currency },
    ...amounts(currency, { net, tax, total }),
  }
}

function lineCells({ number, kind, currency }: IssuedDocument, line: IssuedLine): Cells {
  const { position, description, quantity, category, country, rateBasisPoints } = line
  const { unitPriceCents: unitPrice, discountCents: discount } = line
  const { netCents: net, taxCents: tax, totalCents: total, periodStart, periodEnd } = line
  return {
    ...{ number, kind, position, description, quantity, periodStart, periodEnd },
    ...{ category, country, rateBasisPoints, currency },
    ...amounts(currency, { unitPrice, discount, net, tax, total }),
  }
}

function taxCells({ number, kind, currency }: IssuedDocument, group: IssuedTax): Cells {
  const { category, country, rateBasisPoints, netCents: net, taxCents: tax } = group
  const what = { number, kind, category, country, rateBasisPoints, currency }
  return { ...what, ...amounts(currency, { net, tax }) }
}

function moneyCells(row: BookedMoney, names: ReadonlyMap<string, string>): Cells {
  const { at, kind, userId, gatewayId, providerId, documents } = row
  return {
    ...{ bookedAt: at, kind, customerId: userId, gatewayId },
    ...{ gateway: names.get(gatewayId ?? '') ?? null, providerId },
    documents: documents.join(' '),
  }
}

function paymentCells(row: BookedMoney, names: ReadonlyMap<string, string>): Cells {
  const { paymentId, method, currency, amountCents: amount, feeCents: fee } = row
  const what = { paymentId, ...moneyCells(row, names), method, currency }
  return { ...what, ...amounts(currency, { amount, fee }) }
}

function refundCells(row: BookedMoney, names: ReadonlyMap<string, string>): Cells {
  const { refundId, paymentId, currency, amountCents: amount } = row
  const what = { refundId, paymentId, ...moneyCells(row, names), currency }
  return { ...what, ...amounts(currency, { amount }) }
}

function feeCells({ at, kind, eventId, currency, amountCents: amount }: Booking): Cells {
  return { bookedAt: at, kind, eventId, currency, ...amounts(currency, { amount }) }
}

function bookingCells(row: Booking, names: ReadonlyMap<string, string>): Cells {
  const { at, transactionId, kind, eventId, description, account, accountType, ownerId } = row
  const { currency, amountCents: amount } = row
  return {
    ...{ bookedAt: at, transactionId, kind, eventId, description, account, accountType },
    ...{ gateway: names.get(ownerId ?? '') ?? null, currency },
    ...amounts(currency, { amount }),
  }
}
