import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { basisPoints, cents, rateOf, sumCents } from '#lib/money.ts'
import type { PriceMode, TaxCategory } from '#lib/tax.ts'
import { type CouponTerms, couponCovers } from './coupons.ts'
import type { OrderLine } from './lines.ts'
import { price } from './rules.ts'

function taxed(rate: number, category: TaxCategory = 'S') {
  const rateBasisPoints = category === 'O' ? null : basisPoints(category === 'S' ? rate : 0)
  return { category, rateBasisPoints, country: 'FR', homeRateBasisPoints: basisPoints(rate) }
}

function line(unitPriceCents: number, rate = 2000, more: Partial<OrderLine> = {}): OrderLine {
  return {
    unitPriceCents: cents(unitPriceCents),
    quantity: 1,
    setupFee: false,
    tax: taxed(rate),
    productId: null,
    categoryId: null,
    planId: null,
    interval: null,
    ...more,
  }
}

const base: Omit<CouponTerms, 'type' | 'percentBasisPoints' | 'amountCents'> = {
  code: 'A',
  minimumCents: null,
  currency: 'EUR',
  includeSetupFee: false,
  stackable: true,
  productIds: [],
  categoryIds: [],
  planIds: [],
  intervals: [],
}

function percent(bp: number, more: Partial<CouponTerms> = {}): CouponTerms {
  return {
    ...base,
    type: 'percent',
    percentBasisPoints: basisPoints(bp),
    amountCents: null,
    ...more,
  }
}

function fixed(amount: number, more: Partial<CouponTerms> = {}): CouponTerms {
  return { ...base, type: 'fixed', percentBasisPoints: null, amountCents: cents(amount), ...more }
}

type Priced = ReturnType<typeof price>

function sums({ netCents, taxCents, totalCents }: Priced): number[] {
  return [netCents, taxCents, totalCents]
}

function groups({ taxes }: Priced): (number | null)[][] {
  return taxes.map((group) => [group.rateBasisPoints, group.netCents, group.taxCents])
}

function each(priced: Priced, field: 'discountCents' | 'taxCents' | 'netCents'): number[] {
  return priced.lines.map((it) => it[field])
}

test('E2: three lines of 333 are taxed once, 200, and show 67, 66, 67', () => {
  const priced = price([line(333), line(333), line(333)], [], 'exclusive')
  assert.deepEqual(sums(priced), [999, 200, 1199])
  assert.deepEqual(each(priced, 'taxCents'), [67, 66, 67])
})

test('E4: a 10 % coupon is spread over lines of two rates', () => {
  const priced = price([line(1299), line(999, 550), line(450)], [percent(1000)], 'exclusive')
  assert.equal(priced.subtotalCents, 2748)
  assert.equal(priced.discountCents, 275)
  assert.deepEqual(each(priced, 'discountCents'), [130, 100, 45])
  assert.deepEqual(groups(priced), [
    [2000, 1574, 315],
    [550, 899, 49],
  ])
  assert.deepEqual(sums(priced), [2473, 364, 2837])
})

test('E5: the rest of a fixed coupon on one line is lost', () => {
  const lines = [line(700, 2000, { productId: 'a' }), line(1200, 2000, { productId: 'b' })]
  const priced = price(lines, [fixed(1000, { productIds: ['a'] })], 'exclusive')
  assert.deepEqual(each(priced, 'discountCents'), [700, 0])
  assert.deepEqual(priced.coupons, [{ code: 'A', discountCents: 700 }])
  assert.deepEqual(sums(priced), [1200, 240, 1440])
})

test('E6: 1299 including 20 % holds a tax of 217', () => {
  assert.deepEqual(sums(price([line(1299)], [], 'inclusive')), [1082, 217, 1299])
})

test('E7: 3 including 20 % stays 3', () => {
  assert.deepEqual(sums(price([line(3)], [], 'inclusive')), [2, 1, 3])
})

