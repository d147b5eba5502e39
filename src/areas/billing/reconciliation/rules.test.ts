import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents } from '#lib/money.ts'
import { differenceOf } from './rules.ts'

const told = {
  received: { amountCents: cents(1200), currency: 'EUR' },
  refundedCents: cents(300),
  disputedCents: cents(0),
}
const booked = {
  receivedCents: cents(1200),
  currency: 'EUR',
  refundedCents: cents(300),
  disputedCents: cents(0),
}

const cases = [
  ['the same', booked, null],
  ['nothing', undefined, 'payment_not_booked'],
  ['less', { ...booked, receivedCents: cents(1199) }, 'payment_amount_differs'],
  ['another currency', { ...booked, currency: 'USD' }, 'payment_amount_differs'],
  ['fewer refunds', { ...booked, refundedCents: cents(0) }, 'refunds_differ'],
  ['a dispute more', { ...booked, disputedCents: cents(1200) }, 'disputes_differ'],
] as const

for (const [what, ours, kind] of cases) {
  test(`a payment of which we booked ${what} is ${kind ?? 'no difference'}`, () => {
    assert.equal(differenceOf(told, ours), kind)
  })
}
