import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { basisPoints, cents, rateOf } from '#lib/money.ts'
import type { Interval } from '#lib/periods.ts'
import { instant } from '#lib/time.ts'
import { isEarning, perMonth, withoutTax } from './rules.ts'

const cases: [string, number, Interval, number, number][] = [
  ['a month counts as it is', 1299, 'month', 1, 1299],
  ['a quarter is three months, rounded half up', 1000, 'month', 3, 333],
  ['half a cent is rounded up', 1001, 'month', 2, 501],
  ['a year is twelve months', 9990, 'year', 1, 833],
  ['three years are 36 months', 36_018, 'year', 3, 1001],
  ['a week is 84 / 365.25 of a month', 1000, 'week', 1, 4348],
  ['four weeks are less than a month', 1000, 'week', 4, 1087],
  ['metered hours do not recur', 1000, 'hour', 1, 0],
  ['what is sold once does not recur', 1000, 'one_time', 1, 0],
]

for (const [what, amount, interval, intervalCount, expected] of cases) {
  test(`${what}: ${amount} cents are ${expected} per month`, () => {
    assert.equal(perMonth(cents(amount), { interval, intervalCount }), expected)
  })
}

test('a price that holds tax is cleared of it, as its invoice is (E6, E7)', () => {
  assert.equal(withoutTax(cents(1299), basisPoints(2000)), 1082)
  assert.equal(withoutTax(cents(3), basisPoints(2000)), 2)
  assert.equal(withoutTax(cents(1299), null), 1299)
})

test('what is cleared of tax is at most one cent off the price that was taxed', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), fc.nat(10_000), (net, bp) => {
      const rate = basisPoints(bp)
      const gross = cents(net + rateOf(net, rate))
      assert.ok(Math.abs(withoutTax(gross, rate) - net) <= 1)
    }),
  )
})

test('a service earns from its first paid period until it ends, and nothing on trial', () => {
  const [paidAt, anchorAt, endedAt] = ['2026-05-01', '2026-05-08', '2026-06-08'].map(instant)
  assert.ok(paidAt && anchorAt && endedAt)
  const earning = {
    ...{ interval: 'month' as const, intervalCount: 1, valueCents: cents(1000) },
    ...{ paidAt, anchorAt, currentPeriodStart: anchorAt, endedAt: null },
  }
  assert.equal(isEarning(earning), true)
  assert.equal(isEarning({ ...earning, paidAt: null }), false)
  assert.equal(isEarning({ ...earning, endedAt }), false)
  assert.equal(isEarning({ ...earning, currentPeriodStart: paidAt }), false)
  assert.equal(isEarning({ ...earning, anchorAt: null, currentPeriodStart: null }), false)
})