test('E8: a 25 % coupon on inclusive prices of two rates', () => {
  const priced = price([line(1499), line(999, 550)], [percent(2500)], 'inclusive')
  assert.deepEqual(each(priced, 'discountCents'), [375, 250])
  assert.deepEqual(groups(priced), [
    [2000, 937, 187],
    [550, 710, 39],
  ])
  assert.equal(priced.totalCents, 1873)
})

test('E9: a percentage comes before a fixed amount, a tie goes to the first line', () => {
  const coupons = [fixed(500, { code: 'A-FIXED' }), percent(2000, { code: 'Z-PERCENT' })]
  const priced = price([line(2500), line(1500)], coupons, 'exclusive')
  assert.deepEqual(priced.coupons, [
    { code: 'Z-PERCENT', discountCents: 800 },
    { code: 'A-FIXED', discountCents: 500 },
  ])
  assert.deepEqual(each(priced, 'discountCents'), [813, 487])
  assert.deepEqual(sums(priced), [2700, 540, 3240])
})

test('a second coupon works on what the first one left', () => {
  const half = [percent(5000, { code: 'A' }), percent(5000, { code: 'B' })]
  const priced = price([line(1000)], [...half, fixed(600, { code: 'C' })], 'exclusive')
  assert.deepEqual(
    priced.coupons.map(({ discountCents }) => discountCents),
    [500, 250, 250],
  )
})

test('E10: a setup fee is discounted only with includeSetupFee', () => {
  const lines = [line(1299), line(500, 2000, { setupFee: true })]
  const without = price(lines, [percent(5000)], 'exclusive')
  assert.deepEqual(each(without, 'discountCents'), [650, 0])
  assert.equal(without.totalCents, 1379)
  const included = price(lines, [percent(5000, { includeSetupFee: true })], 'exclusive')
  assert.deepEqual(each(included, 'discountCents'), [650, 250])
  assert.equal(included.totalCents, 1079)
})

test('E11: a 100 % coupon leaves a total of 0', () => {
  const priced = price([line(1299)], [percent(10_000)], 'exclusive')
  assert.equal(priced.discountCents, 1299)
  assert.deepEqual(sums(priced), [0, 0, 0])
})

test('E12: reverse charge takes the home VAT off every inclusive price', () => {
  const tax = taxed(2000, 'AE')
  const lines = [1200, 1299, 999].map((unit) => line(unit, 2000, { tax }))
  const priced = price(lines, [], 'inclusive')
  assert.deepEqual(each(priced, 'netCents'), [1000, 1082, 832])
  assert.equal(priced.taxCents, 0)
  assert.equal(priced.totalCents, 2914)
})

test('E13: a coupon for three cycles is on the first three invoices', () => {
  const terms = { ...percent(1000), duration: 'cycles', durationCycles: 3 } as const
  const totals = [1, 2, 3, 4, 5].map((n) => {
    const priced = price([line(1000)], couponCovers(terms, n) ? [terms] : [], 'exclusive')
    return [priced.netCents, priced.totalCents]
  })
  const [covered, full] = [
    [900, 1080],
    [1000, 1200],
  ]
  assert.deepEqual(totals, [covered, covered, covered, full, full])
})

test('E21: a gross price stays the same at a destination with another rate', () => {
  assert.deepEqual(sums(price([line(1299, 1900)], [], 'inclusive')), [1092, 207, 1299])
  assert.deepEqual(sums(price([line(1299, 2700)], [], 'inclusive')), [1023, 276, 1299])
})

test('E24: a draft priced again after the rate changed from 20 % to 10 % totals 1100', () => {
  assert.equal(price([line(1000)], [], 'exclusive').totalCents, 1200)
  assert.equal(price([line(1000, 1000)], [], 'exclusive').totalCents, 1100)
})

