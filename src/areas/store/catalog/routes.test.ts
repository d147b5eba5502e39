import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { json, transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { panelEgg, provisioningIn } from '#test/eggs.ts'
import { otherTenant, person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'

const app = await testApp(null)
const admin = await person(app, { permissions: ['store:*'] })
const shop = shopOf(admin, await provisioningIn(app))

test('a visitor sees a product with its plans and tax, and nothing of how it is made', async () => {
  const limits = { memoryMb: 4096, diskMb: 10_240, cpuPercent: 200, swapMb: 0, io: 500 }
  const featureLimits = { databases: 1, backups: 2, allocations: 0 }
  const environment = { LICENSE_KEY: 'secret' }
  const { eggId, nodeId } = await panelEgg(app, 'LICENSE_KEY')
  const made = { eggId, nodeIds: [nodeId], limits, featureLimits, environment }
  const { product, plan } = await shop.offer({}, { stock: 3, slug: 'shown', provisioning: made })
  const { status, body } = await app.get('/v1/store/products/shown')
  assert.equal(status, 200)
  const { serviceCount: _, ...shown } = plan
  assert.deepEqual(body, {
    id: product.id,
    slug: 'shown',
    name: product.name,
    description: null,
    categoryId: null,
    stock: 3,
    position: 0,
    upgradeTargetIds: [],
    ...{ delivery: 'server', promiseHours: null, periodStarts: 'payment' },
    provisioning: { limits, featureLimits },
    image: null,
    ...{ badge: null, searchTitle: null, searchDescription: null },
    // Its panel does not answer.
    ...{ available: true, room: 'unknown' },
    tax: { category: 'S', rateBasisPoints: 2000, country: 'FR', priceMode: 'exclusive' },
    plans: [{ ...shown, netCents: 1000, taxCents: 200, totalCents: 1200, setupTotalCents: 0 }],
    orderForm: { game: 'Egg', variables: [], options: [], locations: [] },
    createdAt: product.createdAt,
  })
  assert.deepEqual((await app.get(`/v1/store/products/${product.id}`)).body, body)
})

const places = [
  ['', 'S', 2000, 1200],
  ['?country=DE', 'S', 1900, 1190],
  ['?country=US', 'O', null, 1000],
] as const

for (const [query, category, rateBasisPoints, total] of places) {
  test(`a price of 1000 is shown as ${total} for ${query || 'the seller’s country'}`, async () => {
    const { product } = await shop.offer()
    const { body } = await app.get(`/v1/store/products/${product.id}${query}`)
    assert.deepEqual([body.tax.category, body.tax.rateBasisPoints], [category, rateBasisPoints])
    assert.equal(body.plans[0].totalCents, total)
  })
}

test('whoever is signed in sees the tax of the country they live in', async () => {
  const { product } = await shop.offer()
  const hungarian = await person(app, { country: 'HU' })
  const { body } = await hungarian.get(`/v1/store/products/${product.id}?country=DE`)
  assert.equal(body.plans[0].totalCents, 1270)
  const nobody = await person(app)
  const elsewhere = await nobody.get(`/v1/store/products/${product.id}?country=DE`)
  assert.equal(elsewhere.body.plans[0].totalCents, 1190)
})

test('a country that does not exist is a 400', async () => {
  const { product } = await shop.offer()
  for (const query of ['country=ZZ', 'country=fr', 'currency=eur']) {
    assert.equal((await app.get(`/v1/store/products/${product.id}?${query}`)).status, 400, query)
    assert.equal((await app.get(`/v1/store/products?${query}`)).status, 400, query)
  }
})

test('a plan is shown in the currency that is asked for, if it is sold in it', async () => {
  const { product, plan } = await shop.offer({
    setupFeeCents: 300,
    prices: [{ currency: 'USD', priceCents: 1200, setupFeeCents: 350 }],
  })
  const url = `/v1/store/products/${product.id}`
  const [dollars] = (await app.get(`${url}?currency=USD`)).body.plans
  assert.deepEqual(
    [dollars.currency, dollars.priceCents, dollars.setupFeeCents, dollars.totalCents],
    ['USD', 1200, 350, 1440],
  )
  // What a consumer reads is what they pay: with tax, like the price.
  assert.equal(dollars.setupTotalCents, 420)
  assert.equal(dollars.prices[0].currency, 'EUR')
  const [pounds] = (await app.get(`${url}?currency=GBP`)).body.plans
  assert.deepEqual([pounds.currency, pounds.id], ['EUR', plan.id])
})

test('an inclusive price stays the same abroad, and is less where there is no VAT', async () => {
  const host = 'inclusive.test'
  const tenantId = await otherTenant(app, host)
  await transact(app.deps.database.everywhere, (tx) =>
    tx
      .updateTable('tenants.tenants')
      .set({ seller: json({ priceMode: 'inclusive' }) })
      .where('id', '=', tenantId)
      .execute(),
  )
  const there = shopOf(
    await person(app, { tenantId, permissions: ['store:*'] }),
    await provisioningIn({ ...app, tenantId }),
  )
  const { product } = await there.offer({ priceCents: 1299 })
  const amounts = []
  for (const country of ['DE', 'HU', 'US']) {
    const url = `/v1/store/products/${product.id}?country=${country}`
    const [plan] = (await app.get(url, { headers: { host } })).body.plans
    amounts.push([plan.netCents, plan.taxCents, plan.totalCents])
  }
  assert.deepEqual(amounts, [
    [1092, 207, 1299],
    [1023, 276, 1299],
    [1082, 0, 1082],
  ])
})

test('the list is in the order that was arranged, without what is hidden or off sale', async () => {
  const host = 'list.test'
  const tenantId = await otherTenant(app, host)
  const owner = await person(app, { tenantId, permissions: ['store:*'] })
  const there = shopOf(owner, await provisioningIn({ ...app, tenantId: owner.tenantId }))
  const hiddenCategory = await there.category({ hidden: true })
  const category = await there.category()
  for (const position of [2, 1, 3]) {
    await there.offer({}, { name: `P${position}`, position, categoryId: category.id })
  }
  const { product: hidden } = await there.offer({}, { slug: 'hidden', hidden: true })
  await there.offer({}, { name: 'In a hidden category', categoryId: hiddenCategory.id })
  const { product: gone } = await there.offer({}, { name: 'Gone' })
  await owner.delete(`/v1/admin/products/${gone.id}`)
  const headers = { host }
  const first = await app.get('/v1/store/products?limit=2', { headers })
  const cursor = first.body.nextCursor
  const second = await app.get(`/v1/store/products?limit=2&cursor=${cursor}`, { headers })
  const listed = [...first.body.data, ...second.body.data]
  assert.deepEqual(
    listed.map((it) => [it.name, it.plans.length]),
    [
      ['P1', 1],
      ['P2', 1],
      ['P3', 1],
    ],
  )
  assert.equal(second.body.nextCursor, null)
  const url = `/v1/store/products?categoryId=${category.id}`
  assert.equal((await app.get(url, { headers })).body.data.length, 3)
  const byLink = await app.get('/v1/store/products/hidden', { headers })
  assert.equal(byLink.body.id, hidden.id)
})

test('products with plans cost the same number of queries, however many there are', async () => {
  const tenantId = await otherTenant(app, 'many.test')
  const there = shopOf(
    await person(app, { tenantId, permissions: ['store:*'] }),
    await provisioningIn({ ...app, tenantId }),
  )
  const headers = { host: 'many.test' }
  const count = async () => {
    let queries = 0
    const { pool } = app.deps.database
    const connect = pool.connect.bind(pool)
    const counted = async () => {
      queries += 1
      return connect()
    }
    Object.assign(pool, { connect: counted })
    const { body } = await app.get('/v1/store/products?limit=100', { headers })
    Object.assign(pool, { connect })
    return { queries, products: body.data.length }
  }
  await there.offer()
  const few = await count()
  for (let n = 0; n < 19; n += 1) await there.offer()
  const many = await count()
  assert.deepEqual([few.products, many.products], [1, 20])
  // Jobs in the background may ask something meanwhile; a query per product would be 19 more.
  assert.ok(many.queries - few.queries < 9, `${few.queries}, then ${many.queries}`)
})

test('upgrade targets are the products on sale that a product names, hidden ones too', async () => {
  const [small, gone] = [await shop.offer(), await shop.offer()]
  const large = await shop.offer({}, { hidden: true })
  const url = `/v1/admin/products/${small.product.id}`
  await admin.patch(url, { upgradeTargetIds: [large.product.id, gone.product.id] })
  await admin.delete(`/v1/admin/products/${gone.product.id}`)
  const targets = `/v1/store/products/${small.product.id}/upgrade-targets`
  const { status, body } = await app.get(targets)
  assert.equal(status, 200)
  assert.deepEqual(
    body.data.map((it: { id: string; plans: { id: string }[] }) => [it.id, it.plans[0]?.id]),
    [[large.product.id, large.plan.id]],
  )
  assert.equal((await app.get(`/v1/store/products/${newId()}/upgrade-targets`)).status, 404)
})

test("another tenant's product and what is no id or slug are 404s", async () => {
  const { product } = await shop.offer()
  await otherTenant(app, 'catalog.test')
  const headers = { host: 'catalog.test' }
  const paths = [product.id, product.slug]
  for (const path of paths) {
    assert.equal((await app.get(`/v1/store/products/${path}`, { headers })).status, 404)
  }
  for (const path of ['constructor', '__proto__', '%00', "'%20or%201=1--", newId()]) {
    assert.equal((await app.get(`/v1/store/products/${path}`)).status, 404, path)
  }
})
