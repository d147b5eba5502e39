import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lineTextsIn } from '#billing'
import { cents, sumCents } from '#lib/money.ts'
import { instant } from '#lib/time.ts'
import { descriptionOf, keptCoupons, linesOfToday, statusOf, valuesPerUnit } from './rules.ts'

const at = instant('2030-01-08T00:00:00Z')
const none = { paidAt: null, fulfilledAt: null, canceledAt: null }

const states = [
  ['pending', none],
  ['paid', { ...none, paidAt: at }],
  ['fulfilled', { ...none, paidAt: at, fulfilledAt: at }],
  ['canceled', { ...none, canceledAt: at }],
  ['canceled', { ...none, paidAt: at, canceledAt: at }],
] as const

for (const [status, facts] of states) {
  test(`an order with ${Object.values(facts).filter(Boolean).length} facts is ${status}`, () => {
    assert.equal(statusOf(facts), status)
  })
}

test('the values of the units of a line add up to what the line costs', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 0, max: 10_000_000 }),
      fc.integer({ min: 0, max: 100 }),
      (quantity, subtotalCents, percent) => {
        const discountCents = Math.floor((subtotalCents * percent) / 100)
        const values = valuesPerUnit({ quantity, subtotalCents, discountCents })
        assert.equal(values.length, quantity)
        assert.equal(sumCents(values), subtotalCents - discountCents)
        assert.ok(Math.max(...values) - Math.min(...values) <= 1)
      },
    ),
  )
})

const line = { productName: 'Paper', planName: 'Small', setupFee: false, trialDays: 0 }
const descriptions = [
  ['Paper, Small: 1 month from payment', { interval: 'month', intervalCount: 1 }],
  ['Paper, Small: 2 years from payment', { interval: 'year', intervalCount: 2 }],
  ['Paper, Small: 7 days on trial', { interval: 'month', intervalCount: 1, trialDays: 7 }],
  ['Paper, Small: setup', { interval: 'month', intervalCount: 1, setupFee: true }],
  ['Paper, Small', { interval: 'hour', intervalCount: 1 }],
  ['Paper, Small', { interval: 'one_time', intervalCount: 1 }],
] as const

for (const [description, wanted] of descriptions) {
  const { interval } = wanted
  test(`what is sold by the ${interval} is called "${description}" (R3.11)`, () => {
    assert.equal(descriptionOf({ ...line, ...wanted }, lineTextsIn('en')), description)
  })
}

const inFrench = [
  ['Paper, Small : 1 mois à compter du paiement', { interval: 'month', intervalCount: 1 }],
  ['Paper, Small : 2 ans à compter du paiement', { interval: 'year', intervalCount: 2 }],
  ['Paper, Small : 3 semaines à compter du paiement', { interval: 'week', intervalCount: 3 }],
  ['Paper, Small : 1 jour d’essai', { interval: 'month', intervalCount: 1, trialDays: 1 }],
  [
    'Paper, Small : frais de mise en service',
    { interval: 'year', intervalCount: 1, setupFee: true },
  ],
] as const

for (const [description, wanted] of inFrench) {
  test(`who speaks French buys "${description}"`, () => {
    assert.equal(descriptionOf({ ...line, ...wanted }, lineTextsIn('fr')), description)
  })
}

test('who speaks a language that invoices do not is written to in English', () => {
  const sold = { ...line, interval: 'month', intervalCount: 1 } as const
  assert.equal(descriptionOf(sold, lineTextsIn('tlh')), 'Paper, Small: 1 month from payment')
})

const ordered: Parameters<typeof linesOfToday>[0]['lines'][number] = {
  ...{ itemId: 'item', productId: 'product', categoryId: null, planId: 'plan', interval: 'month' },
  ...{ quantity: 1, setupFee: false, free: false, unitPriceCents: 1000, description: '' },
  serviceId: null,
}
const fee = { ...ordered, setupFee: true, unitPriceCents: 300 }
const price = { priceCents: cents(2000), setupFeeCents: cents(500) }
const today = [
  ['has the price of its plan', [ordered, fee], price, [2000, 500]],
  ['keeps its price when the plan is not sold any more', [ordered, fee], undefined, [1000, 300]],
  ['stays free while nothing is charged', [{ ...ordered, free: true }], price, [0]],
  ['loses a fee that is none', [ordered, fee], { ...price, setupFeeCents: cents(0) }, [2000]],
] as const

for (const [what, lines, now, prices] of today) {
  test(`an order that is priced again ${what}`, () => {
    const priced = linesOfToday({ lines: [...lines], coupons: [] }, () => now)
    assert.deepEqual(
      priced.map(({ unitPriceCents }) => unitPriceCents),
      prices,
    )
  })
}

test('R1.9: a fixed coupon stays whole with what it is for, and does not go with anything else', () => {
  const coupon = {
    ...{ code: 'TEN', type: 'fixed' as const, percentBasisPoints: null, amountCents: cents(1000) },
    ...{ minimumCents: null, currency: 'EUR', includeSetupFee: false, stackable: false },
    ...{ productIds: ['game'], categoryIds: [], planIds: [], intervals: [] },
    ...{ duration: 'cycles' as const, durationCycles: 3 },
  }
  const sold = (productId: string, priceCents: number, quantity = 1) => ({
    ...{ productId, categoryId: null, planId: 'plan', interval: 'month' as const, quantity },
    ...{ setupFee: false },
    planPrice: { priceCents: cents(priceCents), setupFeeCents: cents(0), priceMicros: null },
  })
  const [game, games, voice] = [sold('game', 2000), sold('game', 1000, 2), sold('voice', 2000)]
  const lines = [game, games, voice]
  const partsOf = (line: typeof game) =>
    keptCoupons({ couponTerms: [coupon], lines }, line).map(({ amountCents }) => amountCents)
  assert.deepEqual(lines.map(partsOf), [[500], [250], []])
})
