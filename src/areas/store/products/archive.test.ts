import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { otherTenant, person } from '#test/people.ts'

type Body = Answer['body']

const shop = await gameShop()
const { admin, app } = shop
const ids = ({ body }: Answer) => body.data.map(({ id }: Body) => id)

test('an archived product is listed as such, and restored as a draft with its plans', async () => {
  const { product, plan } = await shop.server({ name: 'Archived and back' })
  const { body: older } = await admin.post('/v1/admin/plans', {
    ...{ productId: product.id, name: 'Older', interval: 'year', priceCents: 9000 },
  })
  await admin.delete(`/v1/admin/plans/${older.id}`)
  await app.advance(60)
  await admin.delete(`/v1/admin/products/${product.id}`)
  assert.ok(!ids(await admin.get('/v1/admin/products?limit=100')).includes(product.id))
  assert.ok(ids(await admin.get('/v1/admin/products?archived=true')).includes(product.id))
  assert.deepEqual(
    new Set(ids(await admin.get(`/v1/admin/plans?archived=true&productId=${product.id}`))),
    new Set([plan.id, older.id]),
  )
  const refused = await admin.post(`/v1/admin/plans/${older.id}/restore`)
  assert.equal(refused.status, 409, 'its product is archived')
  const restored = await admin.post(`/v1/admin/products/${product.id}/restore`)
  assert.equal(restored.status, 200, restored.text)
  const { archivedAt, publishedAt, sellable, plans } = restored.body
  assert.deepEqual([archivedAt, publishedAt, sellable], [null, null, false])
  assert.deepEqual(
    plans.map(({ id }: Body) => id),
    [plan.id],
    'a plan that was archived before stays so',
  )
  const back = await admin.post(`/v1/admin/plans/${older.id}/restore`)
  assert.deepEqual([back.status, back.body.archivedAt], [200, null])
  assert.equal((await admin.post(`/v1/admin/products/${product.id}/publish`)).status, 200)
  const again = await admin.post(`/v1/admin/products/${product.id}/restore`)
  assert.ok(again.body.publishedAt, 'a product that is not archived stays as it is')
})

test('a product is not restored while another one has its slug', async () => {
  const { product } = await shop.server({ name: 'Twice', slug: 'twice' })
  await admin.delete(`/v1/admin/products/${product.id}`)
  await shop.server({ name: 'Twice', slug: 'twice' })
  const { status, body } = await admin.post(`/v1/admin/products/${product.id}/restore`)
  assert.deepEqual([status, body.code], [409, 'slug_taken'])
})

test('an archived coupon is restored with its uses, unless another one has its code', async () => {
  const wanted = { code: 'BACK', type: 'percent', percentBasisPoints: 1000 }
  const { body: coupon } = await admin.post('/v1/admin/coupons', wanted)
  await admin.delete(`/v1/admin/coupons/${coupon.id}`)
  assert.deepEqual(ids(await admin.get('/v1/admin/coupons?archived=true&code=back')), [coupon.id])
  const restored = await admin.post(`/v1/admin/coupons/${coupon.id}/restore`)
  assert.deepEqual([restored.status, restored.body], [200, coupon])
  await admin.delete(`/v1/admin/coupons/${coupon.id}`)
  assert.equal((await admin.post('/v1/admin/coupons', wanted)).status, 201)
  const refused = await admin.post(`/v1/admin/coupons/${coupon.id}/restore`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'code_taken'])
})

test('a product and its plan say how many services they have', async () => {
  const { product, plan } = await shop.server()
  const ada = await shop.customer()
  await shop.buy(ada, plan.id)
  const service = await shop.serviceBecame(ada, 'active')
  const counts = async () => {
    const { body } = await admin.get(`/v1/admin/products/${product.id}`)
    const { body: one } = await admin.get(`/v1/admin/plans/${plan.id}`)
    return [body.serviceCount, body.plans[0].serviceCount, one.serviceCount]
  }
  assert.deepEqual(await counts(), [1, 1, 1])
  for (const list of ['products', 'plans']) {
    const [first] = (await admin.get(`/v1/admin/${list}`)).body.data
    assert.equal(first.serviceCount, null, 'a list does not count them')
  }
  const { body } = await admin.get(`/v1/store/products/${product.id}`)
  assert.ok(!('serviceCount' in body.plans[0]), 'visitors do not see it')
  await ada.post(`/v1/services/${service.id}/cancel`, { at: 'now' })
  await shop.serviceBecame(ada, 'ended')
  assert.deepEqual(await counts(), [0, 0, 0])
})

