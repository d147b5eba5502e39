import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { transact } from '#platform/database/index.ts'
import { markBuyer } from '#store'
import { testApp } from '#test/app.ts'
import { provisioningIn } from '#test/eggs.ts'
import { apiKey, otherTenant, type Person, person } from '#test/people.ts'
import { type Made, shopOf } from '#test/shop.ts'

const app = await testApp(null)
const admin = await person(app, { permissions: ['store:*'] })
const shop = shopOf(admin, await provisioningIn(app))

/** The amounts of a cart or an item: before discount, discount, tax, total. */
function amounts(it: Made): number[] {
  return [it.subtotalCents, it.discountCents, it.taxCents, it.totalCents]
}

/** Somebody with these plans in the cart. */
async function shopper(plans: readonly { id: string }[], fields: object = {}): Promise<Person> {
  const customer = await person(app, fields)
  for (const { id } of plans) {
    const { status, body } = await customer.post('/v1/cart/items', { planId: id })
    assert.equal(status, 201, JSON.stringify(body))
  }
  return customer
}

const EMPTY = {
  items: [],
  coupons: [],
  taxes: [],
  currency: 'EUR',
  subtotalCents: 0,
  discountCents: 0,
  taxCents: 0,
  totalCents: 0,
}

test('a cart that was never used is empty, in the currency of the seller', async () => {
  const customer = await person(app)
  const { status, body } = await customer.get('/v1/cart')
  assert.deepEqual([status, body], [200, EMPTY])
  assert.equal((await app.get('/v1/cart')).status, 401)
})

test('every write answers the cart, and it is what GET answers', async () => {
  const { product, plan } = await shop.offer({ setupFeeCents: 500 }, { name: 'Box' })
  const customer = await person(app)
  const options = {}
  const environment = {}
  const wanted = { planId: plan.id, quantity: 2, options, environment, name: 'Mine' }
  const added = await customer.post('/v1/cart/items', wanted)
  assert.equal(added.status, 201)
  const [item] = added.body.items
  const totals = { subtotalCents: 3000, discountCents: 0, taxCents: 600, totalCents: 3600 }
  assert.deepEqual(added.body, {
    items: [
      {
        ...{ ...wanted, ...totals, id: item.id, productId: product.id },
        // Its panel does not answer.
        ...{ location: null, stock: null, room: 'unknown' },
        ...{ unitPriceCents: 1000, trial: true, setupFeeCents: 500, renewalCents: 2400 },
        ...{ productSlug: product.slug, productName: 'Box', planName: plan.name },
        ...{ interval: 'month', intervalCount: 1, trialDays: 0, available: true },
        ...{ components: [], faults: [] },
      },
    ],
    coupons: [],
    taxes: [{ category: 'S', rateBasisPoints: 2000, netCents: 3000, taxCents: 600 }],
    currency: 'EUR',
    ...totals,
  })
  assert.deepEqual((await customer.get('/v1/cart')).body, added.body)
  const url = `/v1/cart/items/${item.id}`
  const changed = await customer.patch(url, { quantity: 1, name: null, options: {} })
  assert.equal(changed.status, 200)
  assert.deepEqual(amounts(changed.body), [1500, 0, 300, 1800])
  assert.equal(changed.body.items[0].name, 'Box')
  assert.deepEqual(changed.body.items[0].options, {})
  assert.deepEqual((await customer.patch(url)).body, changed.body)
  const removed = await customer.delete(url)
  assert.deepEqual([removed.status, removed.body], [200, EMPTY])
  assert.equal((await customer.delete(url)).status, 404)
})

const refused = [
  ['nothing', { quantity: 0 }],
  ['less than nothing', { quantity: -1 }],
  ['a fraction', { quantity: 1.5 }],
  ['2^53', { quantity: 2 ** 53 }],
  ['a negative 2^53', { quantity: -(2 ** 53) }],
  ['a quantity that is a text', { quantity: '1' }],
  ['a price of a piece', { unitPriceCents: 1 }],
  ['a total', { totalCents: 0 }],
  ['a price', { priceCents: 1 }],
  ['a discount', { discountCents: 1 }],
  ['a tax', { taxCents: 0 }],
  ['somebody else', { userId: newId() }],
  ['a currency that has no form', { currency: 'eur' }],
  ['options in options', { options: { a: { b: 1 } } }],
  ['options under a wild name', { options: { 'a b': 1 } }],
  ['an environment of numbers', { environment: { A: 1 } }],
  ['a name with a line break', { name: 'a\nb' }],
] as const

