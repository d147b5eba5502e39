import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { testApp } from '#test/app.ts'
import { panelEgg, provisioningIn } from '#test/eggs.ts'
import { otherTenant, person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'

const app = await testApp(null)
const admin = await person(app, { permissions: ['store:*'] })
const shop = shopOf(admin, await provisioningIn(app))
const quote = (body: object) => app.post('/v1/store/quote', body)
const TOTALS = ['subtotalCents', 'discountCents', 'taxCents', 'totalCents', 'taxes', 'currency']

test('a visitor is quoted what a cart with the same things comes to', async () => {
  const monthly = await shop.offer({ setupFeeCents: 500 })
  const yearly = await shop.offer({ interval: 'year', priceCents: 9999, trialDays: 7 })
  const coupon = await shop.coupon({})
  const items = [
    { planId: monthly.plan.id, quantity: 2, name: 'Castle' },
    { planId: yearly.plan.id },
  ]
  for (const country of ['FR', 'DE', 'US']) {
    const buyer = await person(app, { country })
    for (const item of items) await buyer.post('/v1/cart/items', item)
    const { body: cart } = await buyer.put(`/v1/cart/coupons/${coupon.code}`)
    const { status, body } = await quote({ items, coupons: [coupon.code], country })
    assert.equal(status, 200)
    for (const key of TOTALS) assert.deepEqual(body[key], cart[key], `${country} ${key}`)
    const plain = cart.items.map(
      ({
        id,
        options,
        environment,
        faults,
        trial,
        ...item
      }: object & {
        id: string
        options: object
        environment: object
        faults: object
        trial: boolean
      }) => item,
    )
    assert.deepEqual(
      body.items,
      plain.map((item: object, index: number) => ({ path: `items.${index}`, ...item })),
    )
    assert.deepEqual([body.faults, body.country], [[], country])
  }
})

test('each item tells what it is, and what a further period costs', async () => {
  const { product, plan } = await shop.offer({ setupFeeCents: 500, trialDays: 3 })
  const { body } = await quote({ items: [{ planId: plan.id }] })
  const [item] = body.items
  assert.deepEqual(
    [item.productSlug, item.planName, item.interval, item.trialDays, item.available],
    [product.slug, plan.name, 'month', 3, true],
  )
  assert.deepEqual([item.totalCents, item.renewalCents], [0, 1200])
})

test('what cannot be bought is a fault of its item, and costs nothing', async () => {
  const { plan } = await shop.offer({}, { stock: 1 })
  const gone = await shop.offer()
  await admin.delete(`/v1/admin/plans/${gone.plan.id}`)
  const { status, body } = await quote({
    items: [{ planId: plan.id, quantity: 2 }, { planId: gone.plan.id }, { planId: newId() }],
  })
  assert.equal(status, 200)
  assert.deepEqual(
    body.faults.map(({ path, code }: { path: string; code: string }) => [path, code]),
    [
      ['items.0', 'out_of_stock'],
      ['items.1', 'plan_not_for_sale'],
      ['items.2', 'plan_not_for_sale'],
    ],
  )
  assert.deepEqual(
    body.items.map(({ available }: { available: boolean }) => available),
    [false, false],
  )
})

test('a coupon that does not count is a fault, and changes no price', async () => {
  const { plan } = await shop.offer()
  const ended = await shop.coupon({ validTo: '2020-01-01T00:00:00Z' })
  const items = [{ planId: plan.id }]
  const { body } = await quote({ items, coupons: [ended.code, 'NO-SUCH-CODE'] })
  assert.deepEqual(
    body.faults.map(({ path }: { path: string }) => path),
    ['coupons.0', 'coupons.1'],
  )
  assert.equal(body.faults[1].code, 'coupon_unknown')
  assert.equal(body.totalCents, 1200)
})

test('guessing coupon codes uses up the authentication quota', async (t) => {
  const strict = await testApp(t, {
    config: { rateLimits: { general: 1000, auth: 2, person: 1000 } },
  })
  const guess = () => strict.post('/v1/store/quote', { items: [], coupons: ['GUESS'] })
  assert.deepEqual([(await guess()).status, (await guess()).status], [200, 200])
  assert.equal((await guess()).status, 429)
})

test("another shop's plan is for sale to nobody here, and an unknown country is a 400 or 422", async () => {
  const { plan } = await shop.offer()
  await otherTenant(app, 'quotes.test')
  const there = await app.post(
    '/v1/store/quote',
    { items: [{ planId: plan.id }] },
    { headers: { host: 'quotes.test' } },
  )
  assert.deepEqual([there.body.items, there.body.faults[0].code], [[], 'plan_not_for_sale'])
  assert.equal((await quote({ items: [], country: 'ZZ' })).status, 400)
})

test('a product tells which variables its buyer may or must choose, and no secret of the shop', async () => {
  const { eggId, nodeId } = await panelEgg(app, 'LICENSE_KEY')
  const limits = { memoryMb: 1024, diskMb: 1024, cpuPercent: 100, swapMb: 0, io: 500 }
  const made = { eggId, nodeIds: [nodeId], limits, environment: { LICENSE_KEY: 'secret' } }
  const { product } = await shop.offer({}, { provisioning: made })
  const { body, text } = await app.get(`/v1/store/products/${product.id}`)
  assert.equal(typeof body.orderForm.game, 'string')
  assert.doesNotMatch(text, /"secret"/)
  for (const variable of body.orderForm.variables) {
    assert.deepEqual(Object.keys(variable), [
      'env',
      'name',
      'description',
      'rules',
      'default',
      'required',
    ])
  }
  const plain = await shop.offer()
  const { body: without } = await app.get(`/v1/store/products/${plain.product.id}`)
  assert.deepEqual(without.orderForm, { game: 'Egg', variables: [], options: [], locations: [] })
})
