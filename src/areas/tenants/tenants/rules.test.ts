import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant } from '#lib/time.ts'
import { brandWith, hostsIn, moved, sellerWith, statusOf, urlUnder } from './rules.ts'

const now = instant('2030-01-08T00:00:00Z')
const before = instant('2030-01-01T00:00:00Z')
const active = { isDefault: false, suspendedAt: null, closedAt: null }

const moves = [
  ['an active one is suspended', active, 'suspended', { suspendedAt: now, closedAt: null }],
  ['an active one is closed', active, 'closed', { suspendedAt: null, closedAt: now }],
  [
    'a suspended one opens again',
    { ...active, suspendedAt: before },
    'active',
    { suspendedAt: null, closedAt: null },
  ],
  [
    'a suspended one that is suspended again stays as it is',
    { ...active, suspendedAt: before },
    'suspended',
    { suspendedAt: before, closedAt: null },
  ],
  [
    'a closed one comes back suspended',
    { ...active, closedAt: before },
    'suspended',
    { suspendedAt: now, closedAt: null },
  ],
] as const

for (const [what, tenant, to, expected] of moves) {
  test(`${what}`, () => {
    const after = moved(tenant, to, now)
    assert.deepEqual(after, expected)
    assert.equal(statusOf(after), to)
  })
}

test('the default tenant stays open', () => {
  const tenant = { ...active, isDefault: true }
  assert.throws(() => moved(tenant, 'closed', now), { statusCode: 409, code: 'default_tenant' })
  assert.throws(() => moved(tenant, 'suspended', now), { statusCode: 409 })
  assert.deepEqual(moved(tenant, 'active', now), { suspendedAt: null, closedAt: null })
})

test('a brand keeps what is not named and loses what is null', () => {
  const brand = { name: 'Old', primaryColor: '#112233', locale: 'fr' } as const
  assert.deepEqual(brandWith(brand, { name: 'New', primaryColor: null }), {
    ...{ name: 'New', locale: 'fr' },
  })
})

test('a seller’s codes are kept without spaces, in capitals', () => {
  const change = { iban: 'fr14 2004 1010 0505 0001 3m02 606', vatNumber: 'FR 40 303 265 045' }
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

test('one host name is kept once, however it is written', () => {
  assert.deepEqual(hostsIn(['A.example', 'a.example:443', 'b.example']), ['a.example', 'b.example'])
  assert.throws(() => hostsIn(['a.example', 'http://b.example']), {
    statusCode: 400,
    details: [{ path: 'domains.1', message: 'is not a host name' }],
  })
})

test('links stand under the tenant’s own host, with the installation’s scheme, port and path', () => {
  assert.equal(urlUnder('https://moor.example', 'shop.example'), 'https://shop.example')
  assert.equal(urlUnder('http://moor.example:3000/x', 'shop.example'), 'http://shop.example:3000/x')
  assert.equal(urlUnder('https://moor.example', undefined), 'https://moor.example')
})
