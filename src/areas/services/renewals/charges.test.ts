import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cents } from '#lib/money.ts'
import { instant, later } from '#lib/time.ts'
import { assertWithdrawable, hourlyCharge, withdrawalEndsAt, withdrawalRefund } from './charges.ts'

const HOUR = 3600
const price = { priceMicros: 13_900, capCents: cents(999) }

test('E47: 37 h 12 min are 38 hours and cost 53, 721 hours cost the cap of 999', () => {
  assert.equal(hourlyCharge({ ...price, seconds: 37 * HOUR + 12 * 60 }), 53)
  assert.equal(hourlyCharge({ ...price, seconds: 721 * HOUR }), 999)
  assert.equal(hourlyCharge({ ...price, seconds: 721 * HOUR, capCents: null }), 1002)
  assert.equal(hourlyCharge({ ...price, seconds: 0 }), 0)
})

const july = { start: instant('2026-07-01T00:00:00Z'), end: instant('2026-08-01T00:00:00Z') }
const started = { paidCents: cents(1200), period: july, immediateStart: true }

test('E48: who withdraws after four days of July gets back 1045 of 1200', () => {
  assert.equal(withdrawalRefund({ ...started, at: instant('2026-07-05T00:00:00Z') }), 1045)
})

test('without an immediate start, or before the period, everything goes back', () => {
  const at = instant('2026-07-05T00:00:00Z')
  assert.equal(withdrawalRefund({ ...started, at, immediateStart: false }), 1200)
  assert.equal(withdrawalRefund({ ...started, at: instant('2026-06-30T00:00:00Z') }), 1200)
})

test('a withdrawal never gives back more than was paid, nor less than nothing', () => {
  const anySecond = fc.integer({ min: -86_400, max: 60 * 86_400 })
  fc.assert(
    fc.property(fc.nat(1_000_000), anySecond, (paid, second) => {
      const at = later(july.start, second * 1000)
      const refund = withdrawalRefund({ ...started, paidCents: cents(paid), at })
      assert.ok(refund >= 0 && refund <= paid)
      if (at >= july.end) assert.equal(refund, 0)
    }),
  )
})

test('the time to withdraw ends with the 14th day after that of the order', () => {
  const orderedAt = instant('2026-07-01T15:00:00Z')
  const endsAt = withdrawalEndsAt(orderedAt)
  assert.equal(endsAt, '2026-07-16T00:00:00.000Z')
  assert.doesNotThrow(() => assertWithdrawable(orderedAt, later(endsAt, -1)))
  assert.throws(() => assertWithdrawable(orderedAt, endsAt), {
    statusCode: 422,
    code: 'withdrawal_period_over',
  })
})
