import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { type Day, dayOf, instant, later } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { taxDecisionFor } from '#store'
import { testApp } from '#test/app.ts'
import { otherTenant, person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'

const app = await testApp(null)
const admin = await person(app, { permissions: ['store:*'] })
const shop = shopOf(admin)

const DAY_MS = 86_400_000
/** Countries of this file's rates: one each, since rates of one country must not overlap. */
const countries = ['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'GR', 'HR', 'HU']

function anotherCountry(): string {
  const country = countries.pop()
  assert.ok(country)
  return country
}

function dayIn(days: number): Day {
  return dayOf(later(app.deps.clock.now(), days * DAY_MS))
}

test('a tax rate shows every field, valid from today on', async () => {
  const country = anotherCountry()
  const given = { name: 'Standard', country, rateBasisPoints: 2100 }
  const { status, body } = await admin.post('/v1/admin/tax-rates', given)
  assert.equal(status, 201)
  const { id, createdAt, ...rest } = body
  const span = { validFrom: dayIn(0), validTo: null }
  assert.deepEqual(rest, {
    ...given,
    ...span,
    class: 'standard',
    category: 'S',
    versions: [{ rateBasisPoints: 2100, ...span }],
    archivedAt: null,
  })
  assert.deepEqual((await admin.get(`/v1/admin/tax-rates/${id}`)).body, body)
  const listed = await admin.get(`/v1/admin/tax-rates?country=${country}`)
  assert.deepEqual(listed.body, { data: [body], nextCursor: null })
})

test('PATCH without fields is 200 and changes nothing, whatever stands for no body', async () => {
  const rate = await shop.taxRate({ country: anotherCountry(), validFrom: '2020-01-01' })
  const url = `/v1/admin/tax-rates/${rate.id}`
  for (const options of [{}, { raw: '' }, { raw: '{}' }]) {
    const { status, body } = await admin.patch(url, undefined, options)
    assert.equal(status, 200)
    assert.deepEqual(body, rate)
  }
})

test('name and dates change in place, a new percentage keeps what counted before', async () => {
  const rate = await shop.taxRate({ country: anotherCountry(), validFrom: '2020-01-01' })
  const url = `/v1/admin/tax-rates/${rate.id}`
  const renamed = await admin.patch(url, { name: 'Other', validFrom: '2021-01-01' })
  assert.equal(renamed.body.name, 'Other')
  assert.equal(renamed.body.validFrom, '2021-01-01')
  const { status, body } = await admin.patch(url, { rateBasisPoints: 2300 })
  assert.equal(status, 200)
  assert.equal(body.id, rate.id)
  assert.equal(body.rateBasisPoints, 2300)
  assert.equal(body.validFrom, '2021-01-01')
  assert.deepEqual(body.versions, [
    { rateBasisPoints: 2000, validFrom: '2021-01-01', validTo: dayIn(0) },
    { rateBasisPoints: 2300, validFrom: dayIn(0), validTo: null },
  ])
})

test('a percentage for later counts from that day on, and not before', async () => {
  const rate = await shop.taxRate({ country: anotherCountry(), validFrom: '2020-01-01' })
  const url = `/v1/admin/tax-rates/${rate.id}`
  const effectiveFrom = dayIn(10)
  const { body } = await admin.patch(url, { rateBasisPoints: 500, effectiveFrom })
  assert.equal(body.rateBasisPoints, 2000)
  const customer = await person(app, { country: rate.country })
  const { tenantId, userId } = customer
  const bill = (days: number) =>
    taxDecisionFor(app.deps.database.of(tenantId), {
      ...{ tenantId, userId, productId: null },
      at: later(app.deps.clock.now(), days * DAY_MS),
    })
  assert.equal((await bill(9)).rateBasisPoints, 2000)
  assert.equal((await bill(10)).rateBasisPoints, 500)
})

test('two rates of a country and class cannot be valid on one day', async () => {
  const country = anotherCountry()
  const first = await shop.taxRate({ country, validFrom: '2020-01-01', validTo: '2026-01-01' })
  const body = { name: 'Next', country, rateBasisPoints: 1900 }
  const overlapping = await admin.post('/v1/admin/tax-rates', { ...body, validFrom: '2025-12-31' })
  assert.deepEqual([overlapping.status, overlapping.body.code], [409, 'tax_rate_overlap'])
  const next = await shop.taxRate({ ...body, validFrom: '2026-01-01' })
  await shop.taxRate({ ...body, class: 'reduced', validFrom: '2020-01-01' })
  const grown = await admin.patch(`/v1/admin/tax-rates/${first.id}`, { validTo: null })
  assert.equal(grown.status, 409)
  const moved = await admin.patch(`/v1/admin/tax-rates/${next.id}`, { class: 'reduced' })
  assert.equal(moved.status, 409)
  assert.deepEqual((await admin.get(`/v1/admin/tax-rates/${first.id}`)).body, first)
})

const refused = [
  ['more than 100 %', { rateBasisPoints: 10_001 }, 400],
  ['a fraction', { rateBasisPoints: 5.5 }, 400],
  ['no country', { country: 'ZZ' }, 400],
  ['a country in small letters', { country: 'fr' }, 400],
  ['a day that does not exist', { validFrom: '2026-02-30' }, 400],
  ['a day PostgreSQL does not know', { validFrom: '0000-01-01' }, 400],
  ['dates the wrong way round', { validFrom: '2026-02-01', validTo: '2026-01-01' }, 422],
  ['an exemption that costs', { category: 'E' }, 422],
] as const

for (const [what, fields, status] of refused) {
  test(`a tax rate with ${what} is refused with ${status}`, async () => {
    const body = { name: 'X', country: 'SE', rateBasisPoints: 2500, ...fields }
    assert.equal((await admin.post('/v1/admin/tax-rates', body)).status, status)
  })
}

test('a percentage from a day before the rate begins is refused', async () => {
  const rate = await shop.taxRate({ country: anotherCountry(), validFrom: '2026-01-01' })
  const body = { rateBasisPoints: 1, effectiveFrom: '2025-12-31' }
  const answer = await admin.patch(`/v1/admin/tax-rates/${rate.id}`, body)
  assert.deepEqual([answer.status, answer.body.code], [422, 'effective_from_outside'])
})

test('DELETE is 200 for a rate in use; products that have it fall back to the standard rate', async () => {
  const country = 'FR'
  const reduced = await shop.taxRate({ country, class: 'reduced', rateBasisPoints: 550 })
  const product = await shop.product({ taxRateId: reduced.id })
  const customer = await person(app, { country })
  const { tenantId, userId } = customer
  const decide = () =>
    taxDecisionFor(app.deps.database.of(tenantId), {
      ...{ tenantId, userId, productId: product.id },
      at: app.deps.clock.now(),
    })
  assert.equal((await decide()).rateBasisPoints, 550)
  const url = `/v1/admin/tax-rates/${reduced.id}`
  const { status, body } = await admin.delete(url)
  assert.deepEqual([status, body], [200, { id: reduced.id, deleted: true }])
  assert.equal((await decide()).rateBasisPoints, 2000)
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    assert.equal((await admin.request(method, url)).status, 404, method)
  }
  const left = await admin.get(`/v1/admin/products/${product.id}`)
  assert.equal(left.body.taxRateId, reduced.id)
  const again = await admin.patch(`/v1/admin/products/${product.id}`, { taxRateId: reduced.id })
  assert.equal(again.status, 200)
  await shop.taxRate({ country, class: 'reduced', rateBasisPoints: 1000 })
})

test("another tenant's tax rate is a 404, and its country is free for us", async () => {
  const tenantId = await otherTenant(app, 'rates.test')
  const stranger = await person(app, { tenantId, permissions: ['store:*'] })
  const country = anotherCountry()
  const rate = await shop.taxRate({ country })
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const { status } = await stranger.request(method, `/v1/admin/tax-rates/${rate.id}`)
    assert.equal(status, 404)
  }
  await shopOf(stranger).taxRate({ country })
  const unknown = await admin.patch(`/v1/admin/tax-rates/${newId()}`, { nonsense: 1 })
  assert.equal(unknown.status, 404)
})

