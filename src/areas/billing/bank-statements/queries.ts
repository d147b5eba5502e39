import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import type { AttemptRow } from '../attempts/queries.ts'
import type { InvoiceRow } from '../invoices/queries.ts'

export type StatementRow = Row<'billing.bank_statements'>
export type EntryRow = Row<'billing.bank_entries'>
export type EntryKey = Pick<EntryRow, 'tenantId' | 'id'>

export function insertStatement(tx: Tx, row: StatementRow): Promise<StatementRow> {
  return tx
    .insertInto('billing.bank_statements')
    .values(row)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateNewCount(
  tx: Tx,
  { tenantId, id }: EntryKey,
  newCount: number,
): Promise<StatementRow> {
  return tx
    .updateTable('billing.bank_statements')
    .set({ newCount })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Stores entries that no earlier file contained; returns how many those were. */
export async function insertEntries(tx: Tx, rows: readonly EntryRow[]): Promise<number> {
  if (rows.length === 0) return 0
  const inserted = await tx
    .insertInto('billing.bank_entries')
    .values([...rows])
    .onConflict((it) => it.columns(['tenantId', 'gatewayId', 'entryKey']).doNothing())
    .returning('id')
    .execute()
  return inserted.length
}

export function listStatements(db: Db, tenantId: string, page: PageQuery) {
  const query = db
    .selectFrom('billing.bank_statements')
    .selectAll()
    .where('tenantId', '=', tenantId)
  return pageOf(query, page)
}

export function findStatement(db: Db, { tenantId, id }: EntryKey) {
  return db
    .selectFrom('billing.bank_statements')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

type Filter = { status?: EntryRow['state']; gatewayId?: string; statementId?: string }

/** Entries, newest first. */
export function listEntries(
  db: Db,
  tenantId: string,
  { status, gatewayId, statementId, ...page }: PageQuery & Filter,
) {
  let query = db.selectFrom('billing.bank_entries').selectAll().where('tenantId', '=', tenantId)
  if (status) query = query.where('state', '=', status)
  if (gatewayId) query = query.where('gatewayId', '=', gatewayId)
  if (statementId) query = query.where('statementId', '=', statementId)
  return pageOf(query, page)
}

export function findEntry(db: Db, { tenantId, id }: EntryKey) {
  return db
    .selectFrom('billing.bank_entries')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function lockEntry(tx: Tx, { tenantId, id }: EntryKey) {
  return tx
    .selectFrom('billing.bank_entries')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Entries of a statement that were not matched yet. */
export function listNewEntries(
  db: Db,
  { tenantId, statementId }: { tenantId: string; statementId: string },
  limit: number,
) {
  return db
    .selectFrom('billing.bank_entries')
    .select(['tenantId', 'id'])
    .where('tenantId', '=', tenantId)
    .where('statementId', '=', statementId)
    .where('state', '=', 'new')
    .orderBy('id')
    .limit(limit)
    .execute()
}

type EntryChange = Partial<
  Pick<EntryRow, 'state' | 'paymentId' | 'userId' | 'note' | 'settledAt' | 'settledBy'>
>

export function updateEntry(
  tx: Tx,
  { tenantId, id }: EntryKey,
  change: EntryChange,
): Promise<EntryRow> {
  return tx
    .updateTable('billing.bank_entries')
    .set(change)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The attempts in which customers were given these references, newest first. */
export function listAttemptsNamed(
  db: Db,
  { tenantId, gatewayId }: Pick<EntryRow, 'tenantId' | 'gatewayId'>,
  references: readonly string[],
  limit: number,
): Promise<AttemptRow[]> {
  return db
    .selectFrom('billing.payment_attempts')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('gatewayId', '=', gatewayId)
    .where('checkoutId', 'in', [...references])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

type Named = Pick<EntryRow, 'tenantId' | 'currency'> & { limit: number }

/** The invoices that one of these references pays. */
export function listInvoicesReferenced(
  db: Db,
  references: readonly string[],
  { tenantId, currency, limit }: Named,
): Promise<InvoiceRow[]> {
  return db
    .selectFrom('billing.invoices')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('transferReference', 'in', [...references])
    .where('currency', '=', currency)
    .where('status', '!=', 'draft')
    .limit(limit)
    .execute()
}

/** The open invoices that have one of these numbers. */
export function listOpenNumbered(
  db: Db,
  numbers: readonly string[],
  { tenantId, currency, limit }: Named,
): Promise<InvoiceRow[]> {
  return db
    .selectFrom('billing.invoices')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('number', '=', sql<string>`any(${[...numbers]}::text[])`)
    .where('currency', '=', currency)
    .where('status', '=', 'open')
    .limit(limit)
    .execute()
}

type Wanted = Pick<EntryRow, 'tenantId' | 'amountCents' | 'currency'> & {
  numbers: readonly string[]
}

/** Open invoices that have one of these numbers, and those with exactly this amount. */
export async function listLikelyInvoices(
  db: Db,
  { tenantId, amountCents, currency, numbers }: Wanted,
  limit: number,
): Promise<InvoiceRow[]> {
  const open = () =>
    db
      .selectFrom('billing.invoices')
      .selectAll()
      .where('tenantId', '=', tenantId)
      .where('status', '=', 'open')
      .where('currency', '=', currency)
      .limit(limit)
  const named =
    numbers.length > 0
      ? await open()
          .where('number', '=', sql<string>`any(${[...numbers]}::text[])`)
          .execute()
      : []
  const alike = await open().where('totalCents', '=', amountCents).orderBy('id').execute()
  const known = new Set(named.map(({ id }) => id))
  return [...named, ...alike.filter(({ id }) => !known.has(id))]
}

/** A user's bank transfers, newest first. */
export function listEntriesOf(db: Db, { tenantId, userId }: UserKey, limit: number) {
  return db
    .selectFrom('billing.bank_entries')
    .select(['id', 'bookedOn', 'amountCents', 'currency'])
    .select(['payerName', 'payerIban', 'remittance', 'bankReference'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Deletes who paid and what they wrote; that money came, and when, is kept. */
export async function forgetPayer(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .updateTable('billing.bank_entries')
    .set({ payerName: null, payerIban: null, remittance: null, note: null })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

/** Likewise for entries that nobody could assign, once they are old; returns how many. */
export async function forgetUnknownPayers(tx: Tx, before: Instant, limit: number): Promise<number> {
  const rows = await tx
    .updateTable('billing.bank_entries')
    .set({ payerName: null, payerIban: null, remittance: null, note: null })
    .where((it) =>
      it(
        it.refTuple('tenantId', 'id'),
        'in',
        it
          .selectFrom('billing.bank_entries')
          .select(['tenantId', 'id'])
          .where('state', '=', 'dismissed')
          .where('settledAt', '<', before)
          .where((or) =>
            or.or([
              or('payerName', 'is not', null),
              or('payerIban', 'is not', null),
              or('remittance', 'is not', null),
            ]),
          )
          .limit(limit)
          .$asTuple('tenantId', 'id'),
      ),
    )
    .returning('id')
    .execute()
  return rows.length
}
