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

test('a category gets a slug from its name, and all its fields back', async () => {
  const { status, body } = await admin.post('/v1/admin/categories', { name: 'Serveurs Café №1' })
  assert.equal(status, 201)
  const { id, createdAt, ...rest } = body
  assert.deepEqual(rest, {
    slug: 'serveurs-cafe-no1',
    name: 'Serveurs Café №1',
    description: null,
    position: 0,
    hidden: false,
    image: null,
    translations: {},
    archivedAt: null,
  })
  assert.deepEqual((await admin.get(`/v1/admin/categories/${id}`)).body, body)
})

test('two categories of one name get two slugs, but a slug that was asked for is taken once', async () => {
  const [one, two] = [await shop.category({ name: 'Same' }), await shop.category({ name: 'Same' })]
  assert.notEqual(one.slug, two.slug)
  const again = await admin.post('/v1/admin/categories', { name: 'X', slug: one.slug })
  assert.equal(again.status, 409)
  assert.equal(again.body.code, 'slug_taken')
  const renamed = await admin.patch(`/v1/admin/categories/${two.id}`, { slug: one.slug })
  assert.equal(renamed.status, 409)
})

test('a change without fields changes nothing', async () => {
  const category = await shop.category({ description: 'Here' })
  const { status, body } = await admin.patch(`/v1/admin/categories/${category.id}`)
  assert.equal(status, 200)
  assert.deepEqual(body, category)
})

test('an unknown field is refused, and an unknown category is a 404 before that', async () => {
  const category = await shop.category()
  const url = `/v1/admin/categories/${category.id}`
  assert.equal((await admin.patch(url, { tenantId: newId() })).status, 400)
  const unknown = await admin.patch(`/v1/admin/categories/${newId()}`, { tenantId: newId() })
  assert.equal(unknown.status, 404)
})

test('a deleted category is gone, and its products are there without one', async () => {
  const category = await shop.category()
  const product = await shop.product({ categoryId: category.id })
  const url = `/v1/admin/categories/${category.id}`
  const { status, body } = await admin.delete(url)
  assert.equal(status, 200)
  assert.deepEqual(body, { id: category.id, deleted: true })
  assert.equal((await admin.get(url)).status, 404)
  assert.equal((await admin.delete(url)).status, 404)
  const left = await admin.get(`/v1/admin/products/${product.id}`)
  assert.equal(left.body.categoryId, null)
})

test('visitors see categories as they were arranged, page by page, without the hidden ones', async () => {
  const tenantId = await otherTenant(app, 'arranged.test')
  const other = await person(app, { tenantId, permissions: ['store:*'] })
  const there = shopOf(other, await provisioningIn({ ...app, tenantId: other.tenantId }))
  for (const position of [3, 1, 2, 1]) await there.category({ name: `P${position}`, position })
  await there.category({ name: 'Hidden', hidden: true })
  const headers = { host: 'arranged.test' }
  const first = await app.get('/v1/store/categories?limit=3', { headers })
  const rest = await app.get(`/v1/store/categories?cursor=${first.body.nextCursor}`, { headers })
  const names = [...first.body.data, ...rest.body.data].map((it: { name: string }) => it.name)
  assert.deepEqual(names, ['P1', 'P1', 'P2', 'P3'])
  assert.equal(rest.body.nextCursor, null)
  const all = await other.get('/v1/admin/categories')
  assert.equal(all.body.data.length, 5)
})

test("another tenant's category is a 404 for reading, changing and deleting", async () => {
  const tenantId = await otherTenant(app, 'categories.test')
  const stranger = await person(app, { tenantId, permissions: ['store:*'] })
  const category = await shop.category()
  const url = `/v1/admin/categories/${category.id}`
  assert.equal((await stranger.get(url)).status, 404)
  assert.equal((await stranger.patch(url, { name: 'Mine' })).status, 404)
  assert.equal((await stranger.delete(url)).status, 404)
  assert.deepEqual((await admin.get(url)).body, category)
})

const routes = [
  ['GET', '/v1/admin/categories'],
  ['POST', '/v1/admin/categories'],
  ['GET', '/v1/admin/products'],
  ['POST', '/v1/admin/products'],
  ['POST', '/v1/admin/products/bulk-tax-rate'],
  ['GET', '/v1/admin/plans'],
  ['POST', '/v1/admin/plans'],
  ['DELETE', `/v1/admin/plans/${newId()}`],
  ['GET', '/v1/admin/tax-rates'],
  ['PATCH', `/v1/admin/tax-rates/${newId()}`],
  ['DELETE', `/v1/admin/tax-rates/${newId()}`],
  ['GET', '/v1/admin/coupons'],
  ['POST', '/v1/admin/coupons'],
] as const

for (const [method, url] of routes) {
  test(`${method} ${url.replace(/[0-9a-f-]{36}/, '{id}')} needs its own permission`, async () => {
    assert.equal((await app.request(method, url)).status, 401)
    const customer = await person(app)
    assert.equal((await customer.request(method, url)).status, 403)
    const permissions = method === 'GET' ? ['users:*'] : ['store:read']
    const half = await person(app, { permissions })
    assert.equal((await half.request(method, url)).status, 403)
  })
}
