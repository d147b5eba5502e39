import { sql } from 'kysely'
import type { Cents } from '#lib/money.ts'
import { type Db, read } from '#platform/database/index.ts'

/**
 * A break in a series: numbers that no document has, a number beyond the last one given, or a document
 * dated before its predecessor (R3.3). `to` is the last number of the break.
 */
export type NumberGap = {
  readonly code: string
  readonly year: number
  readonly from: number
  readonly to: number
  readonly kind: 'missing' | 'not_given' | 'dated_back'
}

/** The breaks in a tenant's series of invoices and credit notes: always none. */
export function listNumberGaps(db: Db, tenantId: string): Promise<NumberGap[]> {
  return read(db, NUMBER_GAPS, [tenantId])
}

const NUMBER_GAPS = `
    with documents as (
      select number, issued_at from billing.invoices
      where tenant_id = $1 and number is not null and imported is null
      union all
      select number, issued_at from billing.credit_notes where tenant_id = $1
    ), placed as (
      select substring(number from '^(.*)-[0-9]{4}-[0-9]+$') as code,
        substring(number from '-([0-9]{4})-[0-9]+$')::integer as year,
        substring(number from '-([0-9]+)$')::bigint as place, issued_at
      from documents
    ), series as (
      select code, year, next_sequence::bigint as next_place from billing.invoice_series
      where tenant_id = $1
    ), steps as (
      select code, year, place, issued_at,
        lag(place, 1, 0::bigint) over running as place_before,
        lag(issued_at) over running as issued_before
      from (
        select placed.code, placed.year, placed.place, placed.issued_at from placed
        join series using (code, year)
        union all
        select code, year, next_place, null from series
      ) as every_step
      window running as (partition by code, year order by place, issued_at nulls last)
    )
    select code, year, (place_before + 1)::integer as "from", (place - 1)::integer as "to",
      'missing' as kind
    from steps where place > place_before + 1
    union all
    select code, year, place::integer, place::integer, 'dated_back'
    from steps where issued_at < issued_before
    union all
    select placed.code, placed.year, placed.place::integer, placed.place::integer, 'not_given'
    from placed join series using (code, year) where placed.place >= series.next_place
    order by 1, 2, 3
  `

/** A customer whose receivable in the books differs from what is due on their invoices. */
export type WrongReceivable = {
  readonly userId: string
  readonly currency: string
  readonly dueCents: Cents
  readonly bookedCents: Cents
}

/**
 * Customers whose receivable differs from what is due on their numbered open invoices: always none.
 */
export function listWrongReceivables(db: Db, tenantId: string): Promise<WrongReceivable[]> {
  return read(db, WRONG_RECEIVABLES, [tenantId])
}

const WRONG_RECEIVABLES = `
    with due as (
      select user_id, currency,
        sum(total_cents - credited_cents - (paid_cents - refunded_cents - reversed_cents)) as cents
      from billing.invoices
      where tenant_id = $1 and number is not null and status = 'open'
        and kind <> 'top_up'
      group by user_id, currency
    ), booked as (
      select account.owner_id as user_id, balance.currency, balance.balance_cents as cents
      from ledger.accounts as account
      join ledger.balances as balance
        on balance.tenant_id = account.tenant_id and balance.account_id = account.id
      where account.tenant_id = $1 and account.code like 'receivable:%'
    )
    select coalesce(due.user_id, booked.user_id) as "userId",
      coalesce(due.currency, booked.currency) as "currency",
      coalesce(due.cents, 0)::bigint as "dueCents",
      coalesce(booked.cents, 0)::bigint as "bookedCents"
    from due full join booked on booked.user_id = due.user_id and booked.currency = due.currency
    where coalesce(due.cents, 0) <> coalesce(booked.cents, 0)
    order by 1, 2
  `

/** An invoice whose amount owed differs from the sum of its recorded changes. */
export type WrongDue = {
  readonly number: string | null
  readonly dueCents: Cents
  readonly notedCents: Cents
}

/** Invoices whose recorded changes do not add up to what is owed on them: always none. */
export function listWrongDues(db: Db, tenantId: string): Promise<WrongDue[]> {
  return read(db, WRONG_DUES, [tenantId])
}

const WRONG_DUES = `
    with noted as (
      select invoice_id, sum(change_cents)::bigint as cents
      from billing.dues where tenant_id = $1 group by invoice_id
    ), owed as (
      select id, number,
        case when status = 'open' and number is not null and kind <> 'top_up'
          then total_cents - credited_cents - (paid_cents - refunded_cents - reversed_cents)
          else 0 end as cents
      from billing.invoices where tenant_id = $1
    )
    select owed.number, owed.cents as "dueCents", coalesce(noted.cents, 0) as "notedCents"
    from owed left join noted on noted.invoice_id = owed.id
    where owed.cents <> coalesce(noted.cents, 0)
    order by owed.id
  `

/** Invoices whose credited amount is not what their credit notes add up to: always none. */
export function listWrongCredited(db: Db, tenantId: string) {
  return (
    db
      .selectFrom('billing.invoices as invoice')
      .leftJoin('billing.credit_notes as note', (join) =>
        join
          .onRef('note.tenantId', '=', 'invoice.tenantId')
          .onRef('note.invoiceId', '=', 'invoice.id'),
      )
      .select(['invoice.id', 'invoice.number', 'invoice.creditedCents'])
      .select(sql<Cents>`coalesce(sum(note.total_cents), 0)::bigint`.as('notesCents'))
      .where('invoice.tenantId', '=', tenantId)
      // Imported invoices have their credit notes in the other system.
      .where('invoice.imported', 'is', null)
      .groupBy(['invoice.id', 'invoice.number', 'invoice.creditedCents'])
      .having(sql<boolean>`invoice.credited_cents <> coalesce(sum(note.total_cents), 0)`)
      .execute()
  )
}

/** Numbered invoices in the order of their ids, from the one after `after`. */
export function listNumbered(
  db: Db,
  { tenantId, after }: { tenantId: string; after: string | null },
  limit: number,
) {
  const query = db
    .selectFrom('billing.invoices')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('number', 'is not', null)
    .orderBy('id')
    .limit(limit)
  return (after === null ? query : query.where('id', '>', after)).execute()
}

/** Credit notes in the order of their ids, from the one after `after`. */
export function listNotes(
  db: Db,
  { tenantId, after }: { tenantId: string; after: string | null },
  limit: number,
) {
  const query = db
    .selectFrom('billing.credit_notes')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .orderBy('id')
    .limit(limit)
  return (after === null ? query : query.where('id', '>', after)).execute()
}
