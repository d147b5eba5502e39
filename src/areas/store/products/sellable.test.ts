import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { person } from '#test/people.ts'

type Body = Answer['body']

const shop = await gameShop({ panel: { flavour: 'pelican' } })
const { app, admin, panel, catalog, nodeId, gatewayId } = shop

async function eggNamed(name: string): Promise<Body> {
  const { body } = await admin.get('/v1/admin/eggs?limit=100')
  return body.data.find((egg: Body) => egg.name === name)
}

const limits = { memoryMb: 1024, diskMb: 1024 }
const provisioning = (eggId: string, on = [nodeId]) => ({ eggId, nodeIds: on, limits })
const path = (product: Body) => `/v1/admin/products/${product.id}`
const listed = async (): Promise<string[]> =>
  (await app.get('/v1/store/products?limit=100')).body.data.map(({ id }: Body) => id)
const sync = () => admin.post(`/v1/admin/nodes/${nodeId}/sync-eggs`)

/** The notices that a product is no longer sold. */
const noticesOf = async (product: Body): Promise<Body[]> =>
  (await admin.get('/v1/notifications')).body.data.filter(
    ({ link }: Body) => link === `/admin/products/${product.id}`,
  )

async function assertSold({ product, plan }: { product: Body; plan: Body }): Promise<void> {
  assert.equal((await admin.get(path(product))).body.sellable, true)
  assert.ok((await listed()).includes(product.id))
  assert.equal((await app.get(`/v1/store/products/${product.slug}`)).status, 200)
  const { body } = await app.post('/v1/store/quote', { items: [{ planId: plan.id }] })
  assert.deepEqual(body.faults, [])
}

async function assertNotSold({ product, plan }: { product: Body; plan: Body }): Promise<void> {
  const shown = (await admin.get(path(product))).body
  assert.equal(shown.sellable, false)
  assert.ok(!(await listed()).includes(product.id), 'it is not listed')
  for (const name of [product.id, product.slug]) {
    assert.equal((await app.get(`/v1/store/products/${name}`)).status, 404)
  }
  const { body } = await app.post('/v1/store/quote', { items: [{ planId: plan.id }] })
  assert.deepEqual([body.totalCents, body.faults[0].code], [0, 'plan_not_for_sale'])
  const customer = await shop.customer()
  const added = await customer.post('/v1/cart/items', { planId: plan.id })
  assert.deepEqual([added.status, added.body.code], [404, 'not_found'])
}

test('X49: a product without provisioning is refused with 422 product_incomplete, and its plan is a 404', async () => {
  const offer = await catalog.offer({}, { provisioning: null })
  const refused = await admin.post(`${path(offer.product)}/publish`)
  assert.deepEqual([refused.status, refused.body.code], [422, 'product_incomplete'])
  assert.deepEqual(refused.body.details, [{ path: 'provisioning', message: 'is missing' }])
  await assertNotSold(offer)
  const other = await catalog.offer({}, {})
  const customer = await shop.customer()
  const { body: cart } = await customer.post('/v1/cart/items', { planId: other.plan.id })
  const planId = offer.plan.id
  const changed = await customer.patch(`/v1/cart/items/${cart.items[0].id}`, { planId })
  assert.equal(changed.status, 404, 'nor can it replace another item')
})

test('publishing names every fault of a draft at once', async () => {
  const product = await catalog.product({ provisioning: null })
  const { publishFaults } = (await admin.get(path(product))).body
  assert.deepEqual(
    publishFaults.map(({ path: field }: Body) => field),
    ['plans', 'provisioning'],
  )
  const refused = await admin.post(`${path(product)}/publish`)
  assert.deepEqual(refused.body.details, publishFaults)
})

