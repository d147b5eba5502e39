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

const strangerTenant = await otherTenant(app, 'other-products.test')
const stranger = await person(app, { tenantId: strangerTenant, permissions: ['store:*'] })

test('a product shows every field, null where there is nothing', async () => {
  const { status, body } = await admin.post('/v1/admin/products', { name: 'Minecraft 4 GB' })
  assert.equal(status, 201)
  const { id, createdAt, ...rest } = body
  assert.deepEqual(rest, {
    slug: 'minecraft-4-gb',
    name: 'Minecraft 4 GB',
    description: null,
    categoryId: null,
    taxRateId: null,
    stock: null,
    hidden: false,
    image: null,
    ...{ translations: {}, badge: null },
    position: 0,
    upgradeTargetIds: [],
    delivery: 'server',
    instructions: null,
    promiseHours: null,
    periodStarts: 'payment',
    taskActions: ['change', 'suspend', 'end'],
    webhook: null,
    webhookStatus: null,
    provisioning: null,
    locations: [],
    provisioningFaults: [{ path: 'provisioning', message: 'is missing' }],
    publishedAt: null,
    publishFaults: [
      { path: 'plans', message: 'must have a plan with a price in EUR' },
      { path: 'provisioning', message: 'is missing' },
    ],
    sellable: false,
    plans: [],
    serviceCount: 0,
    archivedAt: null,
  })
  assert.deepEqual((await admin.get(`/v1/admin/products/${id}`)).body, body)
})

test('what a product provisions is filled in with what a panel takes for granted', async () => {
  const { eggId } = await panelEgg(app)
  const limits = { memoryMb: 4096, diskMb: 10_240 }
  const product = await shop.product({ provisioning: { eggId, limits } })
  assert.deepEqual(product.provisioning, {
    eggId,
    nodeIds: [],
    locationIds: [],
    limits: { ...limits, cpuPercent: 0, swapMb: 0, io: 500 },
    featureLimits: { databases: 0, backups: 0, allocations: 1 },
    environment: {},
  })
})

test('a product of an egg that is on no panel is refused with 422', async () => {
  const provisioning = { eggId: newId(), limits: { memoryMb: 1, diskMb: 1 } }
  const answer = await admin.post('/v1/admin/products', { name: 'X', provisioning })
  assert.equal(answer.status, 422)
  assert.equal(answer.body.code, 'provisioning_invalid')
})

test('the environment of a product holds text under names of variables, and nothing else', async () => {
  const provisioning = { eggId: newId(), limits: { memoryMb: 1, diskMb: 1 } }
  for (const environment of [{ 'a b': 'x' }, { A: 1 }, { A: ['x'] }, { '': 'x' }]) {
    const body = { name: 'X', provisioning: { ...provisioning, environment } }
    assert.equal((await admin.post('/v1/admin/products', body)).status, 400)
  }
  const raw = JSON.stringify({ name: 'X', provisioning }).replace(
    '"eggId"',
    '"environment":{"__proto__":"x"},"eggId"',
  )
  assert.equal((await admin.post('/v1/admin/products', undefined, { raw })).status, 400)
})

test('the list has products with their plans, newest first, page by page', async () => {
  const category = await shop.category()
  const made = []
  for (const name of ['One', 'Two', 'Three']) {
    made.push(await shop.offer({}, { name, categoryId: category.id }))
  }
  const url = `/v1/admin/products?categoryId=${category.id}&limit=2`
  const first = await admin.get(url)
  const second = await admin.get(`${url}&cursor=${first.body.nextCursor}`)
  const listed = [...first.body.data, ...second.body.data]
  assert.deepEqual(
    listed.map((it) => [it.id, it.plans[0].id]),
    made.reverse().map(({ product, plan }) => [product.id, plan.id]),
  )
  assert.equal(second.body.nextCursor, null)
})

test('a product changes field by field, and a change without fields changes nothing', async () => {
  const { product, plan } = await shop.offer()
  const url = `/v1/admin/products/${product.id}`
  const { status, body } = await admin.patch(url, { stock: 5, hidden: true, description: 'New' })
  assert.equal(status, 200)
  const changed = { ...product, plans: [plan], stock: 5, hidden: true, description: 'New' }
  assert.deepEqual(body, changed)
  assert.deepEqual((await admin.patch(url, {})).body, changed)
  const cleared = await admin.patch(url, { stock: null, description: null })
  assert.equal(cleared.body.stock, null)
})

