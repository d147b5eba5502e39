import { badRequest, type Problem } from '#lib/problem.ts'
import type { Row } from '#platform/database/index.ts'

export type CouponRow = Row<'store.coupons'>

type Value = Pick<CouponRow, 'type' | 'percentBasisPoints' | 'amountCents'>
type Duration = Pick<CouponRow, 'duration' | 'durationCycles'>
type Span = Pick<CouponRow, 'validFrom' | 'validTo'>

/** Throws 400 if the discount of a coupon, or its duration, is missing or given twice. */
export function assertComplete(coupon: Value & Duration & Span): void {
  const { type, percentBasisPoints, amountCents, duration, durationCycles } = coupon
  assertGiven('percentBasisPoints', percentBasisPoints, type === 'percent')
  assertGiven('amountCents', amountCents, type === 'fixed')
  assertGiven('durationCycles', durationCycles, duration === 'cycles')
  const { validFrom, validTo } = coupon
  if (validFrom && validTo && validTo <= validFrom) {
    throw wrong('validTo', 'must be after validFrom')
  }
}

/**
 * A coupon after a change: fields of its former type or duration are removed, unless the change
 * itself sets them.
 */
export function changed(coupon: CouponRow, change: Partial<CouponRow>): CouponRow {
  const result = { ...coupon, ...change }
  const { type, duration } = result
  return {
    ...result,
    percentBasisPoints: type === 'percent' ? result.percentBasisPoints : said('percentBasisPoints'),
    amountCents: type === 'fixed' ? result.amountCents : said('amountCents'),
    durationCycles: duration === 'cycles' ? result.durationCycles : said('durationCycles'),
  }

  function said<F extends keyof CouponRow>(field: F): CouponRow[F] | null {
    return change[field] ?? null
  }
}

/** Whether one more use is within the limits of the coupon and of the customer (R1.8). */
export function hasRoom(
  coupon: Pick<CouponRow, 'redemptions' | 'maxRedemptions' | 'maxRedemptionsPerUser'>,
  usedByCustomer: number,
): boolean {
  const { redemptions, maxRedemptions, maxRedemptionsPerUser } = coupon
  return (
    (maxRedemptions === null || redemptions < maxRedemptions) &&
    (maxRedemptionsPerUser === null || usedByCustomer < maxRedemptionsPerUser)
  )
}

function assertGiven(path: string, value: number | null, wanted: boolean): void {
  if (wanted && value === null) throw wrong(path, 'is required')
  if (!wanted && value !== null) throw wrong(path, 'does not belong to this type of coupon')
}

function wrong(path: string, message: string): Problem {
  return badRequest(`${path} ${message}.`, [{ path, message }])
}
