import type { Cents } from '#lib/money.ts'
import type { Day, Instant } from '#lib/time.ts'
import { type Db, read } from '#platform/database/index.ts'
import type { AccountType } from './accounts.ts'

/** A span of time, `to` excluded, cut into days, months or quarters of UTC. */
export type Span = {
  readonly tenantId: string
  readonly from: Instant
  readonly to: Instant
  readonly interval: 'day' | 'month' | 'quarter'
}

/** The sales in one interval of a span; all amounts as a reader expects them, sales above 0. */
export type RevenueFigures = {
  readonly startOn: string
  readonly currency: string
  readonly invoicedCents: Cents
  readonly creditedCents: Cents
  readonly netCents: Cents
  readonly taxCents: Cents
  readonly refundedCents: Cents
}

/** Sales by interval and currency, from what was booked on revenue and tax accounts. */
export function listRevenue(
  db: Db,
  { tenantId, from, to, interval }: Span,
): Promise<RevenueFigures[]> {
  return read(db, REVENUE, [tenantId, from, to, interval])
}

// A refund is what paid invoices gave back to customers, whether it was paid out or became credit.
const REVENUE = `
  select to_char(date_trunc($4, transaction.created_at at time zone 'UTC'), 'YYYY-MM-DD')
      as "startOn", posting.currency,
    coalesce(-sum(posting.amount_cents) filter (
      where account.code = 'revenue' and posting.amount_cents < 0), 0)::bigint as "invoicedCents",
    coalesce(sum(posting.amount_cents) filter (
      where account.code = 'revenue' and posting.amount_cents > 0), 0)::bigint as "creditedCents",
    coalesce(-sum(posting.amount_cents) filter (
      where account.code = 'revenue'), 0)::bigint as "netCents",
    coalesce(-sum(posting.amount_cents) filter (
      where account.code like 'tax:%'), 0)::bigint as "taxCents",
    coalesce(sum(posting.amount_cents) filter (
      where account.code like 'receivable:%'), 0)::bigint as "refundedCents"
  from ledger.transactions as transaction
  join ledger.postings as posting
    on posting.tenant_id = transaction.tenant_id and posting.transaction_id = transaction.id
  join ledger.accounts as account
    on account.tenant_id = posting.tenant_id and account.id = posting.account_id
  where transaction.tenant_id = $1
    and transaction.created_at >= $2 and transaction.created_at < $3
    and (account.code = 'revenue' or account.code like 'tax:%'
         or (transaction.kind = 'refund' and account.code like 'receivable:%'))
  group by 1, 2
  order by 1, 2
`

/** Net sales of the days (UTC) of a span, in cents, by currency and day; a trigger keeps them with the postings. */
export function listSalesByDay(
  db: Db,
  { tenantId, startOn, endOn }: { tenantId: string; startOn: Day; endOn: Day },
): Promise<{ currency: string; day: Day; netCents: Cents }[]> {
  return db
    .selectFrom('ledger.sales_days')
    .select(['currency', 'day', 'netCents'])
    .where('tenantId', '=', tenantId)
    .where('day', '>=', startOn)
    .where('day', '<=', endOn)
    .execute()
}

type WrongDay = { currency: string; day: Day; keptCents: Cents; postedCents: Cents }

/** Days whose kept net sales are not the sum of their postings: always none. */
export function listWrongDays(db: Db, tenantId: string): Promise<WrongDay[]> {
  return read(db, WRONG_DAYS, [tenantId])
}

const WRONG_DAYS = `
  select currency, day::text as day, coalesce(kept.cents, 0)::bigint as "keptCents",
    coalesce(posted.cents, 0)::bigint as "postedCents"
  from (
    select currency, day, net_cents as cents from ledger.sales_days where tenant_id = $1
  ) as kept
  full join (
    select posting.currency, (transaction.created_at at time zone 'UTC')::date as day,
      -sum(posting.amount_cents) as cents
    from ledger.accounts as account
    join ledger.postings as posting
      on posting.tenant_id = account.tenant_id and posting.account_id = account.id
    join ledger.transactions as transaction
      on transaction.tenant_id = posting.tenant_id and transaction.id = posting.transaction_id
    where account.tenant_id = $1 and account.code = 'revenue'
    group by 1, 2
  ) as posted using (currency, day)
  where coalesce(kept.cents, 0) <> coalesce(posted.cents, 0)
  order by currency, day
`

