import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertStaysComplete, enteredIn, missingIn, sellerWith } from './rules.ts'

const ADDRESS = { name: 'Ada', line1: '1 Street', postcode: '10115', city: 'Berlin' }
const FRENCH = { ...ADDRESS, country: 'FR', registerNumber: '303265045' }
const missing = (seller: object) =>
  missingIn(enteredIn(seller)).map(({ path }) => path.replace('seller.', ''))

const complete = [
  [
    'a French seller that is registered',
    { ...FRENCH, taxStatus: 'registered', vatNumber: 'FR1' },
    [],
  ],
  ['a French small business', { ...FRENCH, taxStatus: 'small_business' }, []],
  [
    'a French seller without its SIREN',
    { ...FRENCH, taxStatus: 'small_business', registerNumber: null },
    ['registerNumber'],
  ],
  ['a seller without a tax decision', FRENCH, ['taxStatus']],
  [
    'a registered seller in the EU without its number',
    { ...ADDRESS, country: 'AT', taxStatus: 'registered' },
    ['vatNumber'],
  ],
  [
    'a registered seller outside the EU',
    { ...ADDRESS, country: 'US', taxStatus: 'registered' },
    [],
  ],
  [
    'a seller where there are no postcodes',
    { ...ADDRESS, postcode: null, country: 'AE', taxStatus: 'not_subject' },
    [],
  ],
  [
    'a seller in the EU without a postcode',
    { ...ADDRESS, postcode: null, country: 'AT', taxStatus: 'not_subject' },
    ['postcode'],
  ],
  [
    'a German small business without any number',
    { ...ADDRESS, country: 'DE', taxStatus: 'small_business' },
    ['registerNumber'],
  ],
  ['a seller that entered nothing', {}, ['name', 'line1', 'city', 'country', 'taxStatus']],
] as const

for (const [what, seller, fields] of complete) {
  test(`${what} lacks ${fields.join(', ') || 'nothing'} (R3.11)`, () => {
    assert.deepEqual(missing(seller), fields)
  })
}

test('a seller that sells stays complete, and what it never had may still be missing', () => {
  const before = { ...FRENCH, taxStatus: 'small_business' }
  assert.throws(() => assertStaysComplete(before, { ...before, taxStatus: 'registered' }), {
    statusCode: 422,
    code: 'seller_incomplete',
  })
  const { registerNumber: _, ...older } = before
  assertStaysComplete(older, { ...older, city: 'Paris' })
})

test('a VAT number without a country is refused', () => {
  const code = 'seller_country_missing'
  assert.throws(() => sellerWith({}, { vatNumber: 'FR40303265045' }), { statusCode: 422, code })
})

test('a seller’s codes are kept without spaces, in capitals', () => {
  const change = {
    country: 'FR',
    iban: 'fr14 2004 1010 0505 0001 3m02 606',
    vatNumber: 'FR 40 303 265 045',
  }
  const { iban, vatNumber } = sellerWith({}, change)
  assert.equal(iban, 'FR1420041010050500013M02606')
  assert.equal(vatNumber, 'FR40303265045')
})

const refused = [
  ['a country that is none', { country: 'QQ' }, 400],
  ['a currency that is none', { currency: 'QQQ' }, 400],
  ['an account with a wrong digit', { iban: 'DE89370400440532013001' }, 400],
  ['a bank that is none', { bic: 'NOPE' }, 400],
  ['a VAT number of another country', { country: 'FR', vatNumber: 'DE136695976' }, 422],
  ['a VAT number of no shape', { country: 'DE', vatNumber: 'DE1' }, 422],
] as const

for (const [what, change, statusCode] of refused) {
  test(`${what} is refused with ${statusCode}`, () => {
    assert.throws(() => sellerWith({}, change), { statusCode })
  })
}

test('a country that leaves its VAT number behind is refused', () => {
  const seller = { country: 'DE', vatNumber: 'DE136695976' }
  assert.throws(() => sellerWith(seller, { country: 'FR' }), { statusCode: 422 })
  assert.equal(sellerWith(seller, { country: 'FR', vatNumber: null }).vatNumber, null)
})
