import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sumCents } from '#lib/money.ts'
import { instant } from '#lib/time.ts'
import { statusOf, valuesPerUnit } from './rules.ts'

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
