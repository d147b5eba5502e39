import { post, postings } from '#ledger'
import { newId } from '#lib/id.ts'
import { type Cents, cents, sumCents } from '#lib/money.ts'
import { conflict } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Reason } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { settingsOf } from '#tenants'
import { requestDocument } from '../documents/actions.ts'
import { creditNoteIssued } from '../events.ts'
import { creditNoteHash } from '../invoices/content.ts'
import { type InvoiceRow, partsOf } from '../invoices/queries.ts'
import { takeNumber } from '../invoices/series.ts'
import { billingSettings } from '../settings.ts'
import { reasonIn } from '../texts.ts'
import { type CreditNoteRow, insertCreditNote, listCredited } from './queries.ts'
import { creditGroups } from './rules.ts'

/**
 * Numbers and posts a credit note over part of a locked invoice; the caller writes the amounts of
 * the invoice (R3.6). Throws 409 for an invoice without a number, 422 above what is left to credit.
 */
export async function issueCreditNote(
  tx: Tx,
  invoice: InvoiceRow,
  { amountCents, reason }: { amountCents: Cents; reason: Reason },
  now: Instant,
): Promise<CreditNoteRow> {
  const { tenantId, id: invoiceId, userId, currency } = invoice
  const { number: invoiceNumber, issuedAt: invoiceIssuedAt } = invoice
  if (invoiceNumber === null || invoiceIssuedAt === null) {
    throw conflict('An invoice without a number cannot be credited.', 'invoice_not_issued')
  }
  const groups = creditGroups(amountCents, await creditable(tx, invoice))
  const { creditNoteSeries: code } = await settingsOf(tx, tenantId, billingSettings)
  const place = await takeNumber(tx, { tenantId, code }, now)
  const id = newId()
  const { seller, buyer, mentions } = invoice
  const frozen = reasonIn(String(buyer.locale ?? 'en'), reason)
  const content = {
    ...{ id, invoiceId, userId, ...place, invoiceNumber, invoiceIssuedAt, currency },
    netCents: sumCents(groups.map((group) => group.netCents)),
    taxCents: sumCents(groups.map((group) => group.taxCents)),
    totalCents: sumCents(groups.map((group) => group.totalCents)),
    ...{ seller, buyer, mentions },
    reason: frozen.text,
  }
  const hash = creditNoteHash(content, groups)
  const lines = groups.map((group, position) => ({
    tenantId,
    creditNoteId: id,
    position,
    ...group,
  }))
  const { key: reasonKey, facts: reasonFacts } = frozen
  const why = { reasonKey, reasonFacts }
  const row = { ...content, ...why, tenantId, contentHash: hash, createdAt: now }
  const note = await insertCreditNote(tx, row, lines)
  const taken = postings.creditNoteIssued({
    customerId: userId,
    netCents: note.netCents,
    taxes: groups,
  })
  const event = { kind: 'credit_note', postings: taken, description: note.number }
  await post(tx, { tenantId, event, eventId: id, key: `credit-note:${id}`, currency }, now)
  await requestDocument(tx, { tenantId, kind: 'credit_note', sourceId: id }, now)
  await emit(tx, creditNoteIssued, { tenantId, userId, creditNoteId: id, invoiceId })
  return note
}

async function creditable(tx: Tx, { tenantId, id: invoiceId }: InvoiceRow) {
  const { taxes } = await partsOf(tx, { tenantId, invoiceId })
  const credited = await listCredited(tx, tenantId, invoiceId)
  return taxes.map(({ category, rateBasisPoints, country, netCents, taxCents }) => {
    const same = credited.find(
      (it) =>
        it.category === category &&
        it.rateBasisPoints === rateBasisPoints &&
        it.country === country,
    )
    const creditedCents = same?.creditedCents ?? cents(0)
    return { category, rateBasisPoints, country, netCents, taxCents, creditedCents }
  })
}
