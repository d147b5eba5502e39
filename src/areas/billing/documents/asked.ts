import { notFound } from '#lib/problem.ts'
import type { CreditNoteRow } from '../credit-notes/queries.ts'
import { assertOwnDocument } from '../imported/rules.ts'
import type { InvoiceRow } from '../invoices/queries.ts'
import { printedKindOf } from './content.ts'
import type { DocumentFormat, DocumentKey } from './queries.ts'
import { assertElectronic, assertKept, documentKindOf } from './rules.ts'

/** A requested document: the caller may see it, and it can be made. */
export type Asked = {
  readonly key: DocumentKey
  readonly format: DocumentFormat
  /** The file's name without its extension: the number of the document. */
  readonly name: string
}

/**
 * The document of an invoice in a format. Throws 404 for an unknown invoice, 409 for one without this kind of
 * document, 410 after its retention period.
 */
export function askedInvoice(invoice: InvoiceRow | undefined, format: DocumentFormat): Asked {
  if (!invoice) throw notFound('Invoice')
  assertOwnDocument(invoice)
  assertKept(invoice)
  const { tenantId, id: sourceId, number } = invoice
  const kind = documentKindOf(invoice)
  if (format !== 'pdf') assertElectronic(printedKindOf(invoice), invoice.currency)
  return { key: { tenantId, kind, sourceId }, format, name: number ?? `pro-forma-${sourceId}` }
}

/**
 * The document of a credit note in a format. Throws 404 for an unknown credit note, 409 for one without this kind
 * of document, 410 after its retention period.
 */
export function askedCreditNote(note: CreditNoteRow | undefined, format: DocumentFormat): Asked {
  if (!note) throw notFound('Credit note')
  assertKept(note)
  const { tenantId, id: sourceId, number, currency } = note
  if (format !== 'pdf') assertElectronic('credit_note', currency)
  return { key: { tenantId, kind: 'credit_note', sourceId }, format, name: number }
}
