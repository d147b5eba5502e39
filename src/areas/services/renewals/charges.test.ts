import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents } from '#lib/money.ts'
import { instant, later } from '#lib/time.ts'
import { assertWithdrawable, hourlyCharge, withdrawalEndsAt } from './charges.ts'

const HOUR = 3600
const price = { priceMicros: 13_900, capCents: cents(999) }

test('E47: 37 h 12 min are 38 hours and cost 53, 721 hours cost the cap of 999', () => {
  assert.equal(hourlyCharge({ ...price, seconds: 37 * HOUR + 12 * 60 }), 53)
  assert.equal(hourlyCharge({ ...price, seconds: 721 * HOUR }), 999)
  assert.equal(hourlyCharge({ ...price, seconds: 721 * HOUR, capCents: null }), 1002)
  assert.equal(hourlyCharge({ ...price, seconds: 0 }), 0)
})

test('the time to withdraw ends with the 14th day after that of the order', () => {
  const orderedAt = instant('2026-07-01T15:00:00Z')
  const endsAt = withdrawalEndsAt(orderedAt)
  assert.equal(endsAt, '2026-07-16T00:00:00.000Z')
  const service = { createdAt: orderedAt, startsAt: null }
  assert.doesNotThrow(() => assertWithdrawable(service, later(endsAt, -1)))
  const over = { statusCode: 422, code: 'withdrawal_period_over' }
  assert.throws(() => assertWithdrawable(service, endsAt), over)
  const waiting = { ...service, startsAt: later(endsAt, 1000) }
  assert.doesNotThrow(() => assertWithdrawable(waiting, endsAt))
  assert.throws(() => assertWithdrawable(waiting, waiting.startsAt), over)
})
