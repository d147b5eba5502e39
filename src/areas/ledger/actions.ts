import { newId } from '#lib/id.ts'
import { type Cents, cents, sumCents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import { note, type Tx } from '#platform/database/index.ts'
import type { Account } from './accounts.ts'
import { ensureAccounts, insertPostings, insertTransactions, lockBalances } from './queries.ts'
import { balanced, type Posting } from './rules.ts'

/** An event that moved money: its name, and its effect on the accounts. */
export type LedgerEvent = {
  /** Snake case; customers see it on their credit: `top_up`, `refund`. */
  readonly kind: string
  readonly postings: readonly Posting[]
  /** The description that a customer reads beside it. */
  readonly description?: string
}

export type NewTransaction = {
  readonly tenantId: string
  readonly event: LedgerEvent
  /** The payment, refund or invoice it is about. */
  readonly eventId: string
  /** The same change always has the same key, so it is booked once. */
  readonly key: string
  readonly currency: string
}

/**
 * Books an event in the transaction of the change it describes (R5.1). Returns false if its key was
 * booked before. Throws a RangeError for postings out of balance; customer credit that would be
 * overdrawn is refused by the database, so lock and check it first.
 */
export async function post(tx: Tx, transaction: NewTransaction, now: Instant): Promise<boolean> {
  return (await postAll(tx, [transaction], now)) > 0
}

/** Books many events in their order, each as `post` does. Returns how many were new. */
export async function postAll(
  tx: Tx,
  transactions: readonly NewTransaction[],
  now: Instant,
): Promise<number> {
  const wanted = transactions
    .map((it) => ({ ...it, id: newId(), postings: byAccount(balanced(it.event.postings)) }))
    .filter(({ postings }) => postings.length > 0)
  const added = await insertTransactions(
    tx,
    wanted.map(({ tenantId, id, event, eventId, key }) => ({
      ...{ tenantId, id, kind: event.kind, eventId, idempotencyKey: key },
      ...{ description: event.description ?? null, createdAt: now },
    })),
  )
  const booked = wanted.filter(({ id }) => added.has(id))
  for (const { event, currency, postings } of booked) {
    const amountCents = sumCents(postings.map((it) => cents(Math.max(0, it.amountCents))))
    note(tx, { what: 'money', kind: event.kind, currency, amountCents })
  }
  const books = Map.groupBy(booked, ({ tenantId, currency }) => `${tenantId} ${currency}`)
  // In one fixed order, so that two transactions that post to several books cannot deadlock.
  for (const [, those] of [...books].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await postInBook(tx, those, now)
  }
  return booked.length
}

type Wanted = { tenantId: string; currency: string; id: string; postings: readonly Posting[] }

/** Writes the postings of transactions of one tenant in one currency. */
async function postInBook(tx: Tx, transactions: readonly Wanted[], now: Instant): Promise<void> {
  const [first] = transactions
  if (!first) return
  const { tenantId, currency } = first
  const key = { tenantId, currency }
  const postings = transactions.flatMap((it) =>
    it.postings.map((posting) => ({ ...posting, transactionId: it.id })),
  )
  const accounts = new Map(postings.map(({ account }) => [account.code, account]))
  await insertPostings(tx, key, postings, await lockAccounts(tx, key, accounts, now))
}

async function lockAccounts(
  tx: Tx,
  key: { tenantId: string; currency: string },
  accounts: ReadonlyMap<string, Account>,
  now: Instant,
) {
  const codes = [...accounts.keys()]
  const locked = await lockBalances(tx, key, codes)
  if (locked.length === codes.length) return locked
  const known = new Set(locked.map(({ code }) => code))
  const missing = [...accounts.values()].filter(({ code }) => !known.has(code))
  await ensureAccounts(tx, key, missing, now)
  return lockBalances(tx, key, codes)
}

/** Merges postings into one per account, so that a balance is changed once. */
function byAccount(postings: readonly Posting[]): Posting[] {
  const sums = new Map<string, { account: Account; amountCents: Cents }>()
  for (const { account, amountCents } of postings) {
    const sum = sums.get(account.code)?.amountCents ?? 0
    sums.set(account.code, { account, amountCents: cents(sum + amountCents) })
  }
  return [...sums.values()].filter(({ amountCents }) => amountCents !== 0)
}
