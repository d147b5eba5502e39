import { type LedgerEvent, lockCredit, post, postings } from '#ledger'
import type { Cents } from '#lib/money.ts'
import { unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { creditAdded } from '../events.ts'

export type CreditChange = {
  readonly tenantId: string
  readonly userId: string
  readonly currency: string
  readonly amountCents: Cents
  /** What caused the change; the key that makes it happen once: `goodwill:<id>`. */
  readonly eventId: string
  readonly key: string
  readonly description: string
}

/** Gives a customer credit (R5.2: goodwill). Returns false if this key was booked before. */
export async function addCredit(tx: Tx, change: CreditChange, now: Instant): Promise<boolean> {
  const { tenantId, userId, currency, amountCents, eventId, key, description } = change
  const granted = postings.goodwillGranted({ customerId: userId, amountCents })
  const event: LedgerEvent = { kind: 'goodwill', postings: granted, description }
  if (!(await post(tx, { tenantId, event, eventId, key, currency }, now))) return false
  await emit(tx, creditAdded, { tenantId, userId, amountCents, currency, why: 'goodwill' })
  return true
}

/** Takes back credit that was given. Throws 422 if the customer has less. */
export async function removeCredit(tx: Tx, change: CreditChange, now: Instant): Promise<boolean> {
  const { tenantId, userId, currency, amountCents, eventId, key, description } = change
  if ((await lockCredit(tx, { tenantId, userId, currency })) < amountCents) {
    throw unprocessable('The customer does not have so much credit.', 'credit_insufficient')
  }
  const removed = postings.goodwillRemoved({ customerId: userId, amountCents })
  const event: LedgerEvent = { kind: 'goodwill_removed', postings: removed, description }
  return post(tx, { tenantId, event, eventId, key, currency }, now)
}
