import { conflict, gone } from '#lib/problem.ts'
import type { InvoiceRow } from '../invoices/queries.ts'
import { hasElectronicForm, type PrintedKind } from './content.ts'
import type { DocumentRow } from './queries.ts'

/**
 * Which document an invoice has: its own once it has a number, a pro forma before that (R3.4). Throws
 * 409 for a draft, for a pro forma that was given up, and for a free trial.
 */
export function documentKindOf({
  status,
  number,
}: Pick<InvoiceRow, 'status' | 'number'>): DocumentRow['kind'] {
  if (number !== null) return 'invoice'
  if (status === 'draft') {
    throw conflict('A draft has no document. It gets one when it is issued.', 'invoice_draft')
  }
  if (status === 'void') {
    throw conflict('This invoice was canceled before it had a number.', 'invoice_void')
  }
  if (status === 'paid') {
    const message = 'A free trial has no document. The first paid period gets an invoice.'
    throw conflict(message, 'invoice_of_trial')
  }
  return 'pro_forma'
}

/** Throws 410 once the law no longer requires the document and its buyer is anonymized (R8.3). */
export function assertKept({ anonymizedAt }: Pick<InvoiceRow, 'anonymizedAt'>): void {
  if (anonymizedAt)
    throw gone('This document was deleted at the end of its statutory retention period.')
}

/**
 * Throws 409 for a document without an e-invoice: a pro forma, a receipt for purchased credit (no tax
 * arises, R2.9), an amount in a currency with three decimals (EN 16931 allows two).
 */
export function assertElectronic(kind: PrintedKind, currency: string): void {
  if (hasElectronicForm(kind, currency)) return
  const message =
    kind === 'pro_forma'
      ? 'A pro forma has no e-invoice. The invoice gets one with its number.'
      : 'There is no e-invoice of this document.'
  throw conflict(message, 'no_e_invoice')
}