test('E26: 1000 at 20 % and 500 at 5.5 % are two groups', () => {
  const priced = price([line(1000), line(500, 550)], [], 'exclusive')
  assert.deepEqual(groups(priced), [
    [2000, 1000, 200],
    [550, 500, 28],
  ])
  assert.equal(priced.totalCents, 1728)
})

test('an exempt inclusive price is kept whole: it holds no VAT', () => {
  const priced = price([line(1200, 2000, { tax: taxed(2000, 'E') })], [], 'inclusive')
  assert.deepEqual(sums(priced), [1200, 0, 1200])
})

test('an inclusive price sold without VAT is refused while its VAT is unknown', () => {
  const tax = { ...taxed(0, 'O'), homeRateBasisPoints: null }
  const lines = [line(1200, 0, { tax })]
  assert.throws(() => price(lines, [], 'inclusive'), { statusCode: 422, code: 'tax_rate_unknown' })
  assert.equal(price(lines, [], 'exclusive').totalCents, 1200)
})

test('R4.9: a price already adjusted for the customer does not have VAT removed again', () => {
  const untaxed = { tax: taxed(2000, 'O') }
  const sold = (more: object) => price([line(1200, 0, { ...untaxed, ...more })], [], 'inclusive')
  assert.equal(sold({}).totalCents, 1000)
  assert.equal(sold({ asCharged: true }).totalCents, 1200)
})

test('a credit of quantity -1 lowers the group before tax is rounded', () => {
  const priced = price([line(500, 2000, { quantity: -1 }), line(1250)], [], 'exclusive')
  assert.deepEqual(sums(priced), [750, 150, 900])
  assert.deepEqual(each(priced, 'taxCents'), [-100, 250])
})

test('what else a line carries comes back with it', () => {
  const [priced] = price([{ ...line(100), itemId: 'cart-1' }], [], 'exclusive').lines
  assert.equal(priced?.itemId, 'cart-1')
})

test('invariant 7: lines outside the scope of VAT never stand beside others', () => {
  const lines = [line(100), line(100, 2000, { tax: taxed(2000, 'O') })]
  assert.throws(() => price(lines, [], 'exclusive'), RangeError)
})

const anyMode = fc.constantFrom<PriceMode>('exclusive', 'inclusive')
const anyLine = fc
  .record({
    unit: fc.integer({ min: 0, max: 50_000 }),
    quantity: fc.integer({ min: 1, max: 20 }),
    rate: fc.constantFrom(0, 550, 1000, 1900, 2000, 2550, 2700),
    setupFee: fc.boolean(),
    productId: fc.constantFrom('a', 'b', 'c'),
  })
  .map(({ unit, rate, ...more }) => line(unit, rate, more))
const anyLines = fc.array(anyLine, { minLength: 1, maxLength: 6 })
const anyCoupon = fc
  .record({
    code: fc.constantFrom('A', 'B', 'C', 'D'),
    percent: fc.boolean(),
    value: fc.integer({ min: 1, max: 10_000 }),
    includeSetupFee: fc.boolean(),
    productIds: fc.subarray(['a', 'b', 'c']),
  })
  .map(({ percent: isPercent, value, ...more }) =>
    isPercent ? percent(value, more) : fixed(value, more),
  )
const anyCoupons = fc.uniqueArray(anyCoupon, { maxLength: 3, selector: ({ code }) => code })

test('invariants 3 and 4: totals add up, tax is that of the group, parts add up to it', () => {
  fc.assert(
    fc.property(anyLines, anyCoupons, anyMode, (lines, coupons, mode) => {
      const priced = price(lines, coupons, mode)
      assert.equal(priced.totalCents, priced.netCents + priced.taxCents)
      assert.equal(priced.netCents, sumCents(priced.taxes.map(({ netCents }) => netCents)))
      assert.equal(priced.taxCents, sumCents(priced.taxes.map(({ taxCents }) => taxCents)))
      const promised = priced.subtotalCents - priced.discountCents
      assert.equal(mode === 'exclusive' ? priced.netCents : priced.totalCents, promised)
      for (const { rateBasisPoints, netCents, taxCents } of priced.taxes) {
        const own = priced.lines.filter(({ tax }) => tax.rateBasisPoints === rateBasisPoints)
        assert.equal(sumCents(own.map((it) => it.netCents)), netCents)
        assert.equal(sumCents(own.map((it) => it.taxCents)), taxCents)
        const off = Math.abs(taxCents - rateOf(netCents, rateBasisPoints ?? 0))
        assert.ok(off <= (mode === 'exclusive' ? 0 : 1))
      }
    }),
  )
})

