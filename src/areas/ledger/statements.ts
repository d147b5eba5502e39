import type { Cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import { type Db, read } from '#platform/database/index.ts'
import { credit, heldCredit, receivable } from './accounts.ts'

/** A position in a customer's statement: a transaction, and when it was booked. */
export type StatementPlace = { readonly createdAt: Instant; readonly id: string }

/** Whose statement, and until when, `to` excluded. */
export type StatementKey = {
  readonly tenantId: string
  readonly userId: string
  readonly to: Instant
}

/** Something that changed what a customer owes, or their credit. */
export type Movement = StatementPlace & {
  readonly kind: string
  readonly description: string | null
  /** The invoice, payment or refund it is about. */
  readonly eventId: string
  readonly currency: string
  /** How much more is owed on invoices, in cents. */
  readonly owedCents: Cents
  /** How much more credit there is, in cents; credit set aside for an order is included. */
  readonly creditCents: Cents
}

/** What a customer owed minus their credit, in one currency. */
export type Standing = { readonly currency: string; readonly balanceCents: Cents }

/** A customer's movements, oldest first, after `after`. */
export function listMovements(
  db: Db,
  { tenantId, userId, to }: StatementKey,
  { after, limit }: { after: StatementPlace; limit: number },
): Promise<Movement[]> {
  const { createdAt, id } = after
  return read(db, MOVEMENTS, [tenantId, codesOf(userId), createdAt, id, to, limit])
}

const FIRST = '00000000-0000-0000-0000-000000000000'

// Setting credit aside for an order, or freeing it, moves it between two accounts of the same
// customer.
const MOVEMENTS = `
  select transaction.created_at as "createdAt", transaction.id, transaction.kind,
    transaction.description, transaction.event_id as "eventId", posting.currency,
    coalesce(sum(posting.amount_cents) filter (where account.code = ($2::text[])[1]), 0)::bigint
      as "owedCents",
    coalesce(-sum(posting.amount_cents) filter (where account.code <> ($2::text[])[1]), 0)::bigint
      as "creditCents"
  from ledger.accounts as account
  join ledger.postings as posting
    on posting.tenant_id = account.tenant_id and posting.account_id = account.id
  join ledger.transactions as transaction
    on transaction.tenant_id = posting.tenant_id and transaction.id = posting.transaction_id
  where account.tenant_id = $1 and account.code = any($2::text[])
    and (transaction.created_at, transaction.id) > ($3, $4) and transaction.created_at < $5
  group by transaction.created_at, transaction.id, transaction.kind, transaction.description,
    transaction.event_id, posting.currency
  having bool_or(account.code = ($2::text[])[1]) or sum(posting.amount_cents) <> 0
  order by transaction.created_at, transaction.id
  limit $6
`

/** The position before everything that was booked at an instant or later. */
export function placeBefore(at: Instant): StatementPlace {
  return { createdAt: at, id: FIRST }
}

/**
 * What a customer owed minus their credit right after a position, by currency, also if it was 0.
 */
export function listStandings(
  db: Db,
  { tenantId, userId }: Pick<StatementKey, 'tenantId' | 'userId'>,
  { createdAt, id }: StatementPlace,
): Promise<Standing[]> {
  return read(db, STANDINGS, [tenantId, codesOf(userId), createdAt, id])
}

const STANDINGS = `
  select balance.currency,
    (sum(balance.balance_cents) - coalesce(sum(since.cents), 0))::bigint as "balanceCents"
  from ledger.accounts as account
  join ledger.balances as balance
    on balance.tenant_id = account.tenant_id and balance.account_id = account.id
  left join lateral (
    select sum(posting.amount_cents) as cents
    from ledger.postings as posting
    join ledger.transactions as transaction
      on transaction.tenant_id = posting.tenant_id and transaction.id = posting.transaction_id
    where posting.tenant_id = account.tenant_id and posting.account_id = account.id
      and posting.currency = balance.currency
      and (transaction.created_at, transaction.id) > ($3, $4)
  ) as since on true
  where account.tenant_id = $1 and account.code = any($2::text[])
  group by balance.currency
  order by balance.currency
`

function codesOf(userId: string): string[] {
  return [receivable(userId), credit(userId), heldCredit(userId)].map(({ code }) => code)
}