test('E19: a consumer in Estonia pays the rate of the tax date', async () => {
  const host = 'estonia.test'
  const tenantId = await otherTenant(app, host)
  const customer = await person(app, { tenantId, country: 'EE' })
  const db = app.deps.database.of(tenantId)
  const decide = (at: string) =>
    transact(db, (tx) =>
      taxDecisionFor(tx, {
        ...{ tenantId, userId: customer.userId, productId: null },
        at: instant(`${at}T23:59:59.999Z`),
      }),
    )
  assert.equal((await decide('2025-06-30')).rateBasisPoints, 2200)
  assert.equal((await decide('2025-07-01')).rateBasisPoints, 2400)
})

test('the EU’s rates are imported once, with their history, beside what a tenant set itself', async () => {
  const tenantId = await otherTenant(app, 'import.example.org')
  const owner = await person(app, { admin: true, tenantId })
  const own = { name: 'Own', country: 'HU', rateBasisPoints: 500, validFrom: '2026-01-01' }
  assert.equal((await owner.post('/v1/admin/tax-rates', own)).status, 201)
  const old = { name: 'Old', country: 'EE', rateBasisPoints: 2200, validFrom: '2024-01-01' }
  assert.equal((await owner.post('/v1/admin/tax-rates', old)).status, 201)
  const { status, body } = await owner.post('/v1/admin/tax-rates/import-eu')
  assert.equal(status, 200)
  assert.deepEqual(body, { created: 25, updated: 1, unchanged: 1, asOf: '2026-08-22' })
  const ratesOf = async (country: string) => {
    const [rate] = (await owner.get(`/v1/admin/tax-rates?country=${country}`)).body.data
    return rate.versions.map((it: { rateBasisPoints: number }) => it.rateBasisPoints)
  }
  assert.deepEqual(await ratesOf('HU'), [500])
  assert.deepEqual(await ratesOf('EE'), [2200, 2400])
  assert.deepEqual(await ratesOf('LU'), [1700, 1600, 1700])
  const again = await owner.post('/v1/admin/tax-rates/import-eu')
  assert.deepEqual(again.body, { created: 0, updated: 0, unchanged: 27, asOf: '2026-08-22' })
  const reader = await person(app, { permissions: ['store:read'] })
  assert.equal((await reader.post('/v1/admin/tax-rates/import-eu')).status, 403)
})