/** The balance of an account, or of all accounts of one kind: debits minus credits. */
export type AccountBalance = {
  readonly code: string
  readonly type: AccountType
  readonly ownerId: string | null
  readonly currency: string
  readonly balanceCents: Cents
}

type AsOf = { readonly tenantId: string; readonly at: Instant }

/**
 * The balance of every account at an instant, the instant included: the current balance minus what
 * was booked since. Accounts of customers and affiliates are added up by their kind.
 */
export function listTrialBalance(db: Db, { tenantId, at }: AsOf): Promise<AccountBalance[]> {
  return read(db, `${BALANCES} ${BY_KIND}`, [tenantId, at])
}

/** Likewise for each account alone, in the order of their codes, after the given one. */
export function listAccountBalances(
  db: Db,
  { tenantId, at }: AsOf,
  { after, limit }: { after: { code: string; currency: string } | null; limit: number },
): Promise<AccountBalance[]> {
  const { code, currency } = after ?? { code: '', currency: '' }
  return read(db, `${BALANCES} ${ONE_BY_ONE}`, [tenantId, at, code, currency, limit])
}

const BALANCES = `
  with since as materialized (
    select posting.account_id, posting.currency, sum(posting.amount_cents) as cents
    from ledger.transactions as transaction
    join ledger.postings as posting
      on posting.tenant_id = transaction.tenant_id and posting.transaction_id = transaction.id
    where transaction.tenant_id = $1 and transaction.created_at > $2
    group by 1, 2
  ), standing as (
    select account.code, account.type, account.owner_id, balance.currency,
      balance.balance_cents - coalesce(since.cents, 0) as cents
    from ledger.accounts as account
    join ledger.balances as balance
      on balance.tenant_id = account.tenant_id and balance.account_id = account.id
    left join since on since.account_id = account.id and since.currency = balance.currency
    where account.tenant_id = $1
  )
`
const BY_KIND = `
  select kind as code, type, owner_id as "ownerId", currency, sum(cents)::bigint as "balanceCents"
  from (
    select type, currency, cents, split_part(code, ':', 1) as kind, null::uuid as owner_id
    from standing
    where code ~ '^(receivable|credit|heldCredit|affiliatePending|affiliateAvailable):'
    union all
    select type, currency, cents, code, owner_id
    from standing
    where code !~ '^(receivable|credit|heldCredit|affiliatePending|affiliateAvailable):'
  ) as account
  group by kind, type, owner_id, currency
  order by kind, currency
`
const ONE_BY_ONE = `
  select code, type, owner_id as "ownerId", currency, cents::bigint as "balanceCents"
  from standing
  where (code, currency) > ($3, $4)
  order by code, currency
  limit $5
`

/** One posting as it was booked, with its transaction. */
export type Booking = {
  readonly at: Instant
  /** The id of the posting. */
  readonly id: string
  readonly transactionId: string
  readonly kind: string
  readonly eventId: string
  readonly description: string | null
  readonly account: string
  readonly accountType: AccountType
  readonly ownerId: string | null
  readonly currency: string
  /** Debit above 0, credit below. */
  readonly amountCents: Cents
}

/** All postings of a period, `to` excluded, in the order in which they were booked. */
export function listBookings(
  db: Db,
  { tenantId, from, to }: Omit<Span, 'interval'>,
  after: Booking | null,
  limit: number,
): Promise<Booking[]> {
  const place = [after?.at ?? from, after?.transactionId ?? FIRST_ID, after?.id ?? FIRST_ID]
  return read(db, BOOKINGS, [tenantId, ...place, to, limit])
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const BOOKINGS = `
  select transaction.created_at as "at", posting.id, transaction.id as "transactionId",
    transaction.kind, transaction.event_id as "eventId", transaction.description,
    account.code as account, account.type as "accountType", account.owner_id as "ownerId",
    posting.currency, posting.amount_cents as "amountCents"
  from ledger.transactions as transaction
  join ledger.postings as posting
    on posting.tenant_id = transaction.tenant_id and posting.transaction_id = transaction.id
  join ledger.accounts as account
    on account.tenant_id = posting.tenant_id and account.id = posting.account_id
  where transaction.tenant_id = $1 and transaction.created_at >= $2
    and (transaction.created_at, transaction.id, posting.id) > ($2, $3::uuid, $4::uuid)
    and transaction.created_at < $5
  order by transaction.created_at, transaction.id, posting.id
  limit $6
`
