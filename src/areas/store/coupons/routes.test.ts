import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { testApp } from '#test/app.ts'
import { provisioningIn } from '#test/eggs.ts'
import { otherTenant, person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'

const app = await testApp(null)
const admin = await person(app, { permissions: ['store:*'] })
const shop = shopOf(admin, await provisioningIn(app))

test('a coupon shows every field; its code is trimmed and in capitals', async () => {
  const given = { code: ' summer-26 ', type: 'percent', percentBasisPoints: 1000 }
  const { status, body } = await admin.post('/v1/admin/coupons', given)
  assert.equal(status, 201)
  const { id, createdAt, ...rest } = body
  assert.deepEqual(rest, {
    code: 'SUMMER-26',
    type: 'percent',
    percentBasisPoints: 1000,
    amountCents: null,
    currency: 'EUR',
    duration: 'once',
    durationCycles: null,
    minimumCents: null,
    maxRedemptions: null,
    maxRedemptionsPerUser: null,
    redemptions: 0,
    validFrom: null,
    validTo: null,
    newCustomersOnly: false,
    includeSetupFee: false,
    stackable: false,
    productIds: [],
    categoryIds: [],
    planIds: [],
    intervals: [],
    archivedAt: null,
  })
  assert.deepEqual((await admin.get(`/v1/admin/coupons/${id}`)).body, body)
  const listed = await admin.get('/v1/admin/coupons?code=Summer-26')
  assert.deepEqual(listed.body.data, [body])
})

test('a code is taken once, in any spelling', async () => {
  await shop.coupon({ code: 'TWICE' })
  const same = { code: 'twice', type: 'fixed', amountCents: 100 }
  const again = await admin.post('/v1/admin/coupons', same)
  assert.deepEqual([again.status, again.body.code], [409, 'code_taken'])
  const other = await shop.coupon()
  assert.equal((await admin.patch(`/v1/admin/coupons/${other.id}`, { code: 'twice' })).status, 409)
})

const refused = [
  ['percent without percentage', { percentBasisPoints: null }, 'percentBasisPoints'],
  ['fixed without amount', { type: 'fixed', percentBasisPoints: null }, 'amountCents'],
  ['both', { amountCents: 100 }, 'amountCents'],
  ['more than 100 %', { percentBasisPoints: 10_001 }, 'percentBasisPoints'],
  ['nothing off', { percentBasisPoints: 0 }, 'percentBasisPoints'],
  ['cycles without their number', { duration: 'cycles' }, 'durationCycles'],
  ['a number of cycles for once', { durationCycles: 3 }, 'durationCycles'],
  ['no uses at all', { maxRedemptions: 0 }, 'maxRedemptions'],
  ['a code with spaces inside', { code: 'A B' }, 'code'],
  ['a currency that is none', { currency: 'ABC' }, 'currency'],
  ['uses it counts itself', { redemptions: 0 }, 'redemptions'],
  ['an instant without a zone', { validFrom: '2026-01-01T00:00:00' }, 'validFrom'],
  ['an instant in the year 0', { validFrom: '0000-01-01T00:00:00Z' }, 'validFrom'],
  ['a leap second', { validFrom: '2016-12-31T23:59:60Z' }, 'validFrom'],
  ['an unknown product', { productIds: [newId()] }, 'productIds'],
  ['an unknown category', { categoryIds: [newId()] }, 'categoryIds'],
  ['an unknown plan', { planIds: [newId()] }, 'planIds'],
] as const

for (const [what, fields, path] of refused) {
  test(`a coupon with ${what} is a 400 that names ${path}`, async () => {
    const body = { code: 'X', type: 'percent', percentBasisPoints: 1000, ...fields }
    const answer = await admin.post('/v1/admin/coupons', body)
    assert.deepEqual([answer.status, answer.body.details[0].path], [400, path])
  })
}

test('a coupon ends after it begins, and keeps instants in UTC', async () => {
  const span = { validFrom: '2026-01-01T02:00:00+02:00', validTo: '2026-01-01T00:00:00.001Z' }
  const coupon = await shop.coupon(span)
  assert.equal(coupon.validFrom, '2026-01-01T00:00:00.000Z')
  const body = { validTo: '2026-01-01T00:00:00Z' }
  const { status } = await admin.patch(`/v1/admin/coupons/${coupon.id}`, body)
  assert.equal(status, 400)
})

test('a coupon changes its type and leaves behind what belonged to the old one', async () => {
  const coupon = await shop.coupon({ duration: 'cycles', durationCycles: 3 })
  const url = `/v1/admin/coupons/${coupon.id}`
  const change = { type: 'fixed', amountCents: 500, duration: 'forever' }
  const { status, body } = await admin.patch(url, change)
  assert.equal(status, 200)
  const expected = { ...coupon, ...change, percentBasisPoints: null, durationCycles: null }
  assert.deepEqual(body, expected)
  assert.deepEqual((await admin.patch(url, {})).body, expected)
  assert.equal((await admin.patch(url, { percentBasisPoints: 5 })).status, 400)
  assert.equal((await admin.patch(url, { type: 'percent' })).status, 400)
})

test('a deleted coupon is gone, and its code is free again', async () => {
  const coupon = await shop.coupon({ code: 'FREE-AGAIN' })
  const url = `/v1/admin/coupons/${coupon.id}`
  assert.deepEqual((await admin.delete(url)).body, { id: coupon.id, deleted: true })
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    assert.equal((await admin.request(method, url)).status, 404)
  }
  await shop.coupon({ code: 'FREE-AGAIN' })
})

test("another tenant's coupon is a 404, and its things cannot be named", async () => {
  const tenantId = await otherTenant(app, 'coupons.test')
  const stranger = await person(app, { tenantId, permissions: ['store:*'] })
  const coupon = await shop.coupon()
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const { status } = await stranger.request(method, `/v1/admin/coupons/${coupon.id}`)
    assert.equal(status, 404)
  }
  const { product, plan } = await shop.offer()
  const body = { code: 'X', type: 'fixed', amountCents: 1 }
  for (const scope of [{ productIds: [product.id] }, { planIds: [plan.id] }]) {
    assert.equal((await stranger.post('/v1/admin/coupons', { ...body, ...scope })).status, 400)
  }
})
