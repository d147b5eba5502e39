import type { Cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { type Db, read } from '#platform/database/index.ts'

/** What is due on numbered open invoices, by days past the due date. */
export type AgedDue = {
  readonly currency: string
  readonly notDueCents: Cents
  readonly days1To30Cents: Cents
  readonly days31To60Cents: Cents
  readonly days61To90Cents: Cents
  readonly days91AndMoreCents: Cents
  readonly dueCents: Cents
  readonly invoices: number
}

export type AgedDueOfCustomer = AgedDue & {
  readonly userId: string
  readonly oldestDueAt: Instant | null
}

type At = { readonly tenantId: string; readonly at: Instant }

/** What all customers owed at an instant, the instant included, by currency and age. */
export function listAgedDue(db: Db, { tenantId, at }: At): Promise<AgedDue[]> {
  const text = `${SINCE} select currency, ${AGES} ${DUE} group by currency order by currency`
  return read(db, text, [tenantId, at])
}

/** Likewise for each customer and currency, in the order of their ids, after the given one. */
export function listAgedDueOfCustomers(
  db: Db,
  { tenantId, at }: At,
  { after, limit }: { after: { userId: string; currency: string } | null; limit: number },
): Promise<AgedDueOfCustomer[]> {
  const { userId, currency } = after ?? { userId: FIRST, currency: '' }
  return read(db, OF_CUSTOMERS, [tenantId, at, userId, currency, limit])
}

const FIRST = '00000000-0000-0000-0000-000000000000'

const AGES = `
    coalesce(sum(due) filter (where coalesce(late, '0') <= '0'), 0)::bigint as "notDueCents",
    coalesce(sum(due) filter (where late > '0' and late <= '30 days'), 0)::bigint
      as "days1To30Cents",
    coalesce(sum(due) filter (where late > '30 days' and late <= '60 days'), 0)::bigint
      as "days31To60Cents",
    coalesce(sum(due) filter (where late > '60 days' and late <= '90 days'), 0)::bigint
      as "days61To90Cents",
    coalesce(sum(due) filter (where late > '90 days'), 0)::bigint as "days91AndMoreCents",
    sum(due)::bigint as "dueCents", count(*)::integer as invoices
`

const SINCE = `
  with since as materialized (
    select invoice_id, sum(change_cents) as cents
    from billing.dues
    where tenant_id = $1 and created_at > $2
    group by invoice_id
  )
`

// What is due now, minus what has changed since the instant: invoices that are open, or changed after it. Interval
// literals are compared as spans of 24-hour days, as the difference of instants is.
const DUE = `
  from (
    select user_id, currency, due_at, $2::timestamptz - due_at as late,
      total_cents - credited_cents - (paid_cents - refunded_cents - reversed_cents)
        - coalesce(since.cents, 0) as due
    from billing.invoices as invoice
    left join since on since.invoice_id = invoice.id
    where tenant_id = $1 and status = 'open' and number is not null and kind <> 'top_up'
    union all
    select user_id, currency, due_at, $2::timestamptz - due_at, -since.cents
    from billing.invoices as invoice
    join since on since.invoice_id = invoice.id
    where tenant_id = $1 and status <> 'open'
  ) as invoice
  where due <> 0
`

const OF_CUSTOMERS = `
  ${SINCE}
  select user_id as "userId", currency, min(due_at) as "oldestDueAt", ${AGES} ${DUE}
  and (user_id, currency) > ($3, $4)
  group by user_id, currency
  order by user_id, currency
  limit $5
`

/** What a customer owes now in one currency, on how many invoices, and how many of them are late. */
export type Owed = {
  readonly currency: string
  readonly dueCents: Cents
  readonly invoices: number
  readonly overdue: number
}

/** What a customer owes now on numbered open invoices, by currency. A pro forma is not owed. */
export function listOwed(db: Db, { tenantId, userId }: UserKey, now: Instant): Promise<Owed[]> {
  return read(db, OWED, [tenantId, userId, now])
}

const OWED = `
  select currency, sum(due)::bigint as "dueCents", count(*)::integer as invoices,
    (count(*) filter (where due_at < $3))::integer as overdue
  from (
    select currency, due_at,
      total_cents - credited_cents - (paid_cents - refunded_cents - reversed_cents) as due
    from billing.invoices
    where tenant_id = $1 and user_id = $2 and status = 'open' and number is not null
      and kind <> 'top_up'
  ) as open
  where due > 0
  group by currency
  order by currency`