test('invariant 5: discounts add up, no line goes below 0, others are left alone', () => {
  fc.assert(
    fc.property(anyLines, anyCoupon, anyMode, (lines, coupon, mode) => {
      const priced = price(lines, [coupon], mode)
      let eligible = 0
      for (const { subtotalCents, discountCents, setupFee, productId } of priced.lines) {
        const named = coupon.productIds.length === 0 || coupon.productIds.includes(productId ?? '')
        if (named && (coupon.includeSetupFee || !setupFee)) eligible += subtotalCents
        else assert.equal(discountCents, 0)
        assert.ok(discountCents >= 0 && discountCents <= subtotalCents)
      }
      assert.ok(priced.discountCents <= eligible)
      assert.equal(sumCents(each(priced, 'discountCents')), priced.discountCents)
      assert.equal(priced.coupons[0]?.discountCents, priced.discountCents)
    }),
  )
})

test('invariant 5: several coupons together take no line below 0', () => {
  fc.assert(
    fc.property(anyLines, anyCoupons, anyMode, (lines, coupons, mode) => {
      const priced = price(lines, coupons, mode)
      for (const { subtotalCents, discountCents } of priced.lines) {
        assert.ok(discountCents >= 0 && discountCents <= subtotalCents)
      }
      assert.equal(sumCents(priced.coupons.map((it) => it.discountCents)), priced.discountCents)
    }),
  )
})

test('invariant 6: a coupon never raises a total, and more percent never gives less', () => {
  fc.assert(
    fc.property(anyLines, anyCoupon, anyMode, fc.nat(9999), (lines, coupon, mode, less) => {
      const priced = price(lines, [coupon], mode)
      assert.ok(priced.totalCents <= price(lines, [], mode).totalCents)
      if (coupon.type === 'fixed') return
      const smaller = basisPoints(Math.min(less + 1, coupon.percentBasisPoints ?? 0))
      const other = price(lines, [{ ...coupon, percentBasisPoints: smaller }], mode)
      assert.ok(other.discountCents <= priced.discountCents)
    }),
  )
})

test('invariant 6: the order of lines changes no discount, and no total of a single rate', () => {
  fc.assert(
    fc.property(anyLines, anyCoupon, anyMode, (lines, coupon, mode) => {
      const turned = lines.toReversed()
      const discount = price(lines, [coupon], mode).discountCents
      assert.equal(price(turned, [coupon], mode).discountCents, discount)
      const single = lines.map((it) => ({ ...it, tax: taxed(2000) }))
      const total = price(single, [coupon], mode).totalCents
      assert.equal(price(single.toReversed(), [coupon], mode).totalCents, total)
    }),
  )
})

test('invariant 7: reverse charge, out of scope and exempt have no tax', () => {
  const untaxed = fc.constantFrom<TaxCategory>('AE', 'O', 'E')
  fc.assert(
    fc.property(anyLines, anyCoupons, anyMode, untaxed, (lines, coupons, mode, category) => {
      const priced = price(
        lines.map((it) => ({ ...it, tax: taxed(2000, category) })),
        coupons,
        mode,
      )
      assert.equal(priced.taxCents, 0)
      assert.equal(priced.netCents, priced.totalCents)
      assert.equal(priced.taxes.length, 1)
    }),
  )
})
