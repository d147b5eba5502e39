import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isId } from '#lib/id.ts'
import type { Db } from '#platform/database/index.ts'
import { begins } from '#platform/search.ts'
import { type Hit, hit, MOST_HITS, type Wanted } from './hits.ts'

/** The spellings of a typed number: unchanged, and in capitals. */
function spellingsOf(q: string): string[] {
  return [...new Set([q, q.toUpperCase()])]
}

/** The most numbers with a prefix that a search reads, the last ones. */
const MOST_LOOKED_AT = 300

/** The ids of rows whose number begins with one of these; as an array, so that only these rows are read. */
function idsByNumber(
  table: RawBuilder<unknown>,
  tenantId: string,
  spellings: readonly string[],
): RawBuilder<unknown> {
  const each = spellings.map(
    (it) => sql`(select found.id from ${table} as found
      where found.tenant_id = ${tenantId} and ${begins(sql`found.number`, it)}
      order by found.number using ~>~ limit ${MOST_LOOKED_AT})`,
  )
  return sql`any(array(${sql.join(each, sql` union all `)}))`
}

/** Invoices by number, creditor reference or id. */
export async function findInvoices(db: Db, { tenantId, q }: Wanted): Promise<Hit[]> {
  const spellings = spellingsOf(q)
  const rows = await db
    .selectFrom('billing.invoices as invoice')
    .innerJoin('users.users as customer', (join) =>
      join
        .onRef('customer.tenantId', '=', 'invoice.tenantId')
        .onRef('customer.id', '=', 'invoice.userId'),
    )
    .select(['invoice.id', 'invoice.number', 'invoice.status', 'invoice.userId'])
    .select(['invoice.totalCents', 'invoice.currency', 'invoice.createdAt'])
    .select(['invoice.transferReference', 'customer.name as customerName'])
    .where('invoice.tenantId', '=', tenantId)
    .where(({ or, eb }) =>
      or([
        ...(isId(q) ? [eb('invoice.id', '=', q)] : []),
        eb('invoice.transferReference', '=', q.replaceAll(' ', '').toUpperCase()),
        eb('invoice.number', 'in', spellings),
        sql<SqlBool>`invoice.id = ${idsByNumber(sql`billing.invoices`, tenantId, spellings)}`,
      ]),
    )
    .orderBy(sql`invoice.number = ${spellings.at(-1)}`, 'desc')
    .orderBy('invoice.id', 'desc')
    .limit(MOST_HITS)
    .execute()
  return rows.map(({ number, totalCents: amountCents, transferReference, ...row }) =>
    hit({
      ...{ ...row, title: number ?? row.id, amountCents },
      exact:
        row.id === q ||
        spellings.includes(number ?? '') ||
        transferReference === q.replaceAll(' ', '').toUpperCase(),
    }),
  )
}

/** Credit notes by a prefix of their number, or by id. */
export async function findCreditNotes(db: Db, { tenantId, q }: Wanted): Promise<Hit[]> {
  const spellings = spellingsOf(q)
  const rows = await db
    .selectFrom('billing.credit_notes as note')
    .innerJoin('users.users as customer', (join) =>
      join
        .onRef('customer.tenantId', '=', 'note.tenantId')
        .onRef('customer.id', '=', 'note.userId'),
    )
    .select(['note.id', 'note.number', 'note.invoiceNumber', 'note.userId', 'note.totalCents'])
    .select(['note.currency', 'note.createdAt', 'customer.name as customerName'])
    .where('note.tenantId', '=', tenantId)
    .where(({ or, eb }) =>
      or([
        ...(isId(q) ? [eb('note.id', '=', q)] : []),
        eb('note.number', 'in', spellings),
        sql<SqlBool>`note.id = ${idsByNumber(sql`billing.credit_notes`, tenantId, spellings)}`,
      ]),
    )
    .orderBy(sql`note.number = ${spellings.at(-1)}`, 'desc')
    .orderBy('note.id', 'desc')
    .limit(MOST_HITS)
    .execute()
  return rows.map(({ number, invoiceNumber, totalCents: amountCents, ...row }) =>
    hit({
      ...{ ...row, title: number, detail: invoiceNumber, amountCents },
      exact: row.id === q || spellings.includes(number),
    }),
  )
}

/** Orders by number, with or without its letters, or by id. */
export async function findOrders(db: Db, { tenantId, q }: Wanted): Promise<Hit[]> {
  const number = /^\d+$/.test(q) ? `ORD-${q}` : q.toUpperCase()
  const rows = await db
    .selectFrom('orders.orders as order')
    .innerJoin('users.users as customer', (join) =>
      join
        .onRef('customer.tenantId', '=', 'order.tenantId')
        .onRef('customer.id', '=', 'order.userId'),
    )
    .select(['order.id', 'order.number', 'order.userId', 'order.totalCents', 'order.currency'])
    .select(['order.createdAt', 'order.paidAt', 'order.fulfilledAt', 'order.canceledAt'])
    .select(['customer.name as customerName'])
    .where('order.tenantId', '=', tenantId)
    .where(({ or, eb }) =>
      or([
        ...(isId(q) ? [eb('order.id', '=', q)] : []),
        eb('order.number', '=', number),
        sql<SqlBool>`"order".id = ${idsByNumber(sql`orders.orders`, tenantId, [number])}`,
      ]),
    )
    .orderBy(sql`"order".number = ${number}`, 'desc')
    .orderBy('order.id', 'desc')
    .limit(MOST_HITS)
    .execute()
  return rows.map(({ paidAt, fulfilledAt, canceledAt, totalCents: amountCents, ...row }) => {
    const paid = fulfilledAt ? 'fulfilled' : paidAt ? 'paid' : 'pending'
    return hit({
      ...{ id: row.id, title: row.number, userId: row.userId, customerName: row.customerName },
      ...{ amountCents, currency: row.currency, createdAt: row.createdAt },
      status: canceledAt ? 'canceled' : paid,
      exact: row.id === q || row.number === number,
    })
  })
}

/** Coupons by a prefix of their code, usable ones first. */
export async function findCoupons(db: Db, { tenantId, q }: Wanted): Promise<Hit[]> {
  const code = q.toUpperCase()
  const rows = await db
    .selectFrom('store.coupons as coupon')
    .select(['id', 'code', 'archivedAt', 'createdAt'])
    .where('tenantId', '=', tenantId)
    .where(({ or, eb }) =>
      or([...(isId(q) ? [eb('id', '=', q)] : []), begins(sql`coupon.code`, code)]),
    )
    .orderBy(sql`archived_at is null`, 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_HITS)
    .execute()
  return rows.map(({ code: title, archivedAt, ...row }) =>
    hit({
      ...{ ...row, title, status: archivedAt ? 'archived' : 'active' },
      exact: row.id === q || title === code,
    }),
  )
}