test('a product refers only to what its tenant has', async () => {
  const there = shopOf(stranger, await provisioningIn({ ...app, tenantId: stranger.tenantId }))
  const [category, rate, target] = [
    await there.category(),
    await there.taxRate(),
    await there.product(),
  ]
  const bodies = [
    { categoryId: category.id },
    { taxRateId: rate.id },
    { upgradeTargetIds: [target.id] },
    { categoryId: newId() },
  ]
  const { id } = await shop.product()
  for (const body of bodies) {
    const field = Object.keys(body)[0]
    const created = await admin.post('/v1/admin/products', { name: 'X', ...body })
    assert.equal(created.status, 400)
    assert.equal(created.body.details[0].path, field)
    assert.equal((await admin.patch(`/v1/admin/products/${id}`, body)).status, 400)
  }
})

test("another tenant's product is a 404 for reading, changing and deleting", async () => {
  const { id } = await shop.product()
  const url = `/v1/admin/products/${id}`
  assert.equal((await stranger.get(url)).status, 404)
  assert.equal((await stranger.patch(url, { name: 'Mine' })).status, 404)
  assert.equal((await stranger.delete(url)).status, 404)
  assert.equal((await stranger.post(`${url}/publish`)).status, 404)
  assert.equal((await stranger.post(`${url}/unpublish`)).status, 404)
  assert.equal((await admin.get(url)).status, 200)
})

test('no field that nobody may set is taken', async () => {
  const { id } = await shop.product()
  for (const field of [
    'tenantId',
    'ownerId',
    'archivedAt',
    'publishedAt',
    'plans',
    'priceCents',
    'id',
  ]) {
    const { status } = await admin.patch(`/v1/admin/products/${id}`, { [field]: null })
    assert.equal(status, 400, field)
  }
})

test('a deleted product is gone from lists and shop with its plans, and its slug is free', async () => {
  const { product, plan } = await shop.offer({}, { slug: 'once' })
  const base = await shop.product({ upgradeTargetIds: [product.id] })
  const url = `/v1/admin/products/${product.id}`
  assert.deepEqual((await admin.delete(url)).body, { id: product.id, deleted: true })
  assert.equal((await admin.get(url)).status, 404)
  assert.equal((await admin.delete(url)).status, 404)
  assert.equal((await admin.get(`/v1/admin/plans/${plan.id}`)).status, 404)
  assert.equal((await app.get('/v1/store/products/once')).status, 404)
  assert.equal((await app.get(`/v1/store/products/${product.id}`)).status, 404)
  const { body } = await admin.get('/v1/admin/products?limit=100')
  assert.ok(!body.data.some(({ id }: { id: string }) => id === product.id))
  const left = await admin.get(`/v1/admin/products/${base.id}`)
  assert.deepEqual(left.body.upgradeTargetIds, [])
  assert.equal((await shop.product({ slug: 'once' })).slug, 'once')
})

test('products get another tax rate together, by name or by category', async () => {
  const rate = await shop.taxRate({ country: 'BE', class: 'reduced', rateBasisPoints: 600 })
  const category = await shop.category()
  const [a, b, c] = [
    await shop.product({ categoryId: category.id }),
    await shop.product({ categoryId: category.id }),
    await shop.product(),
  ]
  const url = '/v1/admin/products/bulk-tax-rate'
  const byCategory = await admin.post(url, { categoryId: category.id, taxRateId: rate.id })
  assert.equal(byCategory.status, 200)
  assert.deepEqual(byCategory.body, {
    ...{ dryRun: false, updated: 2, unchanged: 0 },
    rows: [a, b].map(({ id, name }) => ({ id, name, before: null, after: rate.id })),
  })
  const byId = await admin.post(url, { productIds: [a.id, c.id], taxRateId: null })
  assert.deepEqual(byId.body, {
    ...{ dryRun: false, updated: 1, unchanged: 1 },
    rows: [{ id: a.id, name: a.name, before: rate.id, after: null }],
  })
  const rates = []
  for (const { id } of [a, b, c]) {
    rates.push((await admin.get(`/v1/admin/products/${id}`)).body.taxRateId)
  }
  assert.deepEqual(rates, [null, rate.id, null])
})

test('a bulk change with one unknown product changes none', async () => {
  const rate = await shop.taxRate({ country: 'NL', rateBasisPoints: 2100 })
  const product = await shop.product()
  const foreign = await shopOf(
    stranger,
    await provisioningIn({ ...app, tenantId: stranger.tenantId }),
  ).product()
  const url = '/v1/admin/products/bulk-tax-rate'
  const productIds = [product.id, foreign.id]
  assert.equal((await admin.post(url, { productIds, taxRateId: rate.id })).status, 400)
  assert.equal((await admin.get(`/v1/admin/products/${product.id}`)).body.taxRateId, null)
  const both = { productIds: [product.id], categoryId: newId(), taxRateId: rate.id }
  assert.equal((await admin.post(url, both)).status, 400)
  assert.equal((await admin.post(url, { taxRateId: rate.id })).status, 400)
  const unknown = await admin.post(url, { productIds: [product.id], taxRateId: newId() })
  assert.equal(unknown.status, 400)
})

