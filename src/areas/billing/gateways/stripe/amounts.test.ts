import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents } from '#lib/money.ts'
import { amountFor, leastAmount, moneyOf } from './amounts.ts'

const sent = [
  [500, 'JPY', 'jpy'],
  [1250, 'EUR', 'eur'],
  [1500, 'KWD', 'kwd'],
] as const

for (const [amount, currency, code] of sent) {
  test(`${amount} of ${currency} is sent as it stands`, () => {
    assert.deepEqual(amountFor({ amountCents: cents(amount), currency }), {
      amount,
      currency: code,
    })
  })
}

const refused = [
  [1505, 'KWD'],
  [0, 'EUR'],
  [-1, 'EUR'],
  [500, 'ISK'],
  [500, 'UGX'],
] as const

for (const [amount, currency] of refused) {
  test(`${amount} of ${currency} is refused before it is sent`, () => {
    const money = { amountCents: cents(amount), currency }
    assert.throws(() => amountFor(money), { kind: 'amount_not_allowed' })
  })
}

test('an amount is read as it stands', () => {
  assert.deepEqual(moneyOf(500, 'jpy'), { amountCents: 500, currency: 'JPY' })
})

test('the least amount is known by currency, in its smallest unit', () => {
  assert.deepEqual(['eur', 'JPY', 'HUF', 'XOF'].map(leastAmount), [50, 50, 17500, 1])
})