test('a complete product is sold only while it is published', async () => {
  const product = await catalog.product({})
  const plan = { productId: product.id, name: 'Monthly', interval: 'month', priceCents: 1000 }
  const offer = { product, plan: (await admin.post('/v1/admin/plans', plan)).body }
  assert.deepEqual((await admin.get(path(product))).body.publishFaults, [])
  await assertNotSold(offer)
  const published = await admin.post(`${path(product)}/publish`)
  assert.deepEqual([published.status, published.body.sellable], [200, true])
  const again = await admin.post(`${path(product)}/publish`)
  assert.equal(again.body.publishedAt, published.body.publishedAt, 'a repetition changes nothing')
  await assertSold(offer)
  const draft = await admin.post(`${path(product)}/unpublish`)
  assert.deepEqual([draft.status, draft.body.publishedAt], [200, null])
  await assertNotSold(offer)
  assert.deepEqual(await noticesOf(product), [], 'nothing went wrong')
})

test('a product is published only once the test of a panel connection has succeeded', async () => {
  const { token: apiKey } = (await panel.post('keys', {})) as { token: string }
  const connection = { name: 'Untested', url: panel.url, apiKey, type: 'pelican' }
  const untested = (await admin.post('/v1/admin/nodes', connection)).body.id
  await admin.post(`/v1/admin/nodes/${untested}/sync-eggs`)
  const made = provisioning(shop.eggId, [untested])
  const { product, plan } = await catalog.offer({}, { provisioning: made })
  assert.equal(product.sellable, false)
  const refused = await admin.post(`${path(product)}/publish`)
  assert.equal(refused.status, 422)
  assert.deepEqual(
    refused.body.details.map(({ path: field }: Body) => field),
    ['provisioning.nodeIds'],
  )
  assert.equal((await admin.post(`/v1/admin/nodes/${untested}/test`)).body.ok, true)
  assert.equal((await admin.post(`${path(product)}/publish`)).status, 200)
  await assertSold({ product, plan })
  await admin.delete(`/v1/admin/nodes/${untested}`)
})

test('a product without a price in the currency of the shop goes off sale, and staff are notified', async () => {
  const dollars = await catalog.offer({ currency: 'USD' })
  assert.equal(dollars.product.sellable, false)
  await assertNotSold(dollars)
  const offer = await catalog.offer()
  await assertSold(offer)
  assert.equal((await admin.delete(`/v1/admin/plans/${offer.plan.id}`)).status, 200)
  await assertNotSold(offer)
  const [notice] = await noticesOf(offer.product)
  assert.match(notice.body, /plans must have a plan with a price in EUR/)
  const euros = [{ currency: 'EUR', priceCents: 900 }]
  await catalog.plan(offer.product.id, { currency: 'USD', prices: euros })
  assert.equal((await admin.get(path(offer.product))).body.sellable, true)
})

test('V32: an unsold product stands under attention until it is on sale', async () => {
  const clerk = await person(app, { permissions: ['store:read'] })
  const stranger = await person(app, { permissions: ['services:read'] })
  const unsold = async (by = clerk): Promise<Body> =>
    (await by.get('/v1/admin/attention')).body.items.find((it: Body) => it.kind === 'product')
  const before = (await unsold())?.count ?? 0
  const { product } = await catalog.offer({}, { provisioning: null })
  const draft = await catalog.offer({}, { provisioning: null, hidden: true })
  const { count, tone, deadlineAt } = await unsold()
  assert.deepEqual([count, tone, deadlineAt], [before + 1, 'waiting', null], 'no hidden drafts')
  await assertNotSold(draft)
  assert.equal(await unsold(stranger), undefined)
  const made = { provisioning: provisioning(shop.eggId) }
  assert.equal((await admin.patch(path(product), made)).status, 200)
  assert.equal((await admin.post(`${path(product)}/publish`)).status, 200)
  assert.equal((await unsold())?.count ?? 0, before)
  const hidden = await catalog.offer({}, { hidden: true })
  assert.equal((await unsold())?.count ?? 0, before)
  await admin.patch(path(hidden.product), { provisioning: null })
  assert.equal((await unsold()).count, before + 1, 'a published product that cannot be delivered')
  await admin.delete(path(hidden.product))
})