test('a dry run of another tax rate lists the products that the request then changes, and changes none', async () => {
  const [rate, former] = [
    await shop.taxRate({ country: 'ES', rateBasisPoints: 2100 }),
    await shop.taxRate({ country: 'PT', rateBasisPoints: 2300 }),
  ]
  const category = await shop.category()
  const fields = { categoryId: category.id }
  const [standard, reduced, same] = [
    await shop.product(fields),
    await shop.product({ ...fields, taxRateId: former.id }),
    await shop.product({ ...fields, taxRateId: rate.id }),
  ]
  const archived = await shop.product(fields)
  await admin.delete(`/v1/admin/products/${archived.id}`)
  const url = '/v1/admin/products/bulk-tax-rate'
  const shown = async () => {
    const answers = []
    for (const { id } of [standard, reduced, same]) {
      const { body, headers } = await admin.get(`/v1/admin/products/${id}`)
      answers.push([body, headers.etag])
    }
    return answers
  }
  const auditor = await person(app, { permissions: ['audit:read'] })
  const entries = async () =>
    (await auditor.get('/v1/admin/audit-logs?limit=100')).body.data.filter(
      ({ route }: { route: string }) => route === url,
    )
  const [before, recorded] = [await shown(), await entries()]

  const wanted = { ...fields, taxRateId: rate.id }
  const tried = await admin.post(url, { ...wanted, dryRun: true })
  assert.equal(tried.status, 200, tried.text)
  const { name } = standard
  assert.deepEqual(tried.body, {
    ...{ dryRun: true, updated: 2, unchanged: 1 },
    rows: [
      { id: standard.id, name, before: null, after: rate.id },
      { id: reduced.id, name: reduced.name, before: former.id, after: rate.id },
    ],
  })
  assert.deepEqual(await shown(), before)
  assert.deepEqual(await entries(), recorded)

  const productIds = [same.id, reduced.id]
  const byId = await admin.post(url, { productIds, taxRateId: rate.id, dryRun: true })
  const rows = tried.body.rows.slice(1)
  assert.deepEqual(byId.body, { dryRun: true, updated: 1, unchanged: 1, rows })
  const done = await admin.post(url, wanted)
  assert.deepEqual(done.body, { ...tried.body, dryRun: false })
  const rates = (await shown()).map(([product]) => product.taxRateId)
  assert.deepEqual(rates, [rate.id, rate.id, rate.id])
  assert.equal((await entries()).length, recorded.length + 1)
  const again = await admin.post(url, { ...wanted, dryRun: true })
  assert.deepEqual(again.body, { dryRun: true, updated: 0, unchanged: 3, rows: [] })
})

test('a dry run of another tax rate is refused like the request itself', async () => {
  const rate = await shop.taxRate({ country: 'IT', rateBasisPoints: 2200 })
  const product = await shop.product()
  const clerk = await person(app, { permissions: ['store:read'] })
  const url = '/v1/admin/products/bulk-tax-rate'
  const known = { productIds: [product.id], taxRateId: rate.id }
  for (const [who, body, status] of [
    [admin, { ...known, productIds: [product.id, newId()] }, 400],
    [admin, { ...known, taxRateId: newId() }, 400],
    [admin, { categoryId: newId(), taxRateId: rate.id }, 400],
    [admin, { taxRateId: rate.id }, 400],
    [clerk, known, 403],
  ] as const) {
    const tried = await who.post(url, { ...body, dryRun: true })
    const sent = await who.post(url, body)
    assert.equal(tried.status, status, tried.text)
    assert.deepEqual(
      [sent.status, sent.body.code, sent.body.details],
      [status, tried.body.code, tried.body.details],
    )
  }
})

test('a bulk change counts all products that it changes, and lists the first hundred', async () => {
  const rate = await shop.taxRate({ country: 'AT', rateBasisPoints: 2000 })
  const { id: categoryId } = await shop.category()
  const ids: string[] = []
  while (ids.length < 101) ids.push((await shop.product({ categoryId })).id)
  const { body } = await admin.post('/v1/admin/products/bulk-tax-rate', {
    ...{ categoryId, taxRateId: rate.id, dryRun: true },
  })
  assert.equal(body.updated, 101)
  assert.deepEqual(
    body.rows.map(({ id }: { id: string }) => id),
    ids.slice(0, 100),
  )
})
