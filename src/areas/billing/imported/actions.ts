import type { RawBuilder } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import {
  type ImportedCredit,
  type ImportedInvoice,
  type ImportedLine,
  type ImportedPayment,
  insertImportedCredit,
  insertImportedDues,
  insertImportedInvoices,
  insertImportedLines,
  insertImportedPayments,
} from './queries.ts'

/** Documents and money of another system, each part as a query. */
export type ImportedDocuments = {
  readonly tenantId: string
  readonly importId: string
  readonly invoices: RawBuilder<ImportedInvoice>
  readonly lines: RawBuilder<ImportedLine>
  readonly payments: RawBuilder<ImportedPayment>
  readonly credit: RawBuilder<ImportedCredit>
}

/**
 * Keeps the invoices, payments and credit of another system as they were there. Nobody is told, nothing
 * is booked: what is still owed comes into the books as an opening balance.
 */
export async function importDocuments(
  tx: Tx,
  { tenantId, importId, invoices, lines, payments, credit }: ImportedDocuments,
  now: Instant,
): Promise<void> {
  await insertImportedInvoices(tx, tenantId, invoices)
  await insertImportedDues(tx, { tenantId, importId }, now)
  await insertImportedLines(tx, tenantId, lines)
  await insertImportedPayments(tx, { tenantId, importId }, payments, now)
  await insertImportedCredit(tx, { tenantId, importId }, credit, now)
}
