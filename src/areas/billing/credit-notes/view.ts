import type { CreditNoteLineRow, CreditNoteRow } from './queries.ts'

/** A credit note as its customer sees it. `lines` may include those of other notes. */
export function creditNoteView(row: CreditNoteRow, lines: readonly CreditNoteLineRow[]) {
  const { id, number, invoiceId, invoiceNumber, reason, currency } = row
  const { netCents, taxCents, totalCents, issuedAt, createdAt } = row
  const taxes = lines
    .filter(({ creditNoteId }) => creditNoteId === id)
    .map(({ category, rateBasisPoints, netCents: net, taxCents: tax }) => ({
      ...{ category, rateBasisPoints, netCents: net, taxCents: tax },
    }))
  return {
    ...{ id, number, invoiceId, invoiceNumber, reason, currency },
    ...{ netCents, taxCents, totalCents, taxes, issuedAt, createdAt },
  }
}