test('what is restored belongs to the shop, and needs the permission to change the catalogue', async () => {
  const tenantId = await otherTenant(app, 'other-archive.test')
  const stranger = await person(app, { tenantId, admin: true })
  const clerk = await person(app, { permissions: ['store:read'] })
  const { product, plan } = await shop.server()
  const { body: coupon } = await admin.post('/v1/admin/coupons', {
    ...{ code: 'MINE', type: 'percent', percentBasisPoints: 100 },
  })
  for (const path of [`plans/${plan.id}`, `products/${product.id}`, `coupons/${coupon.id}`]) {
    assert.equal((await admin.delete(`/v1/admin/${path}`)).status, 200)
    assert.equal((await stranger.post(`/v1/admin/${path}/restore`)).status, 404)
    assert.equal((await clerk.post(`/v1/admin/${path}/restore`)).status, 403)
  }
  for (const name of ['products', 'plans', 'coupons']) {
    assert.equal((await admin.post(`/v1/admin/${name}/${newId()}/restore`)).status, 404)
    assert.deepEqual(ids(await stranger.get(`/v1/admin/${name}?archived=true`)), [])
  }
})

test('an archived category is listed as such, and restored with the products that have no other one', async () => {
  const { body: category } = await admin.post('/v1/admin/categories', {
    name: 'Away',
    slug: 'away',
  })
  const { body: other } = await admin.post('/v1/admin/categories', { name: 'Other' })
  const categoryId = category.id
  const { product: stays } = await shop.server({ name: 'Stays', categoryId })
  const { product: moves } = await shop.server({ name: 'Moves', categoryId })
  const categoryOf = async (id: string) =>
    (await admin.get(`/v1/admin/products/${id}`)).body.categoryId
  assert.equal((await admin.delete(`/v1/admin/categories/${categoryId}`)).status, 200)
  assert.equal((await admin.get(`/v1/admin/categories/${categoryId}`)).status, 404)
  const visible = ids(await app.get('/v1/store/categories'))
  assert.ok(!visible.includes(categoryId) && visible.includes(other.id))
  assert.ok(!ids(await admin.get('/v1/admin/categories')).includes(categoryId))
  assert.deepEqual(ids(await admin.get('/v1/admin/categories?archived=true')), [categoryId])
  assert.equal(await categoryOf(stays.id), null)
  const used = await admin.patch(`/v1/admin/products/${stays.id}`, { categoryId })
  assert.equal(used.status, 400, 'an archived category takes no products')
  await admin.patch(`/v1/admin/products/${moves.id}`, { categoryId: other.id })

  const restored = await admin.post(`/v1/admin/categories/${categoryId}/restore`)
  assert.deepEqual([restored.status, restored.body], [200, category], restored.text)
  assert.deepEqual([await categoryOf(stays.id), await categoryOf(moves.id)], [categoryId, other.id])
  const again = await admin.post(`/v1/admin/categories/${categoryId}/restore`)
  assert.deepEqual(again.body, category, 'a category that is not archived stays as it is')
})

test('an archived hidden category keeps its products hidden, and shows them again only with it', async () => {
  const { body: category } = await admin.post('/v1/admin/categories', {
    ...{ name: 'Backstage', slug: 'backstage', hidden: true },
  })
  const categoryId = category.id
  const { product: stays } = await shop.server({ name: 'Behind', categoryId })
  const { product: moves } = await shop.server({ name: 'Moved', categoryId })
  const { product: hidden } = await shop.server({ name: 'Secret', categoryId, hidden: true })
  const all = [stays, moves, hidden]
  const shown = async () => {
    const listed = ids(await app.get('/v1/store/products?limit=100'))
    return all.filter(({ id }) => listed.includes(id)).map(({ name }) => name)
  }
  assert.deepEqual(await shown(), [])
  await admin.delete(`/v1/admin/categories/${categoryId}`)
  assert.deepEqual(await shown(), [])
  const { body: other } = await admin.post('/v1/admin/categories', { name: 'Front' })
  await admin.patch(`/v1/admin/products/${moves.id}`, { categoryId: other.id })
  await admin.post(`/v1/admin/categories/${categoryId}/restore`)
  assert.deepEqual(await shown(), [])
  await admin.patch(`/v1/admin/categories/${categoryId}`, { hidden: false })
  assert.deepEqual(await shown(), ['Behind'], 'what moved away or was hidden itself stays hidden')
})

test('a category is not restored while another one has its slug', async () => {
  const { body: category } = await admin.post('/v1/admin/categories', { name: 'One', slug: 'same' })
  await admin.delete(`/v1/admin/categories/${category.id}`)
  const taken = await admin.post('/v1/admin/categories', { name: 'Two', slug: 'same' })
  assert.equal(taken.status, 201, 'the slug of an archived category is free')
  const { status, body } = await admin.post(`/v1/admin/categories/${category.id}/restore`)
  assert.deepEqual([status, body.code], [409, 'slug_taken'])
})