for (const [what, fields] of refused) {
  test(`what is put into a cart with ${what} is a 400 (hardening 37)`, async () => {
    const { plan } = await shop.offer()
    const customer = await person(app)
    const { status } = await customer.post('/v1/cart/items', { planId: plan.id, ...fields })
    assert.equal(status, 400)
    assert.deepEqual((await customer.get('/v1/cart')).body, EMPTY)
  })
}

test('an option is a 422 until products have options, also one named as what every object has', async () => {
  const { plan } = await shop.offer()
  const customer = await person(app)
  const options = { location: 'paris', constructor: 'a' }
  const { status, body } = await customer.post('/v1/cart/items', { planId: plan.id, options })
  assert.deepEqual([status, body.code], [422, 'options_invalid'])
  assert.deepEqual(
    body.details.map(({ path }: { path: string }) => path),
    ['options.location', 'options.constructor'],
  )
  assert.deepEqual((await customer.get('/v1/cart')).body, EMPTY)
  const added = await customer.post('/v1/cart/items', { planId: plan.id, options: {} })
  assert.equal(added.status, 201)
  const url = `/v1/cart/items/${added.body.items[0].id}`
  assert.equal((await customer.patch(url, { options })).body.code, 'options_invalid')
  for (const name of ['options', 'environment']) {
    const raw = `{"planId":"${plan.id}","${name}":{"__proto__":"x"}}`
    assert.equal((await customer.post('/v1/cart/items', undefined, { raw })).status, 400)
  }
  assert.equal(String({}), '[object Object]')
})

test("a plan that is not sold here is a 404: unknown, deleted, or another tenant's", async () => {
  const tenantId = await otherTenant(app, 'cart.test')
  const stranger = await person(app, { tenantId, permissions: ['store:*'] })
  const { plan: foreign } = await shopOf(
    stranger,
    await provisioningIn({ ...app, tenantId: stranger.tenantId }),
  ).offer()
  const { plan: deleted } = await shop.offer()
  await admin.delete(`/v1/admin/plans/${deleted.id}`)
  const { plan } = await shop.offer()
  const customer = await shopper([plan])
  const [item] = (await customer.get('/v1/cart')).body.items
  for (const planId of [foreign.id, deleted.id, newId()]) {
    assert.equal((await customer.post('/v1/cart/items', { planId })).status, 404)
    assert.equal((await customer.patch(`/v1/cart/items/${item.id}`, { planId })).status, 404)
  }
})

test("somebody else's item is a 404, and a read key changes nothing", async () => {
  const { plan } = await shop.offer()
  const customer = await shopper([plan])
  const before = (await customer.get('/v1/cart')).body
  const url = `/v1/cart/items/${before.items[0].id}`
  const other = await shopper([plan])
  assert.equal((await other.patch(url, { quantity: 2 })).status, 404)
  assert.equal((await other.patch(url, { nonsense: 2 })).status, 404)
  assert.equal((await other.delete(url)).status, 404)
  const key = await apiKey(app, customer, { permission: 'read' })
  assert.equal((await key.delete(url)).status, 403)
  assert.equal((await key.post('/v1/cart/items', { planId: plan.id })).status, 403)
  assert.deepEqual((await key.get('/v1/cart')).body, before)
})

test('a cart is taxed where its owner lives, once per rate', async () => {
  const { plan } = await shop.offer({ priceCents: 333 })
  const customer = await shopper([plan, plan, plan])
  const home = (await customer.get('/v1/cart')).body
  assert.deepEqual(amounts(home), [999, 0, 200, 1199])
  assert.deepEqual(
    home.items.map((it: Made) => it.taxCents),
    [67, 66, 67],
  )
  const german = await shopper([plan], { country: 'DE' })
  assert.deepEqual(amounts((await german.get('/v1/cart')).body), [333, 0, 63, 396])
  const american = await shopper([plan], { country: 'US' })
  assert.deepEqual(amounts((await american.get('/v1/cart')).body), [333, 0, 0, 333])
})

