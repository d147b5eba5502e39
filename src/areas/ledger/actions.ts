import { newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { Account } from './accounts.ts'
import { ensureAccounts, insertPostings, insertTransaction, lockBalances } from './queries.ts'
import { balanced, type Posting } from './rules.ts'

/** Something that moved money: a word for it, and what it does to the accounts. */
export type LedgerEvent = {
  /** Snake case; customers see it on their credit: `top_up`, `refund`. */
  readonly kind: string
  readonly postings: readonly Posting[]
  /** What a customer reads beside it. */
  readonly description?: string
}

export type NewTransaction = {
  readonly tenantId: string
  readonly event: LedgerEvent
  /** The payment, refund or invoice it is about. */
  readonly eventId: string
  /** The same change always has the same key: it is booked once. */
  readonly key: string
  readonly currency: string
}

/**
 * Books an event in the transaction of the change it describes (R5.1). Answers false when its key
 * was booked before. Throws a RangeError for postings out of balance; customer credit that would
 * be overdrawn is refused by the database, so lock and look at it first.
 */
export async function post(
  tx: Tx,
  { tenantId, event, eventId, key, currency }: NewTransaction,
  now: Instant,
): Promise<boolean> {
  const postings = byAccount(balanced(event.postings))
  if (postings.length === 0) return false
  const transactionId = newId()
  const inserted = await insertTransaction(tx, {
    tenantId,
    id: transactionId,
    kind: event.kind,
    eventId,
    idempotencyKey: key,
    description: event.description ?? null,
    createdAt: now,
  })
  if (!inserted) return false
  const locked = await lockAccounts(tx, { tenantId, currency }, postings, now)
  await insertPostings(tx, { tenantId, currency, transactionId }, postings, locked)
  return true
}

async function lockAccounts(
  tx: Tx,
  key: { tenantId: string; currency: string },
  postings: readonly Posting[],
  now: Instant,
) {
  const codes = postings.map(({ account }) => account.code)
  const locked = await lockBalances(tx, key, codes)
  if (locked.length === codes.length) return locked
  const known = new Set(locked.map(({ code }) => code))
  const missing = postings.map(({ account }) => account).filter(({ code }) => !known.has(code))
  await ensureAccounts(tx, key, missing, now)
  return lockBalances(tx, key, codes)
}

/** One posting per account: a balance is changed once. */
function byAccount(postings: readonly Posting[]): Posting[] {
  const sums = new Map<string, { account: Account; amountCents: Cents }>()
  for (const { account, amountCents } of postings) {
    const sum = sums.get(account.code)?.amountCents ?? 0
    sums.set(account.code, { account, amountCents: cents(sum + amountCents) })
  }
  return [...sums.values()].filter(({ amountCents }) => amountCents !== 0)
}
