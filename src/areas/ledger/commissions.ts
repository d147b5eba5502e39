import type { Cents } from '#lib/money.ts'
import {
  affiliateAvailable,
  affiliateExpense,
  affiliatePayouts,
  affiliatePending,
  credit,
} from './accounts.ts'
import { type Posting, transfer } from './rules.ts'

type Commission = { readonly affiliateId: string; readonly amountCents: Cents }

/** A commission arose; it waits until its invoice can no longer be refunded (R5.2). */
export function commissionAccrued({ affiliateId, amountCents }: Commission): Posting[] {
  return transfer(affiliateExpense, affiliatePending(affiliateId), amountCents)
}

/** The waiting time of a commission is over. */
export function commissionMatured({ affiliateId, amountCents }: Commission): Posting[] {
  return transfer(affiliatePending(affiliateId), affiliateAvailable(affiliateId), amountCents)
}

/** Commission becomes the affiliate's own customer credit. */
export function commissionConverted(
  { affiliateId, amountCents }: Commission,
  { customerId }: { readonly customerId: string },
): Posting[] {
  return transfer(affiliateAvailable(affiliateId), credit(customerId), amountCents)
}

/** The host paid an affiliate's available commission out. */
export function commissionPaidOut({ affiliateId, amountCents }: Commission): Posting[] {
  return transfer(affiliateAvailable(affiliateId), affiliatePayouts, amountCents)
}

/** The payment behind a commission was refunded, before or after the commission had matured. */
export function commissionReversed(
  { affiliateId, amountCents }: Commission,
  state: 'pending' | 'matured',
): Posting[] {
  const account = state === 'pending' ? affiliatePending : affiliateAvailable
  return transfer(account(affiliateId), affiliateExpense, amountCents)
}
