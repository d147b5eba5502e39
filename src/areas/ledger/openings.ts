import { type RawBuilder, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'

/** The opening balances of a customer in one currency, in cents. Credit below 0 is overdrawn. */
export type Opening = {
  user_id: string
  currency: string
  credit_cents: number
  receivable_cents: number
}

/** A query for the customers' opening balances, one row for each customer and currency, and the id of the import. */
export type Openings = {
  readonly tenantId: string
  readonly importId: string
  /** Whether the customers were imported before, and the amounts are changes of their balances. */
  readonly changed?: boolean
  readonly rows: RawBuilder<Opening>
}

/** The opening balance of an affiliate in one currency, in cents. Below 0 is what they owe back. */
export type CommissionOpening = {
  affiliate_id: string
  currency: string
  available_cents: number
  pending_cents: number
}

type Imported = Pick<Openings, 'tenantId' | 'importId'>

/**
 * Books what customers had and owed in another system against `opening`, one transaction for each of them, with a
 * handful of statements in all. The same import books a customer once, and each change of their balances once.
 */
export function importOpenings(
  tx: Tx,
  { rows, changed = false, ...imported }: Openings,
  now: Instant,
): Promise<void> {
  const { importId } = imported
  const suffix = changed ? ':changed' : ''
  const moves = sql`
    select given.user_id, given.currency, move.kind, move.type, move.owner_id, move.cents,
      'opening:' || ${importId} || ':' || given.user_id || ':' || given.currency || ${suffix} as key
    from (${rows}) as given
    cross join lateral (values
      ('credit:' || given.user_id, 'liability', given.user_id, -given.credit_cents),
      ('receivable:' || given.user_id, 'asset', given.user_id, given.receivable_cents),
      ('opening', 'equity', null, given.credit_cents - given.receivable_cents)
    ) as move (kind, type, owner_id, cents)
    where move.cents <> 0`
  return bookMoves(tx, imported, moves, now)
}

/** Books what affiliates had in another system against `opening`, as `importOpenings` does. */
export function importCommissionOpenings(
  tx: Tx,
  { rows, ...imported }: Imported & { readonly rows: RawBuilder<CommissionOpening> },
  now: Instant,
): Promise<void> {
  const { importId } = imported
  const moves = sql`
    select move.kind, move.type, move.owner_id, move.cents,
      'opening:' || ${importId} || ':' || given.affiliate_id || ':' || given.currency as key,
      given.currency
    from (${rows}) as given
    cross join lateral (values
      ('affiliateAvailable:' || given.affiliate_id, 'liability', given.affiliate_id,
        -given.available_cents),
      ('affiliatePending:' || given.affiliate_id, 'liability', given.affiliate_id,
        -given.pending_cents),
      ('opening', 'equity', null, given.available_cents + given.pending_cents)
    ) as move (kind, type, owner_id, cents)
    where move.cents <> 0`
  return bookMoves(tx, imported, moves, now)
}

async function bookMoves(
  tx: Tx,
  { tenantId, importId }: Imported,
  moves: RawBuilder<unknown>,
  now: Instant,
): Promise<void> {
  await sql`
    insert into ledger.accounts (tenant_id, id, code, type, owner_id, created_at)
    select ${tenantId}, platform.new_id(${now}::timestamptz), kind, type, owner_id, ${now}
    from (select distinct kind, type, owner_id from (${moves}) as move) as account
    on conflict do nothing`.execute(tx)
  // Credit that was overdrawn in the other system stays so; nothing else may overdraw it.
  await sql`
    insert into ledger.balances as kept
      (tenant_id, account_id, currency, balance_cents, may_be_in_debit)
    select ${tenantId}, account.id, move.currency, 0, move.kind not like 'credit:%'
      or coalesce(max(held.balance_cents), 0) + sum(move.cents) > 0
    from (${moves}) as move
    join ledger.accounts as account
      on account.tenant_id = ${tenantId} and account.code = move.kind
    left join ledger.balances as held on held.tenant_id = ${tenantId}
      and held.account_id = account.id and held.currency = move.currency
    group by account.id, move.kind, move.currency
    on conflict (tenant_id, account_id, currency) do update set may_be_in_debit = true
      where excluded.may_be_in_debit and not kept.may_be_in_debit`.execute(tx)
  // In the order in which all code locks them.
  await sql`
    select from ledger.balances as balance
    join ledger.accounts as account
      on account.tenant_id = balance.tenant_id and account.id = balance.account_id
    where balance.tenant_id = ${tenantId}
      and (account.code, balance.currency) in (select kind, currency from (${moves}) as move)
    order by balance.currency, balance.account_id
    for update of balance`.execute(tx)
  await sql`
    insert into ledger.transactions
      (tenant_id, id, kind, event_id, idempotency_key, description, created_at)
    select ${tenantId}, platform.new_id(${now}::timestamptz), 'opening_balance', ${importId}::uuid,
      key, null, ${now}
    from (select distinct key from (${moves}) as move) as opening
    on conflict do nothing`.execute(tx)
  await sql`
    with posted as (
      insert into ledger.postings
        (tenant_id, id, transaction_id, account_id, currency, amount_cents, balance_after_cents)
      select ${tenantId}, platform.new_id(${now}::timestamptz), transaction.id, account.id,
        move.currency, move.cents, balance.balance_cents
          + sum(move.cents) over (partition by account.id, move.currency order by transaction.id)
      from (${moves}) as move
      join ledger.transactions as transaction
        on transaction.tenant_id = ${tenantId} and transaction.idempotency_key = move.key
      join ledger.accounts as account
        on account.tenant_id = ${tenantId} and account.code = move.kind
      join ledger.balances as balance
        on balance.tenant_id = ${tenantId} and balance.account_id = account.id
        and balance.currency = move.currency
      where not exists (
        select from ledger.postings as booked
        where booked.tenant_id = ${tenantId} and booked.transaction_id = transaction.id)
      returning account_id, currency, amount_cents
    )
    update ledger.balances as balance
    set balance_cents = balance.balance_cents + moved.cents
    from (
      select account_id, currency, sum(amount_cents)::bigint as cents from posted
      group by account_id, currency
    ) as moved
    where balance.tenant_id = ${tenantId} and balance.account_id = moved.account_id
      and balance.currency = moved.currency`.execute(tx)
}

/** What an import booked in one currency, in cents as text. */
export type OpeningSums = {
  readonly currency: string
  readonly creditCents: string
  readonly receivableCents: string
  readonly availableCents: string
  readonly pendingCents: string
}

/** What an import booked, by currency: credit, amounts owed, and commissions of affiliates. */
export async function sumOpenings(
  tx: Tx,
  { tenantId, importId }: Imported,
): Promise<OpeningSums[]> {
  const { rows } = await sql<OpeningSums>`
    select posting.currency,
      coalesce(-sum(amount_cents) filter (where account.code like 'affiliateAvailable:%'), 0)::text
        as available_cents,
      coalesce(-sum(amount_cents) filter (where account.code like 'affiliatePending:%'), 0)::text
        as pending_cents,
      coalesce(-sum(amount_cents) filter (where account.code like 'credit:%'), 0)::text
        as credit_cents,
      coalesce(sum(amount_cents) filter (where account.code like 'receivable:%'), 0)::text
        as receivable_cents
    from ledger.transactions as transaction
    join ledger.postings as posting
      on posting.tenant_id = transaction.tenant_id and posting.transaction_id = transaction.id
    join ledger.accounts as account
      on account.tenant_id = posting.tenant_id and account.id = posting.account_id
    where transaction.tenant_id = ${tenantId} and transaction.event_id = ${importId}::uuid
      and transaction.kind = 'opening_balance'
    group by posting.currency order by posting.currency`.execute(tx)
  return rows
}

/** Removes what an import has booked: balances become what they would be without the import. */
export async function removeOpenings(tx: Tx, { tenantId, importId }: Imported): Promise<void> {
  await sql`select ledger.remove_openings(${tenantId}::uuid, ${importId}::uuid)`.execute(tx)
}

/**
 * Transactions that depend on what an import has booked: on an account of its people or affiliates (`owners`), or
 * later than the import's own on an account that existed before.
 */
export function transactionsAfterOpenings(
  { tenantId, importId }: Imported,
  owners: RawBuilder<unknown>,
): RawBuilder<{ id: string }> {
  return sql<{ id: string }>`
    with opening as (
      select posting.account_id, posting.currency, sum(posting.amount_cents) as cents,
        min(transaction.created_at) as booked_at,
        array_agg(posting.balance_after_cents - posting.amount_cents) as before
      from ledger.transactions as transaction
      join ledger.postings as posting
        on posting.tenant_id = transaction.tenant_id and posting.transaction_id = transaction.id
      where transaction.tenant_id = ${tenantId} and transaction.event_id = ${importId}::uuid
        and transaction.kind = 'opening_balance'
      group by posting.account_id, posting.currency
    )
    select distinct transaction.id
    from ledger.postings as posting
    join ledger.transactions as transaction
      on transaction.tenant_id = posting.tenant_id and transaction.id = posting.transaction_id
    join ledger.accounts as account
      on account.tenant_id = posting.tenant_id and account.id = posting.account_id
    join ledger.balances as balance on balance.tenant_id = posting.tenant_id
      and balance.account_id = posting.account_id and balance.currency = posting.currency
    left join opening
      on opening.account_id = posting.account_id and opening.currency = posting.currency
    where posting.tenant_id = ${tenantId}
      and (transaction.event_id <> ${importId}::uuid or transaction.kind <> 'opening_balance')
      and (account.owner_id in (${owners}) or transaction.created_at > opening.booked_at
        -- At the same instant: the balance before the import is not what all others add up to.
        or (transaction.created_at = opening.booked_at
          and balance.balance_cents - opening.cents <> all (opening.before)))`
}
