import { commissionPostings, lockAvailableCommission, post } from '#ledger'
import { newId } from '#lib/id.ts'
import type { Cents } from '#lib/money.ts'
import { conflict, notFound, unprocessable } from '#lib/problem.ts'
import { type Day, dayOf, type Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { type AffiliateKey, lockAffiliate } from '../affiliates/queries.ts'
import { insertConversion } from '../conversions/queries.ts'
import { findPayoutByReference, insertPayout, type PayoutRow } from './queries.ts'

export type NewPayout = {
  readonly amountCents: Cents
  readonly currency: string
  readonly paidOn: Day
  readonly method: string
  readonly reference: string
}

/**
 * Books money that the host paid to an affiliate: it reduces the available commission. The same reference
 * with the same content returns the payout that is booked already. The affiliate's row and balance are
 * locked, so a concurrent conversion sees what is left. 404; 409 for a reference of another
 * payout; 422 above what is available, or on a future day.
 */
export async function bookPayout(
  tx: Tx,
  { tenantId, id: affiliateId }: AffiliateKey,
  wanted: NewPayout,
  now: Instant,
): Promise<PayoutRow> {
  if (!(await lockAffiliate(tx, { tenantId, id: affiliateId }))) throw notFound('Affiliate')
  if (wanted.paidOn > dayOf(now)) {
    throw unprocessable('`paidOn` must not be in the future.', 'payout_in_future')
  }
  const booked = await findPayoutByReference(tx, { tenantId, reference: wanted.reference })
  if (booked) return sameAs(booked, { ...wanted, affiliateId })
  const { currency, amountCents } = wanted
  const available = await lockAvailableCommission(tx, { tenantId, affiliateId, currency })
  if (amountCents > available) {
    throw unprocessable('This is more than the affiliate has available.', 'above_available')
  }
  const id = newId()
  const payout = await insertPayout(tx, { ...wanted, tenantId, id, affiliateId, createdAt: now })
  // A concurrent payout to another affiliate took the reference.
  if (!payout) throw referenceTaken()
  const row = { tenantId, id, affiliateId, currency, amountCents, createdAt: now }
  await insertConversion(tx, { ...row, kind: 'payout' })
  const paidOut = commissionPostings.commissionPaidOut({ affiliateId, amountCents })
  const event = { kind: 'commission_paid_out', postings: paidOut }
  await post(tx, { tenantId, event, eventId: id, key: `payout:${id}`, currency }, now)
  return payout
}

function sameAs(booked: PayoutRow, wanted: NewPayout & { affiliateId: string }): PayoutRow {
  const isSame =
    booked.affiliateId === wanted.affiliateId &&
    booked.amountCents === wanted.amountCents &&
    booked.currency === wanted.currency &&
    booked.paidOn === wanted.paidOn &&
    booked.method === wanted.method
  if (!isSame) throw referenceTaken()
  return booked
}

function referenceTaken() {
  return conflict('Another payout has this reference.', 'payout_reference_taken')
}
