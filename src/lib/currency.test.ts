import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  CURRENCIES,
  centsOfDecimal,
  decimalsOf,
  decimalText,
  formatAmount,
  isCurrency,
} from './currency.ts'

test('a currency is an ISO 4217 code in capitals that is still in use', () => {
  for (const code of ['EUR', 'JPY', 'KWD', 'XOF', 'SLE']) assert.ok(isCurrency(code))
  for (const code of ['eur', 'EURO', 'DEM', 'HRK', 'BGN', 'XAU', 'XXX', '']) {
    assert.ok(!isCurrency(code), code)
  }
})

test('every currency code stands in the list once and is known to the formatter', () => {
  assert.equal(new Set(CURRENCIES).size, CURRENCIES.length)
  for (const code of CURRENCIES) {
    assert.match(code, /^[A-Z]{3}$/)
    assert.match(formatAmount(123, code), /\d/)
  }
})

const amounts = [
  ['EUR', 2, 1299, '12.99', '€12.99'],
  ['EUR', 2, -5, '-0.05', '-€0.05'],
  ['JPY', 0, 1299, '1299', '¥1,299'],
  ['KWD', 3, 1299, '1.299', 'KWD 1.299'],
  ['HUF', 2, 100, '1.00', 'HUF 1.00'],
] as const

for (const [currency, decimals, amount, decimal, human] of amounts) {
  test(`${amount} of the smallest unit of ${currency} is written ${decimal}`, () => {
    assert.equal(decimalsOf(currency), decimals)
    assert.equal(decimalText(amount, currency), decimal)
    assert.equal(formatAmount(amount, currency).replaceAll('\u00a0', ' '), human)
  })
}

test('an amount is shown in the language of its reader', () => {
  assert.equal(formatAmount(123456, 'EUR', 'de'), '1.234,56\u00a0€')
})

test('an amount too large for a float is still written exactly', () => {
  assert.equal(decimalText(Number.MAX_SAFE_INTEGER, 'EUR'), '90071992547409.91')
  assert.equal(formatAmount(Number.MAX_SAFE_INTEGER, 'EUR'), '€90,071,992,547,409.91')
})

test('decimal text read back is the same amount', () => {
  const amount = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 })
  fc.assert(
    fc.property(amount, fc.constantFrom('EUR', 'JPY', 'KWD'), (value, currency) => {
      assert.equal(centsOfDecimal(decimalText(value, currency), currency), value)
    }),
  )
})

test('decimal text with fewer decimals is completed, with more it is refused', () => {
  assert.equal(centsOfDecimal('12.5', 'EUR'), 1250)
  assert.equal(centsOfDecimal('12', 'EUR'), 1200)
  assert.equal(centsOfDecimal('12.9900', 'EUR'), 1299)
  assert.equal(centsOfDecimal('5.00', 'JPY'), 5)
  for (const text of ['12.999', '1,50', '', '.5', '1e3', '--1', ' 1']) {
    assert.throws(() => centsOfDecimal(text, 'EUR'), RangeError, text)
  }
})

test('an unknown currency is refused, never taken for one with two decimals', () => {
  assert.throws(() => decimalsOf('DEM'), RangeError)
  assert.throws(() => formatAmount(1, 'eur'), RangeError)
})