test('E24: a cart follows a price and a tax rate that change after it was filled', async () => {
  const reduced = await shop.taxRate({ class: 'reduced', rateBasisPoints: 1000 })
  const { product, plan } = await shop.offer()
  const customer = await shopper([plan])
  assert.equal((await customer.get('/v1/cart')).body.totalCents, 1200)
  const body = { productIds: [product.id], taxRateId: reduced.id }
  await admin.post('/v1/admin/products/bulk-tax-rate', body)
  assert.equal((await customer.get('/v1/cart')).body.totalCents, 1100)
  await admin.patch(`/v1/admin/plans/${plan.id}`, { priceCents: 2000 })
  assert.equal((await customer.get('/v1/cart')).body.totalCents, 2200)
})

test('a cart has one currency: the first thing in it settles it', async () => {
  const { plan: both } = await shop.offer({ prices: [{ currency: 'USD', priceCents: 1200 }] })
  const { plan: euros, product } = await shop.offer()
  const dollars = await shop.plan(product.id, { currency: 'USD', priceCents: 500 })
  const customer = await person(app)
  const put = (planId: string, currency?: string) =>
    customer.post('/v1/cart/items', { planId, ...(currency && { currency }) })
  assert.equal((await put(euros.id, 'USD')).body.code, 'currency_not_available')
  const first = await put(both.id, 'USD')
  assert.deepEqual([first.body.currency, first.body.subtotalCents], ['USD', 1200])
  assert.equal((await put(euros.id)).body.code, 'currency_not_available')
  assert.equal((await put(both.id, 'EUR')).body.code, 'cart_currency')
  assert.equal((await put(dollars.id)).body.subtotalCents, 1700)
  const other = await shopper([dollars])
  assert.equal((await other.get('/v1/cart')).body.currency, 'USD')
  const [item] = (await other.get('/v1/cart')).body.items
  await other.delete(`/v1/cart/items/${item.id}`)
  assert.equal((await other.post('/v1/cart/items', { planId: both.id })).body.currency, 'EUR')
})

test('what goes off sale costs nothing and stays in the cart until it is taken out', async () => {
  const [kept, gone] = [await shop.offer(), await shop.offer()]
  const customer = await shopper([kept.plan, gone.plan])
  await admin.delete(`/v1/admin/plans/${gone.plan.id}`)
  const { body } = await customer.get('/v1/cart')
  assert.deepEqual(amounts(body), [1000, 0, 200, 1200])
  assert.deepEqual(amounts(body.items[1]), [0, 0, 0, 0])
  const removed = await customer.delete(`/v1/cart/items/${body.items[1].id}`)
  assert.equal(removed.body.items.length, 1)
})

test('more than is in stock cannot be put into a cart, in one piece or in several', async () => {
  const { plan } = await shop.offer({}, { stock: 3 })
  const customer = await person(app)
  const put = (quantity: number) => customer.post('/v1/cart/items', { planId: plan.id, quantity })
  assert.equal((await put(4)).body.code, 'out_of_stock')
  const [item] = (await put(2)).body.items
  assert.equal((await put(2)).body.code, 'out_of_stock')
  assert.equal((await put(1)).status, 201)
  const more = await customer.patch(`/v1/cart/items/${item.id}`, { quantity: 3 })
  assert.deepEqual([more.status, more.body.code], [422, 'out_of_stock'])
})

test('a cart holds 50 things and 1000 pieces, and not one more', async () => {
  const { plan } = await shop.offer()
  const customer = await person(app)
  const put = (quantity: number) => customer.post('/v1/cart/items', { planId: plan.id, quantity })
  assert.equal((await put(1001)).body.code, 'cart_full')
  const first = await put(951)
  for (let n = 1; n < 50; n += 1) assert.equal((await put(1)).status, 201)
  const [item] = first.body.items
  assert.equal((await customer.patch(`/v1/cart/items/${item.id}`, { quantity: 1 })).status, 200)
  assert.equal((await put(1)).body.code, 'cart_full')
  const most = await customer.patch(`/v1/cart/items/${item.id}`, { quantity: 951 })
  assert.equal(most.status, 200)
  const over = await customer.patch(`/v1/cart/items/${item.id}`, { quantity: 952 })
  assert.equal(over.body.code, 'cart_full')
})

