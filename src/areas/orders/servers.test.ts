import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOut } from '#test/checkout.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'

const shop = await gameShop({ panel: { nodes: 1, locations: 1, memory: 8192, disk: 100_000 } })
const { gatewayId } = shop
const { plan, product } = await shop.server()
const { plan: long } = await shop.catalog.offer({}, { name: 'x'.repeat(200) })

async function shopper(...items: object[]): Promise<Person> {
  const customer = await shop.customer()
  for (const item of items) {
    const { status, text } = await customer.post('/v1/cart/items', { planId: plan.id, ...item })
    assert.equal(status, 201, text)
  }
  return customer
}

const checkout = (customer: Person) => checkOut(customer, { gatewayId })

async function assertNothingHappened(customer: Person, items: number): Promise<void> {
  assert.deepEqual((await customer.get('/v1/billing/orders')).body.data, [])
  assert.deepEqual((await customer.get('/v1/services')).body.data, [])
  assert.equal((await customer.get('/v1/cart')).body.items.length, items)
}

test('values that the game would refuse are refused by the cart, each with a sentence that names its variable', async () => {
  const customer = await shopper({ environment: { MINECRAFT_VERSION: '1.21.1' } })
  const environment = { SERVER_JARFILE: 'no jar', NOT_A_VARIABLE: 'x' }
  const [item] = (await customer.get('/v1/cart')).body.items
  for (const { status, body } of [
    await customer.post('/v1/cart/items', { planId: plan.id, environment }),
    await customer.patch(`/v1/cart/items/${item.id}`, { environment }),
  ]) {
    assert.deepEqual([status, body.code], [422, 'environment_invalid'])
    const [unknown, named] = body.details
    assert.equal(unknown.path, 'environment.NOT_A_VARIABLE')
    assert.equal(named.path, 'environment.SERVER_JARFILE')
    assert.match(named.message, /^Server Jar File .*\.$/)
  }
  await assertNothingHappened(customer, 1)
})

test('values that the shop locked after they were chosen are told in the cart and refused at checkout', async () => {
  const customer = await shopper({ environment: { SERVER_JARFILE: 'own.jar' } })
  const path = `/v1/admin/products/${product.id}`
  const { eggId, nodeIds, limits } = (await shop.admin.get(path)).body.provisioning
  const built = { eggId, nodeIds, limits }
  const choices = { lockedVariables: ['SERVER_JARFILE'] }
  await shop.admin.patch(path, { provisioning: { ...built, choices } })
  const [item] = (await customer.get('/v1/cart')).body.items
  assert.equal(item.faults[0].path, 'environment.SERVER_JARFILE')
  const { status, body } = await checkout(customer)
  assert.deepEqual([status, body.code], [422, 'environment_invalid'])
  assert.equal(body.details[0].path, 'items.0.environment.SERVER_JARFILE')
  await shop.admin.patch(path, { provisioning: built })
  await assertNothingHappened(customer, 1)
})

test('a value that may not be left out has to be given', async () => {
  const { body: eggs } = await shop.admin.get('/v1/admin/eggs?limit=100')
  const rust = eggs.data.find((it: { name: string }) => it.name.startsWith('Rust'))
  const limits = { memoryMb: 1024, diskMb: 1024 }
  const provisioning = { eggId: rust.id, nodeIds: [shop.nodeId], limits }
  const { plan: other } = await shop.catalog.offer({}, { provisioning })
  const customer = await shopper({ planId: other.id })
  const refused = await checkout(customer)
  assert.deepEqual([refused.status, refused.body.code], [422, 'environment_invalid'])
  const paths = refused.body.details.map(({ path }: { path: string }) => path)
  assert.ok(paths.includes('items.0.environment.RCON_PASS'))
  const [item] = (await customer.get('/v1/cart')).body.items
  const environment = { RCON_PASS: 'secret-1' }
  assert.equal((await customer.patch(`/v1/cart/items/${item.id}`, { environment })).status, 200)
  assert.equal((await checkout(customer)).status, 201)
})

test('what the panel has no room for is refused before anybody pays', async () => {
  // What others ordered before is not held any more: four of 2048 MiB fit.
  await shop.app.advance(32 * 60)
  const customer = await shopper({ quantity: 3 }, { quantity: 2 })
  const { status, body } = await checkout(customer)
  assert.deepEqual([status, body.code], [422, 'no_capacity'])
  await assertNothingHappened(customer, 2)
  const [item] = (await customer.get('/v1/cart')).body.items
  assert.equal((await customer.patch(`/v1/cart/items/${item.id}`, { quantity: 2 })).status, 200)
  assert.equal((await checkout(customer)).status, 201)
})

test('a panel that is away keeps nobody from buying', async () => {
  const [node] = (await shop.admin.get('/v1/admin/nodes')).body.data
  // What it said a moment ago is of its version before this.
  await shop.admin.patch(`/v1/admin/nodes/${node.id}`, { apiKey: shop.panel.applicationKey })
  await shop.panel.fault('* /api/application/*', 'html-502', { n: 50 })
  const customer = await shopper({})
  assert.equal((await checkout(customer)).status, 201)
})

test('the longest name of several units is cut to what panels take', async () => {
  const customer = await shopper({ planId: long.id, quantity: 2 })
  assert.equal((await checkout(customer)).status, 201)
  const names = (await customer.get('/v1/services')).body.data.map(
    (it: { name: string }) => it.name,
  )
  assert.deepEqual(names, [`${'x'.repeat(189)} 2`, `${'x'.repeat(189)} 1`])
})
