import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { findPlan, findProduct } from '#store'
import { testApp } from '#test/app.ts'
import { provisioningIn } from '#test/eggs.ts'
import { otherTenant, person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'

const app = await testApp(null)
const admin = await person(app, { permissions: ['store:*'] })
const shop = shopOf(admin, await provisioningIn(app))
const product = await shop.product()

test('a plan shows every field, with what was not said filled in', async () => {
  const body = { productId: product.id, name: 'Monthly', interval: 'month', priceCents: 1000 }
  const created = await admin.post('/v1/admin/plans', body)
  assert.equal(created.status, 201)
  const { id, createdAt, ...rest } = created.body
  assert.deepEqual(rest, {
    ...body,
    intervalCount: 1,
    priceMicros: null,
    currency: 'EUR',
    setupFeeCents: 0,
    trialDays: 0,
    prices: [],
    serviceCount: 0,
    archivedAt: null,
  })
  assert.deepEqual((await admin.get(`/v1/admin/plans/${id}`)).body, created.body)
})

test('a plan has prices in other currencies, and a change replaces them', async () => {
  const usd = { currency: 'USD', priceCents: 1100 }
  const gbp = { currency: 'GBP', priceCents: 900, setupFeeCents: 100 }
  const { id, prices } = await shop.plan(product.id, { prices: [usd, gbp] })
  const filled = { setupFeeCents: 0, priceMicros: null }
  assert.deepEqual(prices, [
    { ...filled, ...usd },
    { ...filled, ...gbp },
  ])
  const changed = await admin.patch(`/v1/admin/plans/${id}`, { prices: [gbp], priceCents: 1200 })
  assert.equal(changed.status, 200)
  assert.equal(changed.body.priceCents, 1200)
  assert.deepEqual(changed.body.prices, [{ ...filled, ...gbp }])
  assert.deepEqual((await admin.get(`/v1/admin/plans/${id}`)).body, changed.body)
  const same = await admin.patch(`/v1/admin/plans/${id}`)
  assert.deepEqual(same.body, changed.body)
})

test('a plan by the hour has the price of an hour, and the most a month costs', async () => {
  const hourly = { interval: 'hour', priceCents: 999, priceMicros: 13_900 }
  const plan = await shop.plan(product.id, hourly)
  assert.equal(plan.priceMicros, 13_900)
  const base = { productId: product.id, name: 'X', priceCents: 999 }
  const contradictions = [
    { ...base, interval: 'hour' },
    { ...base, interval: 'month', priceMicros: 1 },
    { ...base, ...hourly, prices: [{ currency: 'USD', priceCents: 1 }] },
  ]
  for (const body of contradictions) {
    const { status, body: answer } = await admin.post('/v1/admin/plans', body)
    assert.deepEqual([status, answer.code], [422, 'price_micros_mismatch'])
  }
})

const refused = [
  ['a negative price', { priceCents: -1 }, 400],
  ['a fraction of a cent', { priceCents: 9.5 }, 400],
  ['more than a million', { priceCents: 100_000_001 }, 400],
  ['no currency', { currency: 'XXX' }, 400],
  [
    'a currency that is none in another price',
    { prices: [{ currency: 'ABC', priceCents: 1 }] },
    400,
  ],
  ['an unknown interval', { interval: 'day' }, 400],
  ['no interval at all', { intervalCount: 0 }, 400],
  ['a total the server makes', { totalCents: 1 }, 400],
  ['a trial of something paid once', { interval: 'one_time', trialDays: 7 }, 422],
  ['two prices in one currency', { prices: [{ currency: 'EUR', priceCents: 1 }] }, 422],
] as const

for (const [what, fields, status] of refused) {
  test(`a plan with ${what} is refused with ${status}`, async () => {
    const body = { productId: product.id, name: 'X', interval: 'month', priceCents: 1, ...fields }
    assert.equal((await admin.post('/v1/admin/plans', body)).status, status)
  })
}

test('a plan belongs to a product of its own tenant', async () => {
  const tenantId = await otherTenant(app, 'plans.test')
  const stranger = await person(app, { tenantId, permissions: ['store:*'] })
  const body = { productId: product.id, name: 'X', interval: 'month', priceCents: 1 }
  const { status } = await stranger.post('/v1/admin/plans', body)
  assert.equal(status, 400)
  const plan = await shop.plan(product.id)
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    assert.equal((await stranger.request(method, `/v1/admin/plans/${plan.id}`)).status, 404)
  }
})

test("a plan's interval is fixed: the same one again is no change, another one is refused", async () => {
  const plan = await shop.plan(product.id, { intervalCount: 3 })
  const url = `/v1/admin/plans/${plan.id}`
  assert.equal((await admin.patch(url, { interval: 'month', intervalCount: 3 })).status, 200)
  const { status, body } = await admin.patch(url, { intervalCount: 6 })
  assert.deepEqual([status, body.code], [422, 'plan_cycle_fixed'])
})

test('the list is newest first and can be of one product', async () => {
  const own = await shop.product()
  const [one, two] = [await shop.plan(own.id), await shop.plan(own.id)]
  const { body } = await admin.get(`/v1/admin/plans?productId=${own.id}`)
  const listed = [two, one].map((plan) => ({ ...plan, serviceCount: null }))
  assert.deepEqual(body, { data: listed, nextCursor: null })
})

test('a deleted plan is gone from lists and sale, and kept for what refers to it', async () => {
  const { product: own, plan } = await shop.offer()
  const url = `/v1/admin/plans/${plan.id}`
  for (const raw of [undefined, '', '{}']) {
    const extra = await shop.plan(own.id)
    const answer = await admin.delete(
      `/v1/admin/plans/${extra.id}`,
      undefined,
      raw === undefined ? {} : { raw },
    )
    assert.deepEqual([answer.status, answer.body], [200, { id: extra.id, deleted: true }])
  }
  assert.equal((await admin.delete(url)).status, 200)
  assert.equal((await admin.get(url)).status, 404)
  assert.equal((await admin.patch(url, {})).status, 404)
  assert.equal((await admin.delete(url)).status, 404)
  assert.equal((await app.get(`/v1/store/products/${own.id}`)).status, 404, 'no plan is left')
  const db = app.deps.database.of(app.tenantId)
  const kept = await findPlan(db, { tenantId: app.tenantId, id: plan.id })
  assert.equal(kept?.priceCents, 1000)
  assert.ok(kept?.archivedAt)
  assert.ok(await findProduct(db, { tenantId: app.tenantId, id: own.id }))
  assert.equal((await admin.delete(`/v1/admin/plans/${newId()}`)).status, 404)
})
