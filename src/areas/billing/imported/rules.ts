import { conflict } from '#lib/problem.ts'
import type { InvoiceRow } from '../invoices/queries.ts'

/**
 * Throws 409 for an invoice of another system: its document, and any correction of it, belongs to
 * that system. What is still due on it can be paid or given up in this shop.
 */
export function assertOwnDocument({ imported }: Pick<InvoiceRow, 'imported'>): void {
  if (imported === null) return
  throw conflict(
    'This invoice was written by another system and stays as it is.',
    'invoice_imported',
  )
}
