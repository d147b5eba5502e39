import { type BasisPoints, type Cents, cents, portion, roundDiv } from '#lib/money.ts'
import type { Interval } from '#lib/periods.ts'
import type { Instant } from '#lib/time.ts'

const MONTHS_PER_YEAR = 12
// A month has 365.25 / 84 weeks: as whole numbers, 487 / 112.
export const [WEEKS_PER_MONTH, WEEKS] = [487, 112]

/** The facts that decide whether a service is recurring revenue, and how much. */
export type Earning = {
  readonly interval: Interval
  readonly intervalCount: number
  /** What its current period costs after discounts, in the price mode it was sold in. */
  readonly valueCents: Cents
  readonly paidAt: Instant | null
  readonly endedAt: Instant | null
  readonly anchorAt: Instant | null
  readonly currentPeriodStart: Instant | null
  /** What another system reported about it, if it was imported: it is past its trial. */
  readonly imported?: object | null
}

/**
 * A period's price as cents per month: a year is twelve months, a week is 84 / 365.25 of a month.
 * Rounded once; the lost cents are not made up for. Metered hours and one-time sales do not recur: 0.
 */
export function perMonth(
  amountCents: Cents,
  { interval, intervalCount }: Pick<Earning, 'interval' | 'intervalCount'>,
): Cents {
  if (interval === 'month') return portion(amountCents, 1, intervalCount)
  if (interval === 'year') return portion(amountCents, 1, MONTHS_PER_YEAR * intervalCount)
  if (interval === 'week') return portion(amountCents, WEEKS_PER_MONTH, WEEKS * intervalCount)
  return cents(0)
}

/** What a period costs without tax: the tax is subtracted from a price that includes it (R1.6). */
export function withoutTax(grossCents: Cents, rate: BasisPoints | null): Cents {
  const bp = BigInt(rate ?? 0)
  return cents(BigInt(grossCents) - roundDiv(BigInt(grossCents) * bp, 10_000n + bp))
}

/**
 * Whether a service is recurring revenue now: it was paid for, is past its trial, and has not ended.
 */
export function isEarning(service: Earning): boolean {
  const { paidAt, endedAt, anchorAt, currentPeriodStart, imported } = service
  if (paidAt === null || endedAt !== null) return false
  if (imported && currentPeriodStart !== null) return true
  return anchorAt !== null && currentPeriodStart !== null && currentPeriodStart >= anchorAt
}
