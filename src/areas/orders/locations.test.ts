import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { addLocation, offerIn } from '#test/locations.ts'
import { sandboxPanel } from '#test/sandbox-panel.ts'

type Body = Answer['body']

const SIZE = 2048
const quick = { installSeconds: 0.05, rateLimits: { application: 60_000 }, disk: 1_000_000 }
const pelican = await sandboxPanel(
  { after },
  { ...quick, flavour: 'pelican', nodes: 2, locations: 2, memory: 3 * SIZE },
)
// Location 1 has the machines 1 and 3, location 2 the machines 2 and 4.
const shop = await gameShop({
  panel: { ...quick, nodes: 4, locations: 2, memory: 4 * SIZE },
  config: { privateHosts: [`127.0.0.1:${pelican.port}`] },
})
const { app, admin, catalog, eggId, nodeId, gatewayId } = shop

const second = await admin.post('/v1/admin/nodes', {
  ...{ name: 'Pelican', url: pelican.url, type: 'pelican' },
  ...{ apiKey: pelican.applicationKey, clientApiKey: pelican.clientKey },
})
const pelicanId = second.body.id
await admin.post(`/v1/admin/nodes/${pelicanId}/sync-eggs`)
const tested = await admin.post(`/v1/admin/nodes/${pelicanId}/test`)
const [tag] = tested.body.locations.map(({ id }: Body) => id)

const fra = await addLocation(admin, 'Frankfurt', [{ nodeId, remoteId: '1' }], { slug: 'fra' })
const sgp = await addLocation(admin, 'Singapore', [{ nodeId, remoteId: '2' }], {
  ...{ slug: 'sgp', country: 'SG', city: 'Singapore', position: 1 },
})
const where = { catalog, eggId, nodeIds: [nodeId] }

/** What panels said is believed for some seconds, of one version of their connections. */
async function forgetViews(): Promise<void> {
  const keys = [shop.panel.applicationKey, pelican.applicationKey]
  for (const [index, id] of [nodeId, pelicanId].entries()) {
    const { status, text } = await admin.patch(`/v1/admin/nodes/${id}`, { apiKey: keys[index] })
    assert.equal(status, 200, text)
  }
  // Only what stands on a connection that is known to work is published.
  assert.equal((await admin.post(`/v1/admin/nodes/${nodeId}/test`)).body.ok, true)
}

/** A customer's try to order a plan in a location. */
async function tryToOrder(planId: string, location: Body | null, quantity = 1): Promise<Answer> {
  const by = await shop.customer()
  const item = { planId, quantity, ...(location && { locationId: location.id }) }
  const added = await by.post('/v1/cart/items', item)
  if (added.status !== 201) return added
  return checkOut(by, { gatewayId })
}

const roomOf = async (product: Body, location: Body) => {
  const { body } = await app.get(`/v1/store/products/${product.id}`)
  return body.orderForm.locations.find(({ id }: Body) => id === location.id)?.room
}

/** Takes back an unpaid order, with what it was promised. */
async function giveBack(answer: Answer): Promise<void> {
  assert.equal(answer.status, 201, answer.text)
  const { id } = answer.body.invoice
  const { status, text } = await admin.post(`/v1/admin/invoices/${id}/void`, { reason: 'Test' })
  assert.equal(status, 200, text)
  await app.eventually('its places are free', async () => {
    const rows = await shop.db
      .selectFrom('panel.reservations')
      .select('id')
      .where('reference', '=', answer.body.order.id)
      .execute()
    return rows.length === 0
  })
}

