import type { Cents } from '#lib/money.ts'
import {
  boundary,
  type Cycle,
  DEFAULT_LEAD_TIMES,
  type LeadTimes,
  leadMs,
  type Period,
  recurs,
} from '#lib/periods.ts'
import { unprocessable } from '#lib/problem.ts'
import { DAY_MS, type Day, dayOf, type Instant, later } from '#lib/time.ts'

/** What the renewals of a service are computed from. */
export type RenewalTerms = {
  readonly anchor: Instant
  readonly cycle: Cycle
  readonly leads?: LeadTimes
}

/** A price that counts from a day on (R4.10). */
export type PriceChange = { readonly effectiveFrom: Day; readonly priceCents: Cents }

/** How long ahead a customer must know of a new price, in days (R4.10). */
const PRICE_NOTICE_DAYS = 30

/**
 * When the invoice for a period is made: its lead before the start or, for metered hours, at its
 * end (R4.4, R4.11). Null for a one-time plan, which never renews.
 */
export function invoiceAtOf(terms: RenewalTerms, number: number): Instant | null {
  const { anchor, cycle, leads = DEFAULT_LEAD_TIMES } = terms
  if (!recurs(cycle)) return null
  if (cycle.interval === 'hour') return boundary(anchor, cycle, number + 1)
  return later(boundary(anchor, cycle, number), -leadMs(cycle, leads))
}

/**
 * What a period costs, in cents: the latest price change whose day is on or before its start, else the
 * price of the service (R4.10).
 */
export function priceOf(period: Period, priceCents: Cents, changes: readonly PriceChange[]): Cents {
  const day = dayOf(period.start)
  const last = changes
    .filter(({ effectiveFrom }) => effectiveFrom <= day)
    .reduce<PriceChange | null>(
      (latest, it) => (latest && latest.effectiveFrom > it.effectiveFrom ? latest : it),
      null,
    )
  return last?.priceCents ?? priceCents
}

/** Throws 422 for a new price that customers would learn of less than 30 days ahead (R4.10). */
export function assertPriceNotice(effectiveFrom: Day, now: Instant): void {
  const earliest = dayOf(later(now, PRICE_NOTICE_DAYS * DAY_MS))
  if (effectiveFrom >= earliest) return
  const message = `A new price needs ${PRICE_NOTICE_DAYS} days of notice. Use ${earliest} or later.`
  throw unprocessable(message, 'price_notice_too_short')
}