test('what cannot be delivered any more stays in carts, and is not ordered', async () => {
  const offer = await catalog.offer()
  const customer = await shop.customer()
  assert.equal((await customer.post('/v1/cart/items', { planId: offer.plan.id })).status, 201)
  await admin.patch(path(offer.product), { provisioning: null })
  await assertNotSold(offer)
  const { items, totalCents } = (await customer.get('/v1/cart')).body
  assert.deepEqual([items[0].available, totalCents], [false, 0])
  const refused = await checkOut(customer, { gatewayId })
  assert.deepEqual([refused.status, refused.body.code], [422, 'plan_not_for_sale'])
  assert.equal((await noticesOf(offer.product)).length, 1)
})

test('an egg that becomes stricter takes its products off sale at once, and services go on', async () => {
  const egg = await eggNamed('Velocity')
  const offer = await catalog.offer({}, { provisioning: provisioning(egg.id) })
  const customer = await shop.customer()
  await shop.buy(customer, offer.plan.id)
  const service = await shop.serviceBecame(customer, 'active')
  const variable = { env: 'TOKEN', rules: ['required', 'string'] }
  await panel.post('eggs', { eggId: egg.remoteId, variable })
  assert.equal((await sync()).body.updated, 1)
  await assertNotSold(offer)
  await sync()
  await admin.patch(path(offer.product), { description: 'Still not sold' })
  const notices = await noticesOf(offer.product)
  assert.equal(notices.length, 1, 'staff are notified once')
  assert.match(notices[0].title, /is no longer sold/)
  assert.match(notices[0].body, /environment\.TOKEN/)
  const renewal = await customer.post(`/v1/services/${service.id}/renew`, { gatewayId })
  assert.equal(renewal.status, 200, renewal.text)
  await shop.complete(renewal.body.payment.redirectUrl)
  await shop.became(customer, renewal.body.invoice.id, 'paid')
  const environment = { TOKEN: 'abc' }
  const made = { ...provisioning(egg.id), environment }
  assert.equal((await admin.patch(path(offer.product), { provisioning: made })).status, 200)
  await assertSold(offer)
})

test('what stands on several panels is sold as long as one of them is connected', async () => {
  const { token: apiKey } = (await panel.post('keys', {})) as { token: string }
  const connection = { name: 'Second', url: panel.url, apiKey, type: 'pelican' }
  const second = (await admin.post('/v1/admin/nodes', connection)).body.id
  await admin.post(`/v1/admin/nodes/${second}/test`)
  await admin.post(`/v1/admin/nodes/${second}/sync-eggs`)
  const { data } = (await admin.get(`/v1/admin/eggs?limit=100&nodeId=${second}`)).body
  const paper = data.find((egg: Body) => egg.name === 'Paper')
  const both = await catalog.offer({}, { provisioning: provisioning(shop.eggId, [nodeId, second]) })
  const [there, small] = [
    await catalog.offer({}, { provisioning: provisioning(paper.id, []) }),
    await catalog.offer({}, { upgradeTargetIds: [both.product.id] }),
  ]
  await assertSold(there)
  const targets = async () =>
    (await app.get(`/v1/store/products/${small.product.id}/upgrade-targets`)).body.data.length
  assert.equal(await targets(), 1)
  assert.equal((await admin.delete(`/v1/admin/nodes/${second}`)).status, 200)
  await assertSold(both)
  await assertNotSold(there)
  assert.equal((await noticesOf(there.product)).length, 1)
  const deleted = await admin.delete(`/v1/admin/nodes/${nodeId}`)
  assert.equal(deleted.status, 200, deleted.text)
  await assertNotSold(both)
  assert.equal(await targets(), 0, 'no service is changed to it')
  assert.deepEqual(await listed(), [], 'nothing is sold without a panel')
})
