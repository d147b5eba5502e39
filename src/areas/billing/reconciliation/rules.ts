import type { PaymentSnapshot } from '../gateways/snapshots.ts'
import type { Booked } from './queries.ts'

/** How the provider's books and ours can differ about a payment. */
export type BreakKind =
  | 'payment_not_booked'
  | 'payment_amount_differs'
  | 'refunds_differ'
  | 'disputes_differ'

type Told = Pick<PaymentSnapshot, 'received' | 'refundedCents' | 'disputedCents'>

/** How a paid payment differs from what is booked of it; null if it does not. */
export function differenceOf(
  { received, refundedCents, disputedCents }: Told,
  booked: Omit<Booked, 'moved'> | undefined,
): BreakKind | null {
  if (!booked) return 'payment_not_booked'
  const same =
    booked.receivedCents === received.amountCents && booked.currency === received.currency
  if (!same) return 'payment_amount_differs'
  if (booked.refundedCents !== refundedCents) return 'refunds_differ'
  return booked.disputedCents === disputedCents ? null : 'disputes_differ'
}
