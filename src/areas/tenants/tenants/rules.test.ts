import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant } from '#lib/time.ts'
import { brandWith, hostsIn, moved, statusOf, urlUnder } from './rules.ts'

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
