import { type RawBuilder, sql } from 'kysely'
import { type Cents, cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { postWriteOff, writeOffInvoice } from '../invoices/actions.ts'
import { type InvoiceKey, lockInvoice, updateInvoice } from '../invoices/queries.ts'
import { dueCents, refundableCents } from '../invoices/rules.ts'
import {
  type ImportedCredit,
  type ImportedFrom,
  type ImportedInvoice,
  type ImportedLine,
  type ImportedPayment,
  insertImportedCredit,
  insertImportedInvoices,
  insertImportedLines,
  insertImportedPayments,
} from './queries.ts'
import { creditImported } from './refunds.ts'

/** Documents and payments of another system, each part as a query. */
export type ImportedDocuments = ImportedFrom & {
  readonly invoices: RawBuilder<ImportedInvoice>
  readonly lines: RawBuilder<ImportedLine>
  readonly payments: RawBuilder<ImportedPayment>
  readonly credit: RawBuilder<ImportedCredit>
}

/**
 * Stores the invoices, payments and credit of another system as they were in that system. Nobody is notified, nothing
 * is booked: what is still owed comes into the books as an opening balance.
 */
export async function importDocuments(
  tx: Tx,
  { invoices, lines, payments, credit, ...from }: ImportedDocuments,
  now: Instant,
): Promise<void> {
  await insertImportedInvoices(tx, from, invoices, now)
  await insertImportedLines(tx, from.tenantId, lines)
  await insertImportedPayments(tx, from, payments, now)
  await insertImportedCredit(tx, from, credit, now)
}

/** Stores payments of another system that arrive after the documents they are for. */
export function importPayments(
  tx: Tx,
  { rows, ...from }: ImportedFrom & { readonly rows: RawBuilder<ImportedPayment> },
  now: Instant,
): Promise<void> {
  return insertImportedPayments(tx, from, rows, now)
}

/** An amount of an imported invoice that is given up; `creditPaid` turns what was paid of it into credit. */
export type GivenUp = { readonly amountCents: Cents; readonly creditPaid: boolean }

/**
 * Gives up an amount of an open imported invoice, because no credit note of this shop can correct an imported document.
 * What is due of it is written off; what was paid of it becomes credit if the customer got nothing for it, and stays
 * paid otherwise. Does nothing for an invoice that is not open.
 */
export async function writeOffImported(
  tx: Tx,
  key: InvoiceKey,
  { amountCents, creditPaid }: GivenUp,
  now: Instant,
): Promise<void> {
  const invoice = await lockInvoice(tx, key)
  if (invoice?.status !== 'open' || amountCents <= 0) return
  const paidCents = Math.min(amountCents - dueCents(invoice), refundableCents(invoice))
  if (creditPaid && paidCents > 0) {
    await creditImported(tx, key, { amountCents: cents(paidCents), heldToo: true }, now)
  }
  if (amountCents >= dueCents(invoice)) {
    await writeOffInvoice(tx, key, now)
    return
  }
  await postWriteOff(tx, invoice, { amountCents, recovered: false }, now)
  const creditedCents = cents(invoice.creditedCents + amountCents)
  await updateInvoice(tx, invoice, { creditedCents }, now)
}

/** Removes the documents, payments and credit history that an import has written. */
export async function removeImportedDocuments(
  tx: Tx,
  { tenantId, importId }: Omit<ImportedFrom, 'system'>,
): Promise<void> {
  await sql`select billing.remove_imported(${tenantId}::uuid, ${importId}::uuid)`.execute(tx)
}
