import { sql } from 'kysely'
import type { Cents } from '#lib/money.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import { type ListQuery, listOf, type PageQuery, pageOf } from '#platform/page.ts'

export type CreditNoteRow = Row<'billing.credit_notes'>
export type CreditNoteLineRow = Row<'billing.credit_note_lines'>

export async function insertCreditNote(
  tx: Tx,
  { seller, buyer, mentions, reasonFacts, ...row }: Omit<CreditNoteRow, 'anonymizedAt'>,
  lines: readonly CreditNoteLineRow[],
): Promise<CreditNoteRow> {
  const jsons = { seller: json(seller), buyer: json(buyer), mentions: json(mentions) }
  const facts = reasonFacts && json(reasonFacts)
  const inserted = await tx
    .insertInto('billing.credit_notes')
    .values({ ...row, ...jsons, reasonFacts: facts })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('billing.credit_note_lines')
    .values([...lines])
    .execute()
  return inserted
}

/** The gross amount of each tax group of an invoice that is already credited. */
export function listCredited(db: Db, tenantId: string, invoiceId: string) {
  return db
    .selectFrom('billing.credit_note_lines as line')
    .innerJoin('billing.credit_notes as note', (join) =>
      join.onRef('note.tenantId', '=', 'line.tenantId').onRef('note.id', '=', 'line.creditNoteId'),
    )
    .select(['line.category', 'line.rateBasisPoints', 'line.country'])
    .select(sql<Cents>`sum(line.total_cents)::bigint`.as('creditedCents'))
    .where('note.tenantId', '=', tenantId)
    .where('note.invoiceId', '=', invoiceId)
    .groupBy(['line.category', 'line.rateBasisPoints', 'line.country'])
    .execute()
}

type Owner = { tenantId: string; userId: string }

export function findOwnCreditNote(db: Db, { tenantId, userId }: Owner, id: string) {
  return db
    .selectFrom('billing.credit_notes')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function findCreditNote(db: Db, tenantId: string, id: string) {
  return db
    .selectFrom('billing.credit_notes')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Credit notes of one customer, newest first, optionally of one invoice. */
export function listCreditNotesOf(
  db: Db,
  { tenantId, userId }: Owner,
  { invoiceId, ...page }: PageQuery & { invoiceId?: string },
) {
  const query = db
    .selectFrom('billing.credit_notes')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .$if(invoiceId !== undefined, (it) => it.where('invoiceId', '=', invoiceId ?? ''))
  return pageOf(query, page)
}

type Filters = { userId?: string; invoiceId?: string; number?: string }

/** Credit notes of a tenant, optionally of one customer or invoice. */
export function listCreditNotes(
  db: Db,
  tenantId: string,
  { userId, invoiceId, number, ...page }: ListQuery & Filters,
) {
  let query = db.selectFrom('billing.credit_notes').selectAll().where('tenantId', '=', tenantId)
  if (userId) query = query.where('userId', '=', userId)
  if (invoiceId) query = query.where('invoiceId', '=', invoiceId)
  if (number) query = query.where('number', '=', number)
  return listOf(db, query, page)
}

/** The credit notes on an invoice, oldest first. */
export function listNotesOfInvoice(db: Db, tenantId: string, invoiceId: string) {
  return db
    .selectFrom('billing.credit_notes')
    .select(['id', 'number', 'totalCents', 'currency', 'issuedAt'])
    .where('tenantId', '=', tenantId)
    .where('invoiceId', '=', invoiceId)
    .orderBy('id')
    .execute()
}

export async function linesOfNotes(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<CreditNoteLineRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('billing.credit_note_lines')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('creditNoteId', 'in', [...ids])
    .orderBy('creditNoteId')
    .orderBy('position')
    .execute()
}
