import {
  type IssuedLine,
  type IssuedTax,
  listDocumentParties,
  listIssuedCreditNoteLines,
  listIssuedLines,
  listIssuedTaxes,
  numbersBehind,
} from '#billing'
import { type Booking, listBookings } from '#ledger'
import type { Instant } from '#lib/time.ts'
import { territoryOf } from '#lib/vat.ts'
import type { Db } from '#platform/database/index.ts'
import { inBatches } from '#platform/http/table.ts'
import type { BookedDocument, BookedGroup, Entry } from './entry.ts'

/** A shop and the time of an export, from an instant to another one, `to` excluded. */
export type Period = { readonly tenantId: string; readonly from: Instant; readonly to: Instant }

const BATCH = 1000
const DOCUMENTS = new Set(['invoice_issued', 'credit_note'])

/** The transactions of a period in one currency, in the order in which they were booked, in batches. */
export async function* entriesOf(
  db: Db,
  period: Period,
  currency: string,
): AsyncGenerator<readonly Entry[]> {
  for await (const bookings of whole(
    inBatches<Booking>(BATCH, (after) => listBookings(db, period, after, BATCH)),
  )) {
    const wanted = bookings.filter((it) => it.currency === currency)
    if (wanted.length > 0) yield entriesFrom(db, period.tenantId, wanted)
  }
}

/** The same bookings in batches that cut no transaction in two. */
async function* whole(batches: AsyncIterable<readonly Booking[]>) {
  let kept: readonly Booking[] = []
  for await (const rows of batches) {
    const all = [...kept, ...rows]
    const last = all.at(-1)?.transactionId
    const cut = all.findIndex(({ transactionId }) => transactionId === last)
    if (cut > 0) yield all.slice(0, cut)
    kept = all.slice(cut)
  }
  if (kept.length > 0) yield kept
}

async function entriesFrom(db: Db, tenantId: string, bookings: readonly Booking[]) {
  const events = [...new Set(bookings.map(({ eventId }) => eventId))]
  const issued = bookings.filter(({ kind }) => DOCUMENTS.has(kind)).map(({ eventId }) => eventId)
  const [numbers, documents] = await Promise.all([
    numbersBehind(db, tenantId, events),
    documentsOf(db, tenantId, [...new Set(issued)]),
  ])
  return [...Map.groupBy(bookings, ({ transactionId }) => transactionId)].map(
    ([id, rows]): Entry => {
      const [first] = rows
      if (!first) throw new Error(`The ledger transaction ${id} has no postings`)
      const { at, kind, currency, eventId } = first
      const postings = rows.map(({ account, amountCents }) => ({ account, amountCents }))
      const number = numbers.get(eventId) ?? null
      const document = DOCUMENTS.has(kind) ? (documents.get(eventId) ?? null) : null
      return { at, id, kind, currency, postings, number, document }
    },
  )
}

async function documentsOf(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, BookedDocument>> {
  if (ids.length === 0) return new Map()
  const [parties, taxes, lines, credited] = await Promise.all([
    listDocumentParties(db, tenantId, ids),
    listIssuedTaxes(db, tenantId, ids),
    listIssuedLines(db, tenantId, ids),
    listIssuedCreditNoteLines(db, tenantId, ids),
  ])
  const groups = Map.groupBy([...taxes, ...credited], ({ documentId }) => documentId)
  const sold = Map.groupBy(lines, ({ documentId }) => documentId)
  return new Map(
    parties.map(({ id, userId, dueAt, seller, buyer }) => {
      const { country, postcode } = seller
      const home = territoryOf({
        country: String(country),
        postcode: typeof postcode === 'string' ? postcode : null,
      }).country
      const own = sold.get(id) ?? []
      const booked = (groups.get(id) ?? []).map((group) => groupOf(group, own))
      const customer = buyer.company ?? buyer.name ?? ''
      return [
        id,
        { userId, customer, vatNumber: buyer.vatNumber ?? null, home, dueAt, groups: booked },
      ]
    }),
  )
}

function groupOf(group: IssuedTax, lines: readonly IssuedLine[]): BookedGroup {
  const { category, country, rateBasisPoints, netCents, taxCents } = group
  const first = lines.find(
    (line) =>
      line.category === category &&
      line.country === country &&
      line.rateBasisPoints === rateBasisPoints,
  )
  const sold = { product: first?.description ?? null, periodStart: first?.periodStart ?? null }
  return { category, country, rateBasisPoints, netCents, taxCents, ...sold }
}