test('a trial and hours are not paid in advance; a trial is for one piece', async () => {
  const { plan: trial } = await shop.offer({ trialDays: 7, setupFeeCents: 300 })
  const hours = { interval: 'hour', priceCents: 999, priceMicros: 13_900, setupFeeCents: 100 }
  const { plan: hourly } = await shop.offer(hours)
  const customer = await shopper([trial, hourly])
  const { body } = await customer.get('/v1/cart')
  assert.deepEqual(
    body.items.map((it: Made) => [it.unitPriceCents, it.setupFeeCents]),
    [
      [0, 0],
      [0, 100],
    ],
  )
  const url = `/v1/cart/items/${body.items[0].id}`
  const two = await customer.patch(url, { quantity: 2 })
  assert.equal(two.body.items[0].subtotalCents, 2600)
  await customer.patch(url, { quantity: 1 })
  const again = await customer.post('/v1/cart/items', { planId: trial.id })
  assert.deepEqual(
    again.body.items.map((it: Made) => it.subtotalCents),
    [0, 100, 1300],
  )
})

test('a coupon is entered in any spelling, shown with what it takes off, and taken off again', async () => {
  await shop.coupon({ code: 'TEN' })
  const { plan } = await shop.offer()
  const customer = await shopper([plan])
  const { status, body } = await customer.put('/v1/cart/coupons/%20ten%20')
  assert.equal(status, 200)
  assert.deepEqual(body.coupons, [{ code: 'TEN', discountCents: 100 }])
  assert.deepEqual(amounts(body), [1000, 100, 180, 1080])
  assert.deepEqual((await customer.put('/v1/cart/coupons/TEN')).body, body)
  const removed = await customer.delete('/v1/cart/coupons/ten')
  assert.deepEqual([removed.status, removed.body.coupons], [200, []])
  assert.equal((await customer.delete('/v1/cart/coupons/ten')).status, 404)
  const unknown = await customer.put('/v1/cart/coupons/unknown')
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'coupon_unknown'])
  assert.equal((await customer.put('/v1/cart/coupons/%00')).status, 404)
})

test("another tenant's coupon is a 404", async () => {
  const tenantId = await otherTenant(app, 'cart-coupons.test')
  const stranger = await person(app, { tenantId, permissions: ['store:*'] })
  await shopOf(stranger, await provisioningIn({ ...app, tenantId: stranger.tenantId })).coupon({
    code: 'THEIRS',
  })
  const { plan } = await shop.offer()
  const customer = await shopper([plan])
  assert.equal((await customer.put('/v1/cart/coupons/THEIRS')).status, 404)
})

test('E14: a coupon with a minimum of 2000 is refused at 1999 and applied at 2000', async () => {
  await shop.coupon({ code: 'E14', minimumCents: 2000 })
  const { plan: below } = await shop.offer({ priceCents: 1999 })
  const { plan: enough } = await shop.offer({ priceCents: 2000 })
  const short = await shopper([below])
  const { status, body } = await short.put('/v1/cart/coupons/E14')
  assert.deepEqual([status, body.code], [422, 'coupon_not_applicable'])
  assert.deepEqual((await short.get('/v1/cart')).body.coupons, [])
  const rich = await shopper([enough])
  const applied = await rich.put('/v1/cart/coupons/E14')
  assert.deepEqual([applied.status, applied.body.discountCents], [200, 200])
})

test('E9: stackable coupons work on each other, percents first; one that is not stands alone', async () => {
  await shop.coupon({ code: 'B20', percentBasisPoints: 2000, stackable: true })
  await shop.coupon({ code: 'A500', type: 'fixed', amountCents: 500, stackable: true })
  await shop.coupon({ code: 'ALONE' })
  const [{ plan: a }, { plan: b }] = [
    await shop.offer({ priceCents: 2500 }),
    await shop.offer({ priceCents: 1500 }),
  ]
  const customer = await shopper([a, b])
  await customer.put('/v1/cart/coupons/A500')
  const { body } = await customer.put('/v1/cart/coupons/B20')
  assert.deepEqual(body.coupons, [
    { code: 'A500', discountCents: 500 },
    { code: 'B20', discountCents: 800 },
  ])
  assert.deepEqual(amounts(body), [4000, 1300, 540, 3240])
  assert.deepEqual(
    body.items.map((it: Made) => it.discountCents),
    [813, 487],
  )
  const third = await customer.put('/v1/cart/coupons/ALONE')
  assert.deepEqual([third.status, third.body.code], [422, 'coupon_not_applicable'])
})

