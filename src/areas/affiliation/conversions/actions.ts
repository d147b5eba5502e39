import { commissionPostings, creditBalance, lockAvailableCommission, post } from '#ledger'
import { newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { lockAffiliateOf } from '../affiliates/queries.ts'
import { assertNotSuspended } from '../affiliates/rules.ts'
import { insertConversion } from './queries.ts'
import { toConvert } from './rules.ts'

export type Wish = { readonly amountCents?: Cents | undefined; readonly currency: string }

export type Converted = {
  readonly convertedCents: Cents
  readonly availableCents: Cents
  readonly balanceCents: Cents
  readonly currency: string
}

/**
 * Turns commission into the affiliate's own customer credit (R6.5), under the lock of their row and
 * of the balance, so that two simultaneous requests convert once. 404 for a person who is not an affiliate, 409 while
 * suspended, 422 below 2000 cents or above what is available.
 */
export async function convert(
  tx: Tx,
  { tenantId, userId }: UserKey,
  { amountCents, currency }: Wish,
  now: Instant,
): Promise<Converted> {
  const affiliate = await lockAffiliateOf(tx, { tenantId, userId })
  if (!affiliate || affiliate.closedAt) throw notFound('Affiliate')
  assertNotSuspended(affiliate)
  const { id: affiliateId } = affiliate
  const available = await lockAvailableCommission(tx, { tenantId, affiliateId, currency })
  const convertedCents = toConvert(available, amountCents)
  const id = newId()
  const row = { tenantId, id, affiliateId, currency, amountCents: convertedCents, createdAt: now }
  await insertConversion(tx, { ...row, kind: 'credit' })
  const amount = { affiliateId, amountCents: convertedCents }
  const event = {
    kind: 'commission_converted',
    postings: commissionPostings.commissionConverted(amount, { customerId: userId }),
  }
  await post(tx, { tenantId, event, eventId: id, key: `conversion:${id}`, currency }, now)
  const balanceCents = await creditBalance(tx, { tenantId, userId, currency })
  const availableCents = cents(available - convertedCents)
  return { convertedCents, availableCents, balanceCents, currency }
}
