import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { allocate, basisPoints, cents, portion, rateOf, roundDiv, sumCents } from './money.ts'

const anyBig = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
const anyDivisor = anyBig.filter((d) => d !== 0n)
const anyTotal = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })
const anyWeights = fc
  .array(fc.integer({ min: 0, max: 100_000_000 }), { minLength: 1, maxLength: 12 })
  .filter((weights) => weights.some((weight) => weight > 0))

test('E1: halves are rounded away from zero, on both sides of it', () => {
  assert.deepEqual([roundDiv(5n, 2n), roundDiv(-5n, 2n), roundDiv(1n, 2n)], [3n, -3n, 1n])
  assert.deepEqual([rateOf(250, 2100), rateOf(-250, 2100)], [53, -53])
  assert.deepEqual([rateOf(150, 1900), rateOf(1025, 550)], [29, 56])
})

const splits = [
  [100, [1, 1, 1], [34, 33, 33]],
  [-100, [1, 1, 1], [-34, -33, -33]],
  [10, [7, 7, 7, 7], [3, 3, 2, 2]],
  [5, [0, 3, 2], [0, 3, 2]],
  [500, [1299, 2599, 999], [133, 265, 102]],
] as const

for (const [total, weights, shares] of splits) {
  test(`E3: ${total} over ${weights.join(', ')} is ${shares.join(', ')}`, () => {
    assert.deepEqual(allocate(total, weights), shares)
  })
}

test('invariant 1: rounding mirrors at zero and is never further off than half', () => {
  fc.assert(
    fc.property(anyBig, anyDivisor, (n, d) => {
      const rounded = roundDiv(n, d)
      assert.equal(roundDiv(-n, d), -rounded)
      const off = rounded * d - n
      assert.ok((off < 0n ? -off : off) * 2n <= (d < 0n ? -d : d))
    }),
  )
})

test('invariant 2: shares add up, keep the sign, and are within one cent of the exact share', () => {
  fc.assert(
    fc.property(anyTotal, anyWeights, (total, weights) => {
      const shares = allocate(total, weights)
      assert.equal(sumCents(shares), total)
      assert.deepEqual(allocate(total, weights), shares)
      const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
      for (const [index, share] of shares.entries()) {
        const weight = weights[index] ?? 0
        if (weight === 0) assert.equal(share, 0)
        assert.ok(share === 0 || Math.sign(share) === Math.sign(total))
        const off = BigInt(share) * whole - BigInt(total) * BigInt(weight)
        assert.ok((off < 0n ? -off : off) < whole)
      }
    }),
  )
})

test('nothing over no weight is nothing, something over no weight is an error', () => {
  assert.deepEqual(allocate(0, [0, 0]), [0, 0])
  assert.deepEqual(allocate(0, []), [])
  assert.throws(() => allocate(1, [0, 0]), RangeError)
  assert.throws(() => allocate(1, [2, -1]), RangeError)
})

test('an amount that is no whole or no exact number of cents is refused', () => {
  for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 2n ** 60n]) {
    assert.throws(() => cents(value), RangeError)
  }
  assert.throws(() => sumCents([0.1, 0.2]), RangeError)
  assert.throws(() => sumCents([Number.MAX_SAFE_INTEGER, 1]), RangeError)
  assert.throws(() => allocate(1.5, [1]), RangeError)
  assert.throws(() => roundDiv(1n, 0n), RangeError)
})

test('zero has no sign', () => {
  assert.ok(Object.is(cents(-0), 0))
  assert.ok(Object.is(portion(-1, 1, 3), 0))
  assert.ok(Object.is(allocate(-1, [1, 1])[1], 0))
})

test('a rate is a whole number of basis points from 0 to 1 000 000', () => {
  assert.equal(basisPoints(2550), 2550)
  for (const value of [-1, 0.5, 1_000_001]) assert.throws(() => basisPoints(value), RangeError)
})
