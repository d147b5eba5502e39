import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, instant, later } from '#lib/time.ts'
import { assertReopenable, assertVoidable, stateOf } from './rules.ts'

const now = instant('2030-01-08T12:00:00.000Z')
const fresh = { redeemedAt: null, voidedAt: null, expiresAt: null }

const STATES = [
  ['without an end', fresh, 'active'],
  ['that ends in a millisecond', { ...fresh, expiresAt: later(now, 1) }, 'active'],
  ['that ends now', { ...fresh, expiresAt: now }, 'expired'],
  ['that was redeemed before its end', { ...fresh, redeemedAt: now, expiresAt: now }, 'redeemed'],
  ['that was made void before its end', { ...fresh, voidedAt: now, expiresAt: now }, 'void'],
] as const

for (const [what, voucher, expected] of STATES) {
  test(`a voucher ${what} is ${expected}`, () => {
    assert.equal(stateOf(voucher, now), expected)
  })
}

test('a voucher can be reopened for 90 days after its end, and no other one', () => {
  const ended = (daysAgo: number) => ({ ...fresh, expiresAt: later(now, -daysAgo * DAY_MS) })
  assertReopenable(ended(0), now)
  assertReopenable(ended(89.9), now)
  for (const voucher of [ended(90), fresh, { ...ended(1), voidedAt: now }]) {
    assert.throws(() => assertReopenable(voucher, now), { code: 'voucher_not_reopenable' })
  }
})

test('expired vouchers can be made void, redeemed ones cannot', () => {
  assertVoidable(fresh, now)
  assertVoidable({ ...fresh, expiresAt: now }, now)
  assert.throws(() => assertVoidable({ ...fresh, redeemedAt: now }, now), {
    code: 'voucher_redeemed',
  })
  assert.throws(() => assertVoidable({ ...fresh, voidedAt: now }, now), { code: 'voucher_void' })
})