test('of several locations the buyer must choose one, a single one is chosen by itself, and both are shown', async () => {
  const { plan, product } = await offerIn(where, [sgp, fra])
  const alone = await offerIn(where, [sgp])
  const by = await shop.customer()
  const required = await by.post('/v1/cart/items', { planId: plan.id })
  assert.deepEqual([required.status, required.body.code], [422, 'location_required'])
  assert.equal(required.body.details[0].path, 'locationId')
  const { body: cart } = await by.post('/v1/cart/items', { planId: plan.id, locationId: fra.id })
  const { id, slug, name, country, city } = fra
  assert.deepEqual(cart.items[0].location, { id, slug, name, country, city })
  const { body: both } = await by.post('/v1/cart/items', { planId: alone.plan.id })
  assert.equal(both.items[1].location.slug, 'sgp')
  const { body: moved } = await by.patch(`/v1/cart/items/${cart.items[0].id}`, {
    locationId: sgp.id,
  })
  assert.equal(moved.items[0].location.slug, 'sgp')
  const { body } = await app.get(`/v1/store/products/${product.slug}`)
  const shown = body.orderForm.locations.map((it: Body) => [it.slug, it.country, it.room])
  assert.deepEqual(shown, [
    ['fra', 'DE', 'available'],
    ['sgp', 'SG', 'available'],
  ])
})

test('a product is ordered nowhere but in its locations, and one without locations in none', async () => {
  const { plan } = await offerIn(where, [fra])
  const { plan: anywhere } = await shop.server()
  for (const [planId, location] of [
    [plan.id, sgp],
    [anywhere.id, fra],
  ]) {
    const { status, body } = await tryToOrder(planId, location)
    assert.deepEqual([status, body.code], [422, 'location_unknown'])
  }
})

test('X36: a server that is too large for what is left of its location is refused with the locations that have room', async () => {
  // Of the two machines there, one has half of its memory left.
  const half = await offerIn(where, [fra], { memoryMb: 2 * SIZE })
  const occupied = await tryToOrder(half.plan.id, null)
  assert.equal(occupied.status, 201, occupied.text)
  const { plan, product } = await offerIn(where, [fra, sgp], { memoryMb: 3 * SIZE })
  assert.equal(await roomOf(product, fra), 'few')
  const first = await tryToOrder(plan.id, fra)
  assert.equal(first.status, 201, first.text)
  const refused = await tryToOrder(plan.id, fra)
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.alternatives],
    [422, 'no_capacity', ['sgp']],
  )
  assert.equal(await roomOf(product, fra), 'full')
  await giveBack(first)
  // The same machines take 4 + 2 servers of the smaller size.
  const small = await offerIn(where, [fra, sgp], { memoryMb: SIZE })
  const six = await tryToOrder(small.plan.id, fra, 6)
  assert.equal(six.status, 201, six.text)
  const seventh = await tryToOrder(small.plan.id, fra)
  assert.deepEqual([seventh.body.code, seventh.body.alternatives], ['no_capacity', ['sgp']])
  await giveBack(six)
  await giveBack(occupied)
})

test('X37: a location on two panels sells the places of both at once, and sells while one of them is away', async () => {
  const lyon = await addLocation(admin, 'Lyon', [
    { nodeId, remoteId: '1' },
    { nodeId: pelicanId, remoteId: tag },
  ])
  // One place is left on the first panel, three on the other.
  const full = await offerIn(where, [fra], { memoryMb: 4 * SIZE })
  const most = await offerIn(where, [fra], { memoryMb: 3 * SIZE })
  const taken = [await tryToOrder(full.plan.id, fra), await tryToOrder(most.plan.id, fra)]
  const { plan, product } = await offerIn({ ...where, nodeIds: [] }, [lyon])
  const orders = await Promise.all(Array.from({ length: 4 }, () => tryToOrder(plan.id, lyon)))
  assert.deepEqual(
    orders.map(({ status }) => status),
    [201, 201, 201, 201],
  )
  const fifth = await tryToOrder(plan.id, lyon)
  assert.deepEqual([fifth.status, fifth.body.code], [422, 'no_capacity'])
  assert.equal(fifth.body.alternatives, undefined)
  await pelican.fault('* /api/application/nodes*', 'html-502', { n: 100 })
  await forgetViews()
  assert.equal(await roomOf(product, lyon), 'unknown')
  const sold = await tryToOrder(plan.id, lyon)
  assert.equal(sold.status, 201, sold.text)
  for (const it of [...orders, sold, ...taken]) await giveBack(it)
})

