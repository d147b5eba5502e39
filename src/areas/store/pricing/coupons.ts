import { allocate, type BasisPoints, type Cents, cents, rateOf, sumCents } from '#lib/money.ts'
import type { Interval } from '#lib/periods.ts'
import { type Problem, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { AmountedLine } from './lines.ts'

/** The discount of a coupon, and what it applies to. An empty list of ids means all. */
export type CouponTerms = {
  readonly code: string
  readonly type: 'percent' | 'fixed'
  /** 1 to 10 000, for a percent coupon. */
  readonly percentBasisPoints: BasisPoints | null
  /** For a fixed coupon, in the tenant's price mode: net or gross (R1.7). */
  readonly amountCents: Cents | null
  readonly minimumCents: Cents | null
  readonly currency: string
  readonly includeSetupFee: boolean
  readonly stackable: boolean
  readonly productIds: readonly string[]
  readonly categoryIds: readonly string[]
  readonly planIds: readonly string[]
  readonly intervals: readonly Interval[]
}

/**
 * Who may use a coupon, and until when (R1.8). `validTo` is the first instant at which it is
 * refused.
 */
export type CouponLimits = {
  readonly maxRedemptions: number | null
  readonly maxRedemptionsPerUser: number | null
  readonly redemptions: number
  readonly validFrom: Instant | null
  readonly validTo: Instant | null
  readonly newCustomersOnly: boolean
}

/** For how many period invoices of a service a coupon applies (R1.9). */
export type CouponDuration = {
  readonly duration: 'once' | 'cycles' | 'forever'
  readonly durationCycles: number | null
}

export type CouponDiscount = { readonly code: string; readonly discountCents: Cents }

export type Redeemer = {
  readonly redemptions: number
  /** Whether the customer has never paid an invoice. */
  readonly newCustomer: boolean
}

/** The fields of a line that decide its discount. */
type DiscountableLine = Sold & Pick<AmountedLine, 'subtotalCents' | 'setupFee'>

/** A code as it is stored and compared: trimmed, in capitals (R1.8). */
export function couponCodeOf(text: string): string {
  return text.trim().toUpperCase()
}

/** Whether the coupon still applies to the n-th period invoice of a service, n = 1, 2 … (R1.9). */
export function couponCovers({ duration, durationCycles }: CouponDuration, n: number): boolean {
  if (duration === 'forever') return true
  return n <= (duration === 'once' ? 1 : (durationCycles ?? 0))
}

/** Throws 422 with the reason if this customer may not use the coupon now (R1.8). */
export function assertRedeemable(coupon: CouponLimits, user: Redeemer, now: Instant): void {
  const { validFrom, validTo, maxRedemptions, maxRedemptionsPerUser } = coupon
  if (validFrom && now < validFrom) throw refused('This coupon is not valid yet.')
  if (validTo && now >= validTo) throw refused('This coupon has expired.')
  if (maxRedemptions !== null && coupon.redemptions >= maxRedemptions) {
    throw refused('This coupon has been used up.')
  }
  if (maxRedemptionsPerUser !== null && user.redemptions >= maxRedemptionsPerUser) {
    throw refused('You have already used this coupon.')
  }
  if (coupon.newCustomersOnly && !user.newCustomer) {
    throw refused('This coupon is for new customers only.')
  }
}

/**
 * Throws 422 unless the coupon applies to some line, and their amount is high enough (R1.7, R1.8).
 */
export function assertApplicable(
  coupon: CouponTerms,
  lines: readonly AmountedLine[],
  currency: string,
): void {
  const { type, minimumCents } = coupon
  if ((type === 'fixed' || minimumCents !== null) && coupon.currency !== currency) {
    throw refused(`This coupon is for prices in ${coupon.currency}.`)
  }
  const subtotal = eligibleSubtotal(coupon, lines)
  if (subtotal === 0) throw refused('This coupon applies to nothing in this order.')
  if (minimumCents !== null && subtotal < minimumCents) {
    throw refused('This order is below the minimum of this coupon.')
  }
}

/** Throws 422 if several coupons are used and one of them may only be used alone (R1.10). */
export function assertStackable(coupons: readonly CouponTerms[]): void {
  if (coupons.length < 2) return
  const alone = coupons.find((coupon) => !coupon.stackable)
  if (alone) throw refused(`Coupon ${alone.code} cannot be combined with another one.`)
}

/**
 * The amount from which a coupon's discount is calculated, before any discount, in cents (R1.7).
 */
export function eligibleSubtotal(coupon: CouponTerms, lines: readonly AmountedLine[]): Cents {
  return sumCents(lines.filter((line) => inScope(coupon, line)).map((line) => line.subtotalCents))
}

/**
 * Deducts coupons from lines, in cents. Percentages come first, then fixed amounts, each by code;
 * each applies to what the previous ones left, and is spread over its lines in proportion to what
 * they still cost, so that every tax rate gets its share (R1.7, R1.10).
 */
export function withDiscounts<L extends DiscountableLine>(
  lines: readonly L[],
  coupons: readonly CouponTerms[],
): { lines: (L & { readonly discountCents: Cents })[]; coupons: CouponDiscount[] } {
  let discounted = lines.map((line) => ({ ...line, discountCents: cents(0) }))
  const discounts = [...coupons].sort(byTypeAndCode).map((coupon) => {
    const left = discounted.map((line) =>
      inScope(coupon, line) ? line.subtotalCents - line.discountCents : 0,
    )
    const discountCents = discountOn(sumCents(left), coupon)
    const shares = allocate(discountCents, left)
    discounted = discounted.map((line, index) => ({
      ...line,
      discountCents: sumCents([line.discountCents, shares[index] ?? 0]),
    }))
    return { code: coupon.code, discountCents }
  })
  return { lines: discounted, coupons: discounts }
}

/** Lines that cost nothing or are credits are never discounted. */
function inScope(coupon: CouponTerms, line: DiscountableLine): boolean {
  const charged = line.subtotalCents > 0 && (coupon.includeSetupFee || !line.setupFee)
  return charged && couponIsFor(coupon, line)
}

type Scope = Pick<CouponTerms, 'productIds' | 'categoryIds' | 'planIds' | 'intervals'>
type Sold = Pick<AmountedLine, 'productId' | 'categoryId' | 'planId' | 'interval'>

/** Whether a coupon applies to what is sold; an empty list means all (R1.7). */
export function couponIsFor(coupon: Scope, sold: Sold): boolean {
  return (
    allows(coupon.productIds, sold.productId) &&
    allows(coupon.categoryIds, sold.categoryId) &&
    allows(coupon.planIds, sold.planId) &&
    allows(coupon.intervals, sold.interval)
  )
}

function allows<T>(allowed: readonly T[], value: T | null): boolean {
  return allowed.length === 0 || (value !== null && allowed.includes(value))
}

function discountOn(subtotal: Cents, { type, ...coupon }: CouponTerms): Cents {
  const value = type === 'percent' ? coupon.percentBasisPoints : coupon.amountCents
  if (value === null) throw new RangeError(`Coupon ${coupon.code} has no value`)
  return type === 'percent' ? rateOf(subtotal, value) : cents(Math.min(value, subtotal))
}

function byTypeAndCode(a: CouponTerms, b: CouponTerms): number {
  if (a.type !== b.type) return a.type === 'percent' ? -1 : 1
  return a.code < b.code ? -1 : 1
}

function refused(message: string): Problem {
  return unprocessable(message, 'coupon_not_applicable')
}
