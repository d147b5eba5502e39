import assert from 'node:assert/strict'
import { test } from 'node:test'
import { basisPoints, cents } from '#lib/money.ts'
import { instant } from '#lib/time.ts'
import {
  assertApplicable,
  assertRedeemable,
  assertStackable,
  type CouponLimits,
  type CouponTerms,
  couponCodeOf,
  couponCovers,
  eligibleSubtotal,
  withDiscounts,
} from './coupons.ts'
import type { AmountedLine } from './lines.ts'

const fixed: CouponTerms = {
  code: 'SPRING',
  type: 'fixed',
  percentBasisPoints: null,
  amountCents: cents(500),
  minimumCents: null,
  currency: 'EUR',
  includeSetupFee: false,
  stackable: false,
  productIds: [],
  categoryIds: [],
  planIds: [],
  intervals: [],
}
const percent = {
  ...fixed,
  type: 'percent',
  percentBasisPoints: basisPoints(1000),
  amountCents: null,
} as const

const unlimited: CouponLimits = {
  maxRedemptions: null,
  maxRedemptionsPerUser: null,
  redemptions: 0,
  validFrom: null,
  validTo: null,
  newCustomersOnly: false,
}
const now = instant('2026-05-04T12:00:00Z')
const newcomer = { redemptions: 0, newCustomer: true }

function line(subtotalCents: number, more: Partial<AmountedLine> = {}): AmountedLine {
  return {
    unitPriceCents: cents(subtotalCents),
    quantity: 1,
    subtotalCents: cents(subtotalCents),
    setupFee: false,
    tax: {
      category: 'S',
      rateBasisPoints: basisPoints(2000),
      country: 'FR',
      homeRateBasisPoints: basisPoints(2000),
    },
    productId: 'minecraft',
    categoryId: 'survival',
    planId: 'minecraft-small',
    interval: 'month',
    ...more,
  }
}

const notApplicable = { statusCode: 422, code: 'coupon_not_applicable' }

test('E14: a minimum of 2000 refuses an order of 1999 and takes one of 2000', () => {
  const coupon = { ...fixed, minimumCents: cents(2000) }
  assert.throws(() => assertApplicable(coupon, [line(1999)], 'EUR'), notApplicable)
  assert.doesNotThrow(() => assertApplicable(coupon, [line(2000)], 'EUR'))
})

test('the minimum counts only what the coupon works on', () => {
  const coupon = { ...fixed, minimumCents: cents(2000), productIds: ['rust'] }
  const lines = [line(5000), line(1999, { productId: 'rust' })]
  assert.throws(() => assertApplicable(coupon, lines, 'EUR'), notApplicable)
})

test('a coupon is refused when it works on nothing in the order', () => {
  assert.throws(() => assertApplicable(fixed, [line(500, { setupFee: true })], 'EUR'), {
    statusCode: 422,
    message: /nothing in this order/,
  })
  assert.throws(() => assertApplicable(fixed, [line(0)], 'EUR'), notApplicable)
})

test('a fixed amount is for its own currency, a percentage for any', () => {
  assert.throws(() => assertApplicable(fixed, [line(1000)], 'USD'), notApplicable)
  assert.doesNotThrow(() => assertApplicable(percent, [line(1000)], 'USD'))
  const withMinimum = { ...percent, minimumCents: cents(1) }
  assert.throws(() => assertApplicable(withMinimum, [line(1000)], 'USD'), notApplicable)
})

const scopes = [
  ['productIds', { productIds: ['rust'] }],
  ['categoryIds', { categoryIds: ['shooter'] }],
  ['planIds', { planIds: ['rust-large'] }],
  ['intervals', { intervals: ['year'] }],
] as const

for (const [field, scope] of scopes) {
  test(`${field} hold a coupon to the lines they name`, () => {
    const named = line(700, {
      productId: 'rust',
      categoryId: 'shooter',
      planId: 'rust-large',
      interval: 'year',
    })
    const foreign = line(900, { productId: null, categoryId: null, planId: null, interval: null })
    const coupon = { ...percent, ...scope }
    assert.equal(eligibleSubtotal(coupon, [line(1200), named, foreign]), 700)
  })
}

test('a line must be in every scope a coupon names', () => {
  const coupon = { ...percent, productIds: ['minecraft'], intervals: ['year' as const] }
  const lines = [line(100), line(200, { interval: 'year' })]
  assert.equal(eligibleSubtotal(coupon, lines), 200)
})

test('a credit on the order is not discounted, and does not lower the discount of others', () => {
  const { lines, coupons } = withDiscounts([line(1000), line(-400)], [percent])
  assert.deepEqual(
    lines.map(({ discountCents }) => discountCents),
    [100, 0],
  )
  assert.deepEqual(coupons, [{ code: 'SPRING', discountCents: 100 }])
})

const refusals = [
  ['before its first instant', { validFrom: instant('2026-05-04T12:00:01Z') }, newcomer],
  ['from its end on', { validTo: now }, newcomer],
  ['that is used up', { maxRedemptions: 5, redemptions: 5 }, newcomer],
  ['that this customer has used', { maxRedemptionsPerUser: 1 }, { ...newcomer, redemptions: 1 }],
  ['for new customers', { newCustomersOnly: true }, { ...newcomer, newCustomer: false }],
] as const

for (const [what, limits, user] of refusals) {
  test(`a coupon ${what} is refused with 422`, () => {
    assert.throws(() => assertRedeemable({ ...unlimited, ...limits }, user, now), notApplicable)
  })
}

test('a coupon within its limits may be redeemed', () => {
  const limits = {
    maxRedemptions: 5,
    redemptions: 4,
    maxRedemptionsPerUser: 1,
    validFrom: now,
    validTo: instant('2026-05-04T12:00:01Z'),
    newCustomersOnly: true,
  }
  assert.doesNotThrow(() => assertRedeemable(limits, newcomer, now))
})

test('one coupon is used alone unless all of them may be combined', () => {
  const stackable = { ...percent, stackable: true }
  assert.doesNotThrow(() => assertStackable([fixed]))
  assert.doesNotThrow(() => assertStackable([stackable, { ...fixed, stackable: true }]))
  assert.throws(() => assertStackable([stackable, fixed]), notApplicable)
})

test('a code is compared without the spaces around it and in capitals', () => {
  assert.equal(couponCodeOf(' spring-10 '), 'SPRING-10')
})

const durations = [
  [{ duration: 'once', durationCycles: null }, [true, false, false, false]],
  [{ duration: 'cycles', durationCycles: 3 }, [true, true, true, false]],
  [{ duration: 'forever', durationCycles: null }, [true, true, true, true]],
] as const

for (const [terms, covered] of durations) {
  test(`a coupon for ${terms.durationCycles ?? terms.duration} covers ${covered.join(', ')}`, () => {
    assert.deepEqual(
      [1, 2, 3, 4].map((n) => couponCovers(terms, n)),
      covered,
    )
  })
}