test('an archived or hidden location is offered to no buyer, and its services keep it', async () => {
  const oslo = await addLocation(admin, 'Oslo', [{ nodeId, remoteId: '2' }], { country: 'NO' })
  const { plan, product } = await offerIn(where, [oslo, fra])
  const by = await shop.customer()
  await by.post('/v1/cart/items', { planId: plan.id, locationId: oslo.id })
  const { body: placed, status: ordered, text } = await checkOut(by, { gatewayId })
  assert.equal(ordered, 201, text)
  await shop.complete(placed.payment.redirectUrl)
  const service = await shop.serviceBecame(by, 'active')
  assert.equal(service.location.slug, 'oslo')
  assert.equal(placed.order.items[0].location.slug, 'oslo')
  const waiting = await shop.customer()
  await waiting.post('/v1/cart/items', { planId: plan.id, locationId: oslo.id })
  assert.equal((await admin.delete(`/v1/admin/locations/${oslo.id}`)).status, 200)
  const late = await checkOut(waiting, { gatewayId })
  assert.deepEqual([late.status, late.body.code], [422, 'location_unknown'])
  assert.equal((await waiting.get('/v1/cart')).body.items[0].available, false)
  assert.equal(await roomOf(product, oslo), undefined)
  const { body: kept } = await by.get(`/v1/services/${service.id}`)
  assert.equal(kept.location.name, 'Oslo')
  await admin.patch(`/v1/admin/locations/${fra.id}`, { hidden: true })
  const { body: listed } = await admin.get(`/v1/admin/products/${product.id}`)
  assert.equal(listed.sellable, false)
  assert.equal(listed.publishFaults[0].path, 'locations')
  await admin.patch(`/v1/admin/locations/${fra.id}`, { hidden: false })
  assert.equal((await tryToOrder(plan.id, null)).status, 201)
})

test('V29: a server is made in its location, and by staff again there and nowhere else', async () => {
  const { plan } = await offerIn({ ...where, nodeIds: [nodeId, pelicanId] }, [sgp, fra])
  await shop.panel.post('installs', { outcome: 'fail', n: 2 })
  const by = await shop.customer()
  await by.post('/v1/cart/items', { planId: plan.id, locationId: sgp.id })
  const { body: placed, status: ordered, text } = await checkOut(by, { gatewayId })
  assert.equal(ordered, 201, text)
  await shop.complete(placed.payment.redirectUrl)
  const [id] = placed.order.items[0].serviceIds
  const service = async () => (await admin.get(`/v1/admin/services/${id}`)).body
  const becomes = (status: string) =>
    app.eventually(`it is ${status}`, async () => {
      app.deps.clock.advance(1000)
      await shop.panel.post('clock', { advanceSeconds: 1 })
      return (await service()).status === status
    })
  await becomes('failed')
  const { externalId } = await service()
  const server = async () => (await shop.servers()).find((it) => it.externalId === externalId)
  const first = await server()
  assert.ok([2, 4].includes(first?.nodeId))
  const url = `/v1/admin/services/${id}/replace`
  for (const elsewhere of [{ nodeId: pelicanId }, { locationIds: ['1'] }]) {
    const { status, body } = await admin.post(url, elsewhere)
    assert.deepEqual([status, body.code], [422, 'location_fixed'])
  }
  const again = await admin.post(url, { nodeId })
  assert.equal(again.status, 200, again.text)
  await becomes('active')
  assert.ok([2, 4].includes((await server())?.nodeId))
  assert.equal((await service()).location.slug, 'sgp')
  const moved = await admin.patch(`/v1/admin/services/${id}`, { locationId: fra.id })
  assert.equal(moved.body.location?.slug, 'fra', moved.text)
  const unknown = await admin.patch(`/v1/admin/services/${id}`, { locationId: id })
  assert.equal(unknown.status, 400)
})