test('E10: a setup fee is discounted only where the coupon says so', async () => {
  await shop.coupon({ code: 'HALF', percentBasisPoints: 5000 })
  await shop.coupon({ code: 'HALF-ALL', percentBasisPoints: 5000, includeSetupFee: true })
  const { plan } = await shop.offer({ priceCents: 1299, setupFeeCents: 500 })
  const customer = await shopper([plan])
  assert.equal((await customer.put('/v1/cart/coupons/HALF')).body.totalCents, 1379)
  await customer.delete('/v1/cart/coupons/HALF')
  assert.equal((await customer.put('/v1/cart/coupons/HALF-ALL')).body.totalCents, 1079)
})

test('a coupon works on what it is for: products, categories, plans, intervals', async () => {
  const category = await shop.category()
  const one = await shop.offer({}, { categoryId: category.id })
  const two = await shop.offer({ interval: 'year' })
  const customer = await shopper([one.plan, two.plan])
  const scopes = [
    { productIds: [two.product.id] },
    { categoryIds: [category.id] },
    { planIds: [two.plan.id] },
    { intervals: ['month'] },
    { intervals: ['week'] },
  ]
  const discounts = []
  for (const scope of scopes) {
    const { code } = await shop.coupon(scope)
    const { body } = await customer.put(`/v1/cart/coupons/${code}`)
    discounts.push(body.items?.map((it: Made) => it.discountCents) ?? body.code)
    await customer.delete(`/v1/cart/coupons/${code}`)
  }
  const [first, second] = [
    [100, 0],
    [0, 100],
  ]
  assert.deepEqual(discounts, [second, first, second, first, 'coupon_not_applicable'])
})

const HOUR_MS = 3_600_000
const inHours = (hours: number) =>
  new Date(Date.parse(app.deps.clock.now()) + hours * HOUR_MS).toISOString()

test('a coupon is refused before it begins and from the instant it ends', async () => {
  const early = await shop.coupon({ validFrom: inHours(1) })
  const late = await shop.coupon({ validTo: inHours(-1) })
  const { plan } = await shop.offer()
  const customer = await shopper([plan])
  for (const { code } of [early, late]) {
    const { status, body } = await customer.put(`/v1/cart/coupons/${code}`)
    assert.deepEqual([status, body.code], [422, 'coupon_not_applicable'])
  }
})

test('a coupon that stops being good stays in the cart and takes nothing off', async () => {
  const { id, code } = await shop.coupon()
  const { code: other } = await shop.coupon()
  const { plan } = await shop.offer()
  const customer = await shopper([plan])
  await customer.put(`/v1/cart/coupons/${code}`)
  await admin.delete(`/v1/admin/coupons/${id}`)
  const { status, body } = await customer.get('/v1/cart')
  assert.deepEqual([status, body.coupons], [200, [{ code, discountCents: 0 }]])
  assert.equal(body.totalCents, 1200)
  const replaced = await customer.put(`/v1/cart/coupons/${other}`)
  assert.deepEqual([replaced.status, replaced.body.totalCents], [200, 1080])
})

test('a coupon for new customers is for people who have never paid', async () => {
  const { code } = await shop.coupon({ newCustomersOnly: true })
  const { plan } = await shop.offer()
  const customer = await shopper([plan])
  assert.equal((await customer.put(`/v1/cart/coupons/${code}`)).status, 200)
  await transact(app.deps.database.of(app.tenantId), (tx) =>
    markBuyer(tx, customer, app.deps.clock.now()),
  )
  assert.equal((await customer.get('/v1/cart')).body.discountCents, 0)
  await customer.delete(`/v1/cart/coupons/${code}`)
  assert.equal((await customer.put(`/v1/cart/coupons/${code}`)).status, 422)
})
