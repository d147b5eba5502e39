import { formatAmount } from '#lib/currency.ts'
import type { Db } from '#platform/database/index.ts'
import type { Files } from '#platform/files/index.ts'
import { linesOfNotes } from '../credit-notes/queries.ts'
import { creditNoteHash, invoiceHash } from '../invoices/content.ts'
import { partsOfAll } from '../invoices/queries.ts'
import { listWrongAccounts } from './accounts.ts'
import { missingFiles } from './files.ts'
import {
  listNotes,
  listNumbered,
  listNumberGaps,
  listWrongCredited,
  listWrongDues,
  listWrongReceivables,
  type NumberGap,
} from './queries.ts'

const BATCH = 500

/**
 * What is broken in a tenant's invoices: gaps in their numbers, documents that have changed since they
 * were issued, amounts that the books do not have, and files that are missing (R3.1, R3.3, R3.5).
 */
export async function* faults(
  db: Db,
  tenantId: string,
  files: Pick<Files, 'exists'>,
): AsyncIterable<string> {
  for (const gap of await listNumberGaps(db, tenantId)) yield gapText(gap)
  for (const { userId, currency, ...it } of await listWrongReceivables(db, tenantId)) {
    const [due, booked] = [it.dueCents, it.bookedCents].map((c) => formatAmount(c, currency))
    yield `Invoices of customer ${userId} say ${due} are due, the books say ${booked}.`
  }
  for (const { id, number, creditedCents, notesCents } of await listWrongCredited(db, tenantId)) {
    yield `Invoice ${number ?? id} says ${creditedCents} cents are credited, its notes ${notesCents}.`
  }
  for (const { number, dueCents, notedCents } of await listWrongDues(db, tenantId)) {
    yield `On invoice ${number} ${dueCents} cents are owed, what was noted adds up to ${notedCents}.`
  }
  for (const { code, currency, ...it } of await listWrongAccounts(db, tenantId)) {
    const [booked, made] = [it.bookedCents, it.madeCents].map((c) => formatAmount(c, currency))
    yield `Account ${code} stands at ${booked}, documents and payments make ${made}.`
  }
  yield* missingFiles(db, tenantId, files)
  yield* changedInvoices(db, tenantId)
  yield* changedNotes(db, tenantId)
}

async function* changedInvoices(db: Db, tenantId: string): AsyncIterable<string> {
  for await (const invoices of inBatches((after) => listNumbered(db, { tenantId, after }, BATCH))) {
    const parts = await partsOfAll(db, tenantId, idsOf(invoices))
    const lines = Map.groupBy(parts.lines, ({ invoiceId }) => invoiceId)
    const taxes = Map.groupBy(parts.taxes, ({ invoiceId }) => invoiceId)
    for (const invoice of invoices) {
      const { id, number, issuedAt, contentHash, anonymizedAt, imported } = invoice
      // Without its buyer a document has another hash; the law requires its removal (R8.3).
      if (number === null || issuedAt === null || anonymizedAt !== null) continue
      // A document of another system has no hash: this system never issued it.
      if (imported !== null) continue
      const content = { invoice, lines: lines.get(id) ?? [], taxes: taxes.get(id) ?? [] }
      if (contentHash && invoiceHash(content, { number, issuedAt }).equals(contentHash)) continue
      yield `Invoice ${number} does not say what it said when it was issued.`
    }
  }
}

async function* changedNotes(db: Db, tenantId: string): AsyncIterable<string> {
  for await (const notes of inBatches((after) => listNotes(db, { tenantId, after }, BATCH))) {
    const lines = await linesOfNotes(db, tenantId, idsOf(notes))
    for (const { tenantId: _, contentHash, createdAt: __, anonymizedAt, ...row } of notes) {
      if (anonymizedAt !== null) continue
      const { reasonKey: ___, reasonFacts: ____, ...content } = row
      const groups = lines
        .filter(({ creditNoteId }) => creditNoteId === content.id)
        .map(({ tenantId: _____, creditNoteId, position, ...group }) => group)
      if (creditNoteHash(content, groups).equals(contentHash)) continue
      yield `Credit note ${content.number} does not say what it said when it was issued.`
    }
  }
}

/** All rows of a list in the order of their ids, in batches. */
async function* inBatches<R extends { id: string }>(
  list: (after: string | null) => Promise<R[]>,
): AsyncIterable<R[]> {
  for (let after: string | null = null; ; ) {
    const rows: R[] = await list(after)
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) return
    after = rows.at(-1)?.id ?? null
  }
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id)
}

function gapText({ code, year, from, to, kind }: NumberGap): string {
  const which = from === to ? `number ${from}` : `numbers ${from} to ${to}`
  if (kind === 'missing') return `Series ${code}-${year} lacks ${which}.`
  if (kind === 'not_given') return `Series ${code}-${year} never gave ${which}, but it is in use.`
  return `Series ${code}-${year}: ${which} is dated before the one before it.`
}
