import { type Cents, cents, portion } from '#lib/money.ts'
import { boundary, type Cycle, type Period, sameCycle } from '#lib/periods.ts'
import { conflict, unprocessable } from '#lib/problem.ts'
import { type Instant, later, SECOND_MS, secondsBetween } from '#lib/time.ts'
import type { ServiceRow } from '../queries.ts'
import type { PeriodRow } from '../renewals/queries.ts'
import { isBilled } from '../renewals/terms.ts'
import { statusOf } from '../rules.ts'

/** Free days, and the price of a whole period of the plan on which they are free. */
export type FreeTime = Period & { readonly basePriceCents: Cents }

/** The free time of a period; null for a period that was sold. */
export function freeTimeOf(row: PeriodRow): FreeTime | null {
  const { startsAt: start, endsAt: end, freePriceCents: basePriceCents } = row
  return basePriceCents === null ? null : { start, end, basePriceCents }
}

/** Throws 409 or 422 for a service that cannot get free days now. */
export function assertMayGetFree(
  service: ServiceRow,
  periods: readonly PeriodRow[],
  now: Instant,
): asserts service is ServiceRow & { anchorAt: Instant; currentPeriodEnd: Instant } {
  const status = statusOf(service)
  if ((status !== 'active' && status !== 'suspended') || service.endWantedAt) {
    throw conflict(`This service is ${status}.`, 'service_not_active')
  }
  if (!isBilled(service) || service.interval === 'hour') {
    throw unprocessable('A plan of this kind has no free days.', 'free_days_not_possible')
  }
  const { currentPeriodStart, currentPeriodEnd, anchorAt, trialDays, imported } = service
  const isBeforeFirst = currentPeriodStart === null || currentPeriodStart < anchorAt
  if (isBeforeFirst && trialDays > 0) {
    throw unprocessable('A trial has no free days.', 'free_days_not_possible')
  }
  if (isBeforeFirst && imported && service.nextInvoiceAt === null) {
    const message = 'The renewals of this imported service have not begun.'
    throw unprocessable(message, 'free_days_not_possible')
  }
  if (now >= currentPeriodEnd || periods.some((it) => !it.paidAt && it.startsAt <= now)) {
    throw conflict('The current period of this service is not paid for.', 'period_unpaid')
  }
  const isPlannedPaid = periods.some(
    (it) => it.paidAt && it.startsAt >= currentPeriodEnd && it.planId === service.scheduledPlanId,
  )
  if (isPlannedPaid) {
    throw conflict('Its plan changes with the period that is paid.', 'change_planned')
  }
}

/**
 * What free time costs on a plan, in cents: nothing up to the price of the plan on which it was given, and the
 * difference above it, by the ratio of the free time to the period that would follow. `chargedCents` is what the
 * customer is charged for a period whose price is `priceCents`.
 */
export function priceOfFree(
  { start, end, basePriceCents }: FreeTime,
  { priceCents, chargedCents, cycle }: { priceCents: Cents; chargedCents: Cents; cycle: Cycle },
): Cents {
  if (priceCents <= basePriceCents) return cents(0)
  const dearerCents = portion(chargedCents, priceCents - basePriceCents, priceCents)
  return portion(dearerCents, secondsBetween(start, end), lengthOf(end, cycle))
}

/**
 * The free time that is left after a change to another cycle: all of the rest on a plan that costs no more per second;
 * on a dearer one, as much time as the rest was worth. Null if none is left.
 */
export function freeAfter(
  free: FreeTime,
  { at, start }: { at: Instant; start: Instant },
  { from, to, priceCents }: { from: Cycle; to: Cycle; priceCents: Cents },
): FreeTime | null {
  const left = secondsBetween(free.start > at ? free.start : at, free.end)
  const base = sameCycle(from, to)
    ? free.basePriceCents
    : portion(free.basePriceCents, lengthOf(start, to), lengthOf(start, from))
  const isCostlier = priceCents > base
  const seconds = isCostlier ? Math.floor(portion(cents(left), base, priceCents)) : left
  if (seconds <= 0) return null
  const basePriceCents = isCostlier ? priceCents : base
  return { start, end: later(start, seconds * SECOND_MS), basePriceCents }
}

function lengthOf(start: Instant, cycle: Cycle): number {
  return secondsBetween(start, boundary(start, cycle, 1))
}
