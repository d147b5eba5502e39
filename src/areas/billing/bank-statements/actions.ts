import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { badRequest, conflict, notFound, unprocessable } from '#lib/problem.ts'
import { type Instant, instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { sellerOf } from '#tenants'
import { findUser } from '#users'
import { invoiceIdsOf } from '../attempts/queries.ts'
import { findGateway } from '../gateways/queries.ts'
import { lockInvoice } from '../invoices/queries.ts'
import { dueCents } from '../invoices/rules.ts'
import { bookPayment } from '../payments/booking.ts'
import { findPaymentAtGateway, type PaymentRow } from '../payments/queries.ts'
import { matchEntries } from '../work.ts'
import { readCamt } from './camt.ts'
import { readCsv } from './csv.ts'
import { keysOf, type Statement, unreadable } from './entry.ts'
import {
  type EntryKey,
  type EntryRow,
  insertEntries,
  insertStatement,
  listAttemptsNamed,
  listInvoicesReferenced,
  listOpenNumbered,
  lockEntry,
  type StatementRow,
  updateEntry,
  updateNewCount,
} from './queries.ts'
import { assertAccount, assertAssignable, assertOpen, numbersIn, referencesIn } from './rules.ts'
import type { NewStatement } from './schema.ts'

const MOST_ENTRIES = 20_000
/** Rows of a statement per database query, which takes a limited number of values. */
const BATCH = 1000
const MOST_ATTEMPTS = 50
const ZERO = cents(0)

type Uploader = { readonly tenantId: string; readonly userId: string }

/**
 * Reads a bank's file. A long file takes seconds, so never call it within a transaction. Throws 404 for an unknown
 * gateway, 422 for one that takes no transfers, for a file that cannot be read and for one of another account.
 */
export async function readStatement(
  db: Db,
  tenantId: string,
  { gatewayId, ...file }: NewStatement,
): Promise<Statement> {
  const gateway = await findGateway(db, { tenantId, gatewayId })
  if (!gateway) throw notFound('Gateway')
  if (gateway.driver !== 'bank_transfer') {
    throw unprocessable('This gateway takes no bank transfers.', 'no_bank_transfers')
  }
  const { currency } = await sellerOf(db, tenantId)
  const statement = await contentOf(file, currency)
  assertAccount(statement.accounts, gateway.settings.iban)
  if (statement.entries.length > MOST_ENTRIES) {
    throw unreadable(`it has more than ${MOST_ENTRIES} entries; take a shorter time`)
  }
  return statement
}

/** Stores what came in by a bank statement, each entry once in all files, and has it matched. */
export async function storeStatement(
  tx: Tx,
  { tenantId, userId: createdBy }: Uploader,
  { gatewayId, format, fileName }: NewStatement,
  { statement, now }: { readonly statement: Statement; readonly now: Instant },
): Promise<StatementRow> {
  const id = newId()
  const kept = await insertStatement(tx, {
    ...{ tenantId, id, gatewayId, format, fileName: fileName ?? null, createdAt: now, createdBy },
    ...{ entryCount: statement.entries.length, newCount: 0, debitCount: statement.debits },
  })
  const newCount = await keepEntries(tx, kept, statement, now)
  if (newCount === 0) return kept
  await enqueue(tx, matchEntries, { tenantId, statementId: id })
  return updateNewCount(tx, kept, newCount)
}

async function contentOf(
  { format, content, csv }: Pick<NewStatement, 'format' | 'content' | 'csv'>,
  currency: string,
): Promise<Statement> {
  if (format === 'camt.053') return readCamt(content)
  if (csv) return readCsv(content, csv, currency)
  throw badRequest('csv is required for a CSV file.', [{ path: 'csv', message: 'is required' }])
}

async function keepEntries(
  tx: Tx,
  { tenantId, id: statementId, gatewayId }: StatementRow,
  { entries }: Statement,
  createdAt: Instant,
): Promise<number> {
  const keys = keysOf(entries)
  const rows = entries.map(
    (entry, index): EntryRow => ({
      ...{ tenantId, id: newId(), statementId, gatewayId, entryKey: keys[index] ?? '' },
      ...entry,
      ...{ state: 'new', paymentId: null, userId: null, note: null, createdAt },
      ...{ settledAt: null, settledBy: null },
    }),
  )
  let added = 0
  for (let from = 0; from < rows.length; from += BATCH) {
    added += await insertEntries(tx, rows.slice(from, from + BATCH))
  }
  return added
}

/**
 * Books an entry on the invoices whose reference the payer wrote, even if the amount is less or more than what is due,
 * or on the invoice whose number they wrote if the amount is exactly what is due; any other entry is left open for a
 * person. Running it twice does no harm.
 */
export async function matchEntry(tx: Tx, key: EntryKey, now: Instant): Promise<EntryRow | null> {
  const entry = await lockEntry(tx, key)
  if (entry?.state !== 'new') return null
  const byHand = await bookedByHand(tx, entry)
  if (byHand) return settleEntry(tx, entry, { payment: byHand, settledBy: null }, now)
  const target = await targetOf(tx, entry)
  const payment = target && (await bookEntry(tx, entry, target, now))
  if (!payment) return updateEntry(tx, entry, { state: 'open' })
  return settleEntry(tx, entry, { payment, settledBy: null }, now)
}

/** The payment that a person has already booked under the bank's id of this entry. */
async function bookedByHand(tx: Tx, entry: EntryRow): Promise<PaymentRow | undefined> {
  const { bankReference, amountCents, currency } = entry
  if (bankReference === null) return undefined
  const payment = await findPaymentAtGateway(tx, entry, bankReference)
  const same = payment?.receivedCents === amountCents && payment.currency === currency
  return same ? payment : undefined
}

type Target = { userId: string; invoiceIds: string[] }

/** The invoices that the payer named, by reference or else by number; null if that is uncertain. */
async function targetOf(tx: Tx, entry: EntryRow): Promise<Target | null> {
  const references = referencesIn(entry.remittance)
  const target =
    references.length > 0 ? await referenced(tx, entry, references) : await numbered(tx, entry)
  const user = target && (await findUser(tx, { tenantId: entry.tenantId, userId: target.userId }))
  return user && !user.deletedAt ? target : null
}

/** The invoices of these references; null if the references are not ours, or not all of one customer. */
async function referenced(
  tx: Tx,
  entry: EntryRow,
  references: readonly string[],
): Promise<Target | null> {
  const named = await listAttemptsNamed(tx, entry, references, MOST_ATTEMPTS)
  const attempts = named.filter(({ currency }) => currency === entry.currency)
  const place = { ...entry, limit: MOST_ATTEMPTS }
  const invoices = await listInvoicesReferenced(tx, references, place)
  const [userId, ...others] = new Set([...attempts, ...invoices].map((it) => it.userId))
  if (userId === undefined || others.length > 0) return null
  const exact = attempts.find(({ amountCents }) => amountCents === entry.amountCents)
  if (exact) return { userId, invoiceIds: await invoiceIdsOf(tx, exact) }
  const ids = new Set<string>()
  for (const attempt of attempts) for (const id of await invoiceIdsOf(tx, attempt)) ids.add(id)
  for (const { id } of invoices) ids.add(id)
  return ids.size > 0 ? { userId, invoiceIds: [...ids] } : null
}

/** The one open invoice whose number the payer wrote, if the amount is exactly what is due. */
async function numbered(tx: Tx, entry: EntryRow): Promise<Target | null> {
  const numbers = numbersIn(entry.remittance)
  if (numbers.length !== 1) return null
  const [invoice, another] = await listOpenNumbered(tx, numbers, { ...entry, limit: 2 })
  if (!invoice || another || dueCents(invoice) !== entry.amountCents) return null
  return { userId: invoice.userId, invoiceIds: [invoice.id] }
}

function bookEntry(
  tx: Tx,
  { tenantId, gatewayId, entryKey, amountCents, currency, bookedOn, payerIban }: EntryRow,
  { userId, invoiceIds }: Target,
  now: Instant,
): Promise<PaymentRow | null> {
  const booked = instant(`${bookedOn}T12:00:00Z`)
  return bookPayment(
    tx,
    {
      ...{ tenantId, userId, gatewayId, attemptId: null, providerPaymentId: entryKey },
      ...{ receivedCents: amountCents, currency, feeCents: ZERO },
      paidAt: booked < now ? booked : now,
      method: {
        ...{ methodKind: 'bank_transfer', methodBrand: null, fingerprint: null },
        methodLast4: payerIban?.slice(-4) ?? null,
      },
    },
    invoiceIds,
    now,
  )
}

function settleEntry(
  tx: Tx,
  entry: EntryRow,
  { payment, settledBy }: { payment: PaymentRow; settledBy: string | null },
  now: Instant,
): Promise<EntryRow> {
  const { id: paymentId, userId } = payment
  return updateEntry(tx, entry, { state: 'booked', paymentId, userId, settledAt: now, settledBy })
}

/**
 * Books an entry on the invoice that an administrator chose. Throws 404 for an unknown entry or invoice, 409 for a
 * booked entry and for a draft, 422 for another currency.
 */
export async function assignEntry(
  tx: Tx,
  { caller, id, invoiceId }: { caller: Uploader; id: string; invoiceId: string },
  now: Instant,
): Promise<EntryRow> {
  const { tenantId, userId: settledBy } = caller
  const entry = await lockEntry(tx, { tenantId, id })
  if (!entry) throw notFound('Bank entry')
  assertAssignable(entry)
  const invoice = await lockInvoice(tx, { tenantId, invoiceId })
  if (!invoice) throw notFound('Invoice')
  if (invoice.status === 'draft') {
    throw conflict('A draft cannot be paid. Issue it first.', 'invoice_draft')
  }
  if (invoice.currency !== entry.currency) {
    throw unprocessable('The invoice is in another currency.', 'currencies')
  }
  const target = { userId: invoice.userId, invoiceIds: [invoiceId] }
  const payment = await bookEntry(tx, entry, target, now)
  if (!payment) throw conflict('This entry is booked already.', 'entry_booked')
  return settleEntry(tx, entry, { payment, settledBy }, now)
}

/** Records that an entry pays none of our invoices. Throws 404, 409 once it is settled. */
export async function dismissEntry(
  tx: Tx,
  { caller, id, note }: { caller: Uploader; id: string; note: string },
  now: Instant,
): Promise<EntryRow> {
  const { tenantId, userId: settledBy } = caller
  const entry = await lockEntry(tx, { tenantId, id })
  if (!entry) throw notFound('Bank entry')
  assertOpen(entry)
  return updateEntry(tx, entry, { state: 'dismissed', note, settledAt: now, settledBy })
}
