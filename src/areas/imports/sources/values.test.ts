import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OTHER_CYCLE, WEEKS } from '../staging/resources.ts'
import { RowFault } from './cells.ts'
import { periodMonths } from './fossbilling/values.ts'
import { countryCode } from './paymenter/countries.ts'
import { currencyId } from './values.ts'

const countries: [string, string][] = [
  ['France', 'FR'],
  ['de', 'DE'],
  ['Korea', 'KR'],
  ['Bosnia And Herzegovina', 'BA'],
  ['Saint Kitts And Nevis', 'KN'],
  ["Cote D'Ivoire", 'CI'],
  ['Russian Federation', 'RU'],
  ['Turkey', 'TR'],
  ['United Kingdom', 'GB'],
  ['Atlantis', ''],
  ['__proto__', ''],
  ['', ''],
]

for (const [written, code] of countries) {
  test(`the country ${JSON.stringify(written)} is ${JSON.stringify(code)}`, () => {
    assert.equal(countryCode(written), code)
  })
}

test('currencies that are known by their code alone have different ids', () => {
  const ids = ['EUR', 'USD', 'JPY', 'AAA', 'ZZZ'].map(currencyId)
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(currencyId(' eur '), currencyId('EUR'))
  assert.equal(currencyId(''), null)
  assert.equal(currencyId('EURO'), currencyId('€'))
  assert.notEqual(currencyId('EURO'), currencyId('EUR'))
})

const periods: [string, number][] = [
  ['1M', 1],
  ['3m', 3],
  ['18M', 18],
  ['3Y', 36],
  ['1W', WEEKS + 1],
  ['52w', WEEKS + 52],
  ['14D', WEEKS + 2],
  ['45D', OTHER_CYCLE],
  ['999W', OTHER_CYCLE],
  ['0M', OTHER_CYCLE],
  ['99Y', OTHER_CYCLE],
]

for (const [code, months] of periods) {
  test(`the period ${code} lasts ${months} months`, () => {
    assert.equal(periodMonths(code), months)
  })
}

test('a period that cannot be read is no cycle that somebody guessed', () => {
  assert.throws(() => periodMonths('monthly'), RowFault)
})
