import { sql } from 'kysely'
import { newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { insertNewRows, insertRows, updateRows } from '#platform/database/rows.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import { type Account, credit, heldCredit, mayBeInDebit } from './accounts.ts'

/** A customer's credit in one currency. */
export type CreditKey = { tenantId: string; userId: string; currency: string }

type Amounted = { account: Account; amountCents: Cents; transactionId: string }
type Booked = { accountId: string; code: string; balanceCents: Cents }
type BookKey = { tenantId: string; currency: string }

/** Writes transactions without postings. Returns the ids of those whose key was not used before. */
export function insertTransactions(
  tx: Tx,
  rows: readonly Row<'ledger.transactions'>[],
): Promise<Set<string>> {
  return insertNewRows(tx, 'ledger.transactions', rows)
}

/** Balances with the code of their account. */
function balances(db: Db, { tenantId, currency }: BookKey, codes: readonly string[]) {
  return db
    .selectFrom('ledger.balances as balance')
    .innerJoin('ledger.accounts as account', (join) =>
      join
        .onRef('account.tenantId', '=', 'balance.tenantId')
        .onRef('account.id', '=', 'balance.accountId'),
    )
    .select(['balance.accountId', 'account.code', 'balance.balanceCents'])
    .where('account.tenantId', '=', tenantId)
    .where('account.code', '=', sql<string>`any(${[...codes]}::text[])`)
    .where('balance.currency', '=', currency)
}

/** Locks balances in ascending order of their account's id, so that two posts cannot deadlock. */
export function lockBalances(tx: Tx, key: BookKey, codes: readonly string[]): Promise<Booked[]> {
  return balances(tx, key, codes).orderBy('balance.accountId').forUpdate('balance').execute()
}

/** Creates missing accounts with these codes, and their missing balances in a currency. */
export async function ensureAccounts(
  tx: Tx,
  { tenantId, currency }: BookKey,
  accounts: readonly Account[],
  createdAt: Instant,
): Promise<void> {
  const rows = [...accounts]
    .sort((a, b) => (a.code < b.code ? -1 : 1))
    .map((account) => ({ ...account, tenantId, id: newId(), createdAt }))
  await insertRows(tx, 'ledger.accounts', rows, { skipKnown: true })
  const byCode = new Map(accounts.map((account) => [account.code, account]))
  const found = await tx
    .selectFrom('ledger.accounts')
    .select(['id', 'code'])
    .where('tenantId', '=', tenantId)
    .where('code', '=', sql<string>`any(${[...byCode.keys()]}::text[])`)
    .orderBy('id')
    .execute()
  const balanceRows = found.map(({ id, code }) => {
    const account = byCode.get(code)
    const debit = account !== undefined && mayBeInDebit(account)
    return { tenantId, accountId: id, currency, mayBeInDebit: debit }
  })
  await insertRows(tx, 'ledger.balances', balanceRows, { skipKnown: true })
}

/** Writes postings of one book in their order, and adds them to the locked balances. */
export async function insertPostings(
  tx: Tx,
  { tenantId, currency }: BookKey,
  postings: readonly Amounted[],
  locked: readonly Booked[],
): Promise<void> {
  const balances = new Map(locked.map(({ code, ...it }) => [code, it]))
  const rows = postings.map(({ account: { code }, amountCents, transactionId }) => {
    const balance = balances.get(code)
    if (!balance) throw new Error(`No balance of ${code}`)
    const { accountId } = balance
    const balanceAfterCents = cents(balance.balanceCents + amountCents)
    balances.set(code, { accountId, balanceCents: balanceAfterCents })
    const amounts = { amountCents, balanceAfterCents }
    return { tenantId, id: newId(), transactionId, accountId, currency, ...amounts }
  })
  const after = [...balances.values()].map((it) => ({ tenantId, currency, ...it }))
  await updateRows(tx, 'ledger.balances', ['tenantId', 'accountId', 'currency'], after)
  await insertRows(tx, 'ledger.postings', rows)
}

/** What a customer can spend, in cents. */
export async function creditBalance(db: Db, key: CreditKey): Promise<Cents> {
  return balanceOf(db, key, credit(key.userId))
}

/** The part of a customer's credit that is set aside for unpaid orders, in cents. */
export async function heldBalance(db: Db, key: CreditKey): Promise<Cents> {
  return balanceOf(db, key, heldCredit(key.userId))
}

async function balanceOf(db: Db, key: CreditKey, { code }: Account): Promise<Cents> {
  const row = await balances(db, key, [code]).executeTakeFirst()
  return cents(-(row?.balanceCents ?? 0))
}

/**
 * Locks and returns what a customer can spend, in cents: the lock for everything that checks the
 * credit before using it.
 */
export async function lockCredit(tx: Tx, key: CreditKey): Promise<Cents> {
  const [row] = await lockBalances(tx, key, [credit(key.userId).code])
  return cents(-(row?.balanceCents ?? 0))
}

/**
 * The total that an event's transactions posted to an account in one currency: debits minus credits.
 */
export async function postedBy(
  tx: Tx,
  { tenantId, currency, eventId }: BookKey & { eventId: string },
  { code }: Account,
): Promise<Cents> {
  const { sum } = await tx
    .selectFrom('ledger.transactions as transaction')
    .innerJoin('ledger.postings as posting', (join) =>
      join
        .onRef('posting.tenantId', '=', 'transaction.tenantId')
        .onRef('posting.transactionId', '=', 'transaction.id'),
    )
    .innerJoin('ledger.accounts as account', (join) =>
      join
        .onRef('account.tenantId', '=', 'posting.tenantId')
        .onRef('account.id', '=', 'posting.accountId'),
    )
    .select(sql<Cents>`coalesce(sum(posting.amount_cents), 0)::bigint`.as('sum'))
    .where('transaction.tenantId', '=', tenantId)
    .where('transaction.eventId', '=', eventId)
    .where('account.code', '=', code)
    .where('posting.currency', '=', currency)
    .executeTakeFirstOrThrow()
  return sum
}

/** The kinds of transactions that change credit. */
export const CREDIT_KINDS = [
  ...(['top_up', 'payment_received', 'credit_applied', 'credit_held', 'credit_released'] as const),
  ...(['refund', 'refund_failed', 'dispute_taken_from_credit', 'dispute_recovered'] as const),
  ...(['goodwill', 'goodwill_removed', 'commission_converted', 'opening_balance'] as const),
  ...(['voucher_redeemed', 'credit_forfeited'] as const),
]

/** One change of a customer's credit, in cents: positive if credit was added. */
export type CreditEntry = {
  id: string
  kind: (typeof CREDIT_KINDS)[number]
  amountCents: Cents
  balanceAfterCents: Cents
  currency: string
  description: string | null
  createdAt: Instant
}

/** The changes of a customer's credit, newest first. */
export async function listCreditEntries(
  db: Db,
  { tenantId, userId, currency }: CreditKey,
  page: PageQuery,
) {
  const query = db
    .selectFrom('ledger.postings as posting')
    .innerJoin('ledger.accounts as account', (join) =>
      join
        .onRef('account.tenantId', '=', 'posting.tenantId')
        .onRef('account.id', '=', 'posting.accountId'),
    )
    .innerJoin('ledger.transactions as transaction', (join) =>
      join
        .onRef('transaction.tenantId', '=', 'posting.tenantId')
        .onRef('transaction.id', '=', 'posting.transactionId'),
    )
    .select(['posting.id', 'posting.currency', 'transaction.description'])
    .select(['transaction.createdAt'])
    .select([
      sql<CreditEntry['kind']>`transaction.kind`.as('kind'),
      sql<Cents>`-posting.amount_cents`.as('amountCents'),
      sql<Cents>`-posting.balance_after_cents`.as('balanceAfterCents'),
    ])
    .where('account.tenantId', '=', tenantId)
    .where('account.code', '=', credit(userId).code)
    .where('posting.currency', '=', currency)
  return pageOf(query, page, 'posting.id')
}

/** What a customer can spend in each currency in which they have, or had, credit. */
export function listCredits(db: Db, { tenantId, userId }: Omit<CreditKey, 'currency'>) {
  return db
    .selectFrom('ledger.balances as balance')
    .innerJoin('ledger.accounts as account', (join) =>
      join
        .onRef('account.tenantId', '=', 'balance.tenantId')
        .onRef('account.id', '=', 'balance.accountId'),
    )
    .select(['balance.currency', sql<Cents>`-balance.balance_cents`.as('balanceCents')])
    .where('account.tenantId', '=', tenantId)
    .where('account.code', '=', credit(userId).code)
    .orderBy('balance.currency')
    .execute()
}

/** Accounts whose stored balance differs from the sum of their postings: always none. */
export function listWrongBalances(db: Db, tenantId: string) {
  return db
    .selectFrom('ledger.balances as balance')
    .innerJoin('ledger.accounts as account', (join) =>
      join
        .onRef('account.tenantId', '=', 'balance.tenantId')
        .onRef('account.id', '=', 'balance.accountId'),
    )
    .leftJoin('ledger.postings as posting', (join) =>
      join
        .onRef('posting.tenantId', '=', 'balance.tenantId')
        .onRef('posting.accountId', '=', 'balance.accountId')
        .onRef('posting.currency', '=', 'balance.currency'),
    )
    .select(['account.code', 'balance.currency', 'balance.balanceCents'])
    .select(sql<Cents>`coalesce(sum(posting.amount_cents), 0)::bigint`.as('postedCents'))
    .where('balance.tenantId', '=', tenantId)
    .groupBy(['account.code', 'balance.currency', 'balance.balanceCents'])
    .having(sql<boolean>`balance.balance_cents <> coalesce(sum(posting.amount_cents), 0)`)
    .execute()
}

/** Transactions whose debits and credits differ: always none. */
export function listUnbalanced(db: Db, tenantId: string) {
  return db
    .selectFrom('ledger.postings as posting')
    .select(['posting.transactionId', 'posting.currency'])
    .select(sql<Cents>`sum(posting.amount_cents)::bigint`.as('differenceCents'))
    .where('posting.tenantId', '=', tenantId)
    .groupBy(['posting.transactionId', 'posting.currency'])
    .having(sql<boolean>`sum(posting.amount_cents) <> 0`)
    .execute()
}
