import { type Cents, cents, MICROS_PER_CENT, portion } from '#lib/money.ts'
import { startedHours } from '#lib/periods.ts'
import { unprocessable } from '#lib/problem.ts'
import { DAY_MS, dayOf, type Instant, instant, later } from '#lib/time.ts'

/** How long a consumer may withdraw from an order, in days (directive 2011/83/EU art. 9). */
const WITHDRAWAL_DAYS = 14

/**
 * What metered hours cost, in cents: each hour that was begun at its price in micros (a cent has 10
 * 000), rounded once, at most the plan's monthly price (R4.11).
 */
export function hourlyCharge(usage: {
  readonly seconds: number
  readonly priceMicros: number
  readonly capCents: Cents | null
}): Cents {
  const { seconds, priceMicros, capCents } = usage
  const charge = portion(priceMicros, startedHours(seconds), MICROS_PER_CENT)
  return capCents === null ? charge : cents(Math.min(charge, capCents))
}

/**
 * The first time at which it is too late to withdraw. The day of the order does not count and the last
 * day counts in full, as in EU regulation 1182/71 (R4.8).
 */
export function withdrawalEndsAt(orderedAt: Instant): Instant {
  const orderedOn = instant(`${dayOf(orderedAt)}T00:00:00Z`)
  return later(orderedOn, (WITHDRAWAL_DAYS + 1) * DAY_MS)
}

type Ordered = { readonly createdAt: Instant; readonly startsAt: Instant | null }

/** The same for a service; one that waits until the time is over (`startsAt`) begins at its end. */
export function withdrawableUntil({ createdAt, startsAt }: Ordered): Instant {
  return startsAt ?? withdrawalEndsAt(createdAt)
}

/** Throws 422 once the time to withdraw is over (R4.8). */
export function assertWithdrawable(service: Ordered, now: Instant): void {
  if (now < withdrawableUntil(service)) return
  const message = `An order can be withdrawn from for ${WITHDRAWAL_DAYS} days.`
  throw unprocessable(message, 'withdrawal_period_over')
}
