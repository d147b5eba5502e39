import type { Cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import { type Db, read } from '#platform/database/index.ts'

/** What is due on numbered open invoices, by how many days ago it was. */
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

type At = { readonly tenantId: string; readonly now: Instant }

/** What all customers owe, by currency and age. */
export function listAgedDue(db: Db, { tenantId, now }: At): Promise<AgedDue[]> {
  const text = `select currency, ${AGES} ${DUE} group by currency order by currency`
  return read(db, text, [tenantId, now])
}

/** The same for each customer and currency, in the order of their ids, behind the one that is named. */
export function listAgedDueOfCustomers(
  db: Db,
  { tenantId, now }: At,
  { after, limit }: { after: { userId: string; currency: string } | null; limit: number },
): Promise<AgedDueOfCustomer[]> {
  const { userId, currency } = after ?? { userId: FIRST, currency: '' }
  return read(db, OF_CUSTOMERS, [tenantId, now, userId, currency, limit])
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

// Interval literals are compared as spans of 24-hour days, as the difference of instants is.
const DUE = `
  from (
    select user_id, currency, due_at, $2::timestamptz - due_at as late,
      total_cents - credited_cents - (paid_cents - refunded_cents - reversed_cents) as due
    from billing.invoices
    where tenant_id = $1 and status = 'open' and number is not null and kind <> 'top_up'
  ) as invoice
`

const OF_CUSTOMERS = `
  select user_id as "userId", currency, min(due_at) as "oldestDueAt", ${AGES} ${DUE}
  where (user_id, currency) > ($3, $4)
  group by user_id, currency
  order by user_id, currency
  limit $5
`
