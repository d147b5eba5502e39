import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gameShop } from '#test/game-shop.ts'
import { pngOf } from '#test/images.ts'
import { addLocation } from '#test/locations.ts'
import { otherTenant, person } from '#test/people.ts'

const shop = await gameShop()
const { admin, app } = shop
const PRODUCTS = '/v1/admin/products'
const place = await addLocation(admin, 'Frankfurt', [{ nodeId: shop.nodeId, remoteId: '1' }])
const games = await shop.catalog.category({ name: 'Minecraft', slug: 'minecraft' })

/** A product on sale in which as much as possible is set. */
async function elaborate() {
  const { product } = await shop.server({
    ...{ name: 'Castle', description: 'Walls and towers.', badge: 'popular', stock: 7 },
    ...{ categoryId: games.id, hidden: true, position: 3 },
    ...{ locations: [place.id] },
    translations: { fr: { name: 'Château', description: 'Des murs et des tours.' } },
  })
  const yearly = { name: 'Yearly', interval: 'year', priceCents: 9000, setupFeeCents: 500 }
  const prices = [{ currency: 'USD', priceCents: 9900, setupFeeCents: 600 }]
  const { status, text } = await admin.post('/v1/admin/plans', {
    ...{ productId: product.id, ...yearly, trialDays: 7, prices },
  })
  assert.equal(status, 201, text)
  const image = Buffer.from(pngOf({ width: 20, height: 10, color: 6 })).toString('base64')
  const pictured = await admin.put(`${PRODUCTS}/${product.id}/image`, { image, alt: 'A wall' })
  assert.equal(pictured.status, 200, pictured.text)
  const group = await admin.post('/v1/admin/option-groups', {
    ...{ name: 'Upgrades', productIds: [product.id] },
  })
  assert.equal(group.status, 201, group.text)
  return { id: product.id, groupId: group.body.id }
}

type Shown = Record<string, unknown> & { plans: Record<string, unknown>[] }

/** What a copy has in common with its original. */
function alike({ plans, ...product }: Shown) {
  const {
    id: _id,
    slug: _slug,
    name: _name,
    createdAt: _at,
    translations: _texts,
    ...rest
  } = product
  const {
    publishedAt: _published,
    sellable: _sellable,
    image,
    serviceCount: _count,
    ...same
  } = rest
  const { url: _url, ...picture } = image as Record<string, unknown>
  return { same, picture, plans: plans.map(planOf) }
}

function planOf({ id: _id, productId: _product, createdAt: _at, ...plan }: Shown['plans'][number]) {
  return plan
}

test('a duplicate is a draft with everything that its original has, except its name', async () => {
  const { id, groupId } = await elaborate()
  const { body: original } = await admin.get(`${PRODUCTS}/${id}`)
  const made = await admin.post(`${PRODUCTS}/${id}/duplicate`, { name: 'Castle (copy)' })
  assert.equal(made.status, 201, made.text)
  const { body: copy } = made
  assert.deepEqual(alike(copy), alike(original))
  assert.deepEqual([copy.name, copy.slug], ['Castle (copy)', 'castle-copy'])
  assert.deepEqual([copy.publishedAt, copy.sellable, copy.serviceCount], [null, false, 0])
  assert.deepEqual(copy.translations, { fr: { description: 'Des murs et des tours.' } })
  const { body: group } = await admin.get(`/v1/admin/option-groups/${groupId}`)
  assert.deepEqual(new Set(group.productIds), new Set([id, copy.id]))
  const published = await admin.post(`${PRODUCTS}/${copy.id}/publish`)
  assert.equal(published.status, 200, published.text)
  assert.equal(published.body.sellable, true)
  await admin.delete(`${PRODUCTS}/${id}/image`)
  assert.equal((await app.get(copy.image.url)).status, 200, 'its picture is its own')
})

test('a second duplicate of the same name has a slug of its own', async () => {
  const { product } = await shop.server({ name: 'Twice' })
  const duplicate = () => admin.post(`${PRODUCTS}/${product.id}/duplicate`, { name: 'Thrice' })
  const [first, second] = await Promise.all([duplicate(), duplicate()])
  assert.deepEqual([first.status, second.status], [201, 201], second.text)
  assert.notEqual(first.body.slug, second.body.slug)
})

test('an archived product, and one of another shop, cannot be duplicated, nor without the permission', async () => {
  const { product } = await shop.server({ name: 'Gone' })
  const url = `${PRODUCTS}/${product.id}/duplicate`
  const reader = await person(app, { permissions: ['store:read'] })
  assert.equal((await reader.post(url, { name: 'Copy' })).status, 403)
  assert.equal((await admin.post(url, { name: '' })).status, 400)
  const tenantId = await otherTenant(app, 'elsewhere.test')
  const stranger = await person(app, { tenantId, permissions: ['store:write'] })
  assert.equal((await stranger.post(url, { name: 'Copy' })).status, 404)
  await admin.delete(`${PRODUCTS}/${product.id}`)
  assert.equal((await admin.post(url, { name: 'Copy' })).status, 404)
})
