import {
  boundary,
  type Cycle,
  type LeadTimes,
  type Period,
  periodNumberAt,
  recurs,
  sameCycle,
} from '#lib/periods.ts'
import type { Instant } from '#lib/time.ts'
import { type CouponDuration, type CouponTerms, couponCovers } from '#store'
import { meteredPeriods, type UseFacts, useEnd } from '../leaving/rules.ts'
import type { ServiceRow } from '../queries.ts'
import { invoiceAtOf } from './rules.ts'

/** A coupon as a service stores it: with its terms when the service was ordered (R1.9). */
export type KeptCoupon = CouponTerms & CouponDuration

/** The plan that a service is billed on: its own, or the one that is planned for its next period. */
export type BilledPlan = {
  readonly productId: string
  readonly planId: string
  readonly cycle: Cycle
  /** Its periods are counted from this time. */
  readonly anchor: Instant
}

type Billed = Pick<
  ServiceRow,
  | 'productId'
  | 'planId'
  | 'interval'
  | 'intervalCount'
  | 'anchorAt'
  | 'freeUntil'
  | 'invoicedTo'
  | 'currentPeriodEnd'
  | 'scheduledProductId'
  | 'scheduledPlanId'
  | 'scheduledOptions'
>

/** The stored end of a service, and its use until then. */
type Ending = Pick<ServiceRow, 'cancelAtPeriodEnd' | 'endWantedAt'> & UseFacts

/** The dates of a service that is billed periodically. */
type Dates = {
  readonly anchorAt: Instant
  readonly invoicedTo: Instant
  readonly currentPeriodEnd: Instant
}

/** Whether a service is billed periodically, and so has these dates. */
export function isBilled<S extends Billed>(service: S): service is S & Dates {
  const { anchorAt, invoicedTo, currentPeriodEnd } = service
  return recurs(service) && anchorAt !== null && invoicedTo !== null && currentPeriodEnd !== null
}

/**
 * When a change begins that is planned for the next period: after the current one, and after free days that follow it.
 */
export function plannedFrom({
  currentPeriodEnd,
  freeUntil,
}: {
  readonly currentPeriodEnd: Instant
  readonly freeUntil: Instant | null
}): Instant {
  return freeUntil !== null && freeUntil > currentPeriodEnd ? freeUntil : currentPeriodEnd
}

/** The end of the current or coming free days of a service; null without any. */
export function freeDaysEnd({
  currentPeriodEnd,
  freeUntil,
  endedAt,
}: Pick<ServiceRow, 'currentPeriodEnd' | 'freeUntil' | 'endedAt'>): Instant | null {
  if (!freeUntil || !currentPeriodEnd || endedAt) return null
  return freeUntil >= currentPeriodEnd ? freeUntil : null
}

/**
 * The plan of the next period. Periods after free days are counted from the end of these; with a planned plan of
 * another cycle, from the start of the change.
 */
export function nextPlanOf(
  service: Billed & Omit<Dates, 'invoicedTo'>,
  planned: Cycle | null,
): BilledPlan {
  const { scheduledProductId, scheduledPlanId, anchorAt, freeUntil } = service
  const own = { productId: service.productId, planId: service.planId }
  const counted = freeUntil !== null && freeUntil > anchorAt ? freeUntil : anchorAt
  if (!scheduledProductId || !scheduledPlanId || !planned) {
    return { ...own, cycle: service, anchor: counted }
  }
  const anchor = sameCycle(service, planned) ? counted : plannedFrom(service)
  return { productId: scheduledProductId, planId: scheduledPlanId, cycle: planned, anchor }
}

/** The period after the last one that was invoiced, and when its invoice is made (R4.1, R4.4). */
export function nextPeriodOf(
  { anchor, cycle }: BilledPlan,
  invoicedTo: Instant,
  leads: LeadTimes,
): { number: number; period: Period; invoiceAt: Instant | null } {
  const number = periodNumberAt(anchor, cycle, invoicedTo)
  const period = { start: invoicedTo, end: boundary(anchor, cycle, number + 1) }
  return { number, period, invoiceAt: invoiceAtOf({ anchor, cycle, leads }, number) }
}

/** The next period to invoice for a service, and when its invoice is due. */
export type NextPeriod = ReturnType<typeof nextPeriodOf> & { readonly plan: BilledPlan }

/**
 * The next period to invoice for a service, and when; undefined if there is none. `planned` is the plan it is to move
 * to. Once the first period on that plan is invoiced, the invoice of the one after it waits until that has begun. For a
 * service that ends, only the used metered hours remain to be invoiced (R4.11).
 */
export function nextOf(
  service: Billed & Ending,
  planned: Cycle | null,
  leads: LeadTimes,
): NextPeriod | undefined {
  if (!isBilled(service)) return undefined
  if (service.endWantedAt) return lastHoursOf(service, service.endWantedAt)
  // Metered hours are invoiced after they were used.
  if (service.cancelAtPeriodEnd && service.interval !== 'hour') return undefined
  const plan = nextPlanOf(service, planned)
  const next = { plan, ...nextPeriodOf(plan, service.invoicedTo, leads) }
  if (!isPlannedInvoiced(service)) return next
  const { invoiceAt } = next
  const begunAt = plannedFrom(service)
  return { ...next, invoiceAt: invoiceAt && invoiceAt < begunAt ? begunAt : invoiceAt }
}

/** Whether a change is planned whose first period is invoiced already. */
export function isPlannedInvoiced(
  service: Pick<
    ServiceRow,
    'scheduledPlanId' | 'scheduledOptions' | 'invoicedTo' | 'currentPeriodEnd' | 'freeUntil'
  >,
): boolean {
  const { scheduledPlanId, scheduledOptions, invoicedTo, currentPeriodEnd, freeUntil } = service
  if (!(scheduledPlanId || scheduledOptions) || !invoicedTo || !currentPeriodEnd) return false
  return invoicedTo > plannedFrom({ currentPeriodEnd, freeUntil })
}

/** The oldest metered hours that were used until the end and are not invoiced yet. */
function lastHoursOf(service: Billed & UseFacts & Dates, endsAt: Instant): NextPeriod | undefined {
  const usedUntil = useEnd(service, endsAt)
  if (service.interval !== 'hour' || !usedUntil) return undefined
  const plan = nextPlanOf(service, null)
  const { anchor, cycle } = plan
  const { invoicedTo } = service
  const [period] = meteredPeriods({ anchor, cycle, invoicedTo }, usedUntil)
  if (!period) return undefined
  const number = periodNumberAt(anchor, cycle, period.start)
  return { plan, number, period, invoiceAt: period.end }
}

/** The coupons that still count for the n-th invoiced period of a service, n = 1, 2 … (R1.9). */
export function couponsFor(coupons: readonly KeptCoupon[], n: number): KeptCoupon[] {
  return coupons.filter((coupon) => couponCovers(coupon, n))
}
