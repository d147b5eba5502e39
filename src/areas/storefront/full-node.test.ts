import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '#test/accounts.ts'
import { checkOut } from '#test/checkout.ts'
import { formBrowser, hiddenField } from '#test/form-browser.ts'
import { gameShop } from '#test/game-shop.ts'

/** Two servers of 2048 MiB have room. */
const shop = await gameShop({ panel: { nodes: 1, locations: 1, memory: 4096, disk: 100_000 } })
const { app, admin, catalog, eggId, nodeId } = shop
const games = await catalog.category({ name: 'Minecraft', slug: 'minecraft' })
const { product, plan } = await shop.server({ name: 'Large', slug: 'large', categoryId: games.id })
const limits = { memoryMb: 0, diskMb: 0 }
const provisioning = { eggId, nodeIds: [nodeId], limits }
await catalog.offer({}, { name: 'Tiny', slug: 'tiny', categoryId: games.id, provisioning })
const manual = { delivery: 'none', provisioning: null, stock: 3 }
const rank = await catalog.offer({}, { name: 'Rank', slug: 'rank', ...manual })

const seen = async (slug = 'large') => (await app.get(`/v1/store/products/${slug}`)).body
const listed = async (query: string) => {
  const { body } = await app.get(`/v1/store/products?categoryId=${games.id}${query}`)
  return body.data.find(({ id }: { id: string }) => id === product.id)
}
const quoted = async (quantity: number) => {
  const items = [{ planId: plan.id, quantity }]
  return (await app.post('/v1/store/quote', { items })).body
}

const form = { product: 'large', plan: plan.id, name: '' }
const guest = formBrowser(app)
await guest.submit('/cart/items', form)
const paying = await guest.open('/checkout')

async function order(quantity: number) {
  const by = await shop.customer()
  await by.post('/v1/cart/items', { planId: plan.id, quantity })
  return checkOut(by, { gatewayId: shop.gatewayId })
}

test('a product says how much room there is for it, and a list does where it is asked', async () => {
  const { room, available } = await seen()
  assert.deepEqual([room, available], ['few', true])
  const [asked, plain] = [await listed('&room=true'), await listed('')]
  assert.deepEqual([asked.room, asked.available], ['few', true])
  assert.deepEqual([plain.room, plain.available], [null, true])
  const without = await seen('rank')
  assert.deepEqual([without.room, without.available], [null, true])
})

test('a quote and a cart count all that is wanted of a product', async () => {
  const [two, three] = [await quoted(2), await quoted(3)]
  assert.deepEqual([two.items[0].room, two.faults], ['few', []])
  assert.deepEqual([three.items[0].room, three.faults[0].code], ['full', 'no_capacity'])
  const customer = await shop.customer()
  await customer.post('/v1/cart/items', { planId: plan.id, quantity: 2 })
  const { body } = await customer.post('/v1/cart/items', { planId: plan.id })
  assert.deepEqual(new Set(body.items.map((it: { room: string }) => it.room)), new Set(['full']))
})

test('product, cart and checkout say that few places are left, before anybody signs in', async () => {
  for (const path of ['/minecraft', '/minecraft/large', '/cart', '/checkout']) {
    const { text } = await guest.open(`${path}?lang=en`)
    assert.match(text, /Few places left/, path)
  }
})

test('what is in stock is said in the cart, and too many of it lead to another quantity', async () => {
  const visitor = formBrowser(app)
  await visitor.submit('/cart/items', { product: 'rank', plan: rank.plan.id, name: '' })
  assert.match((await visitor.open('/cart?lang=en')).text, /3 left/)
  await visitor.submit('/cart/items/quantity', { id: '0', quantity: '4' })
  const { text } = await visitor.open('/cart')
  assert.match(text, /Only 3 are left\. Change the quantity or remove it\./)
  assert.doesNotMatch(text, /href="\/checkout"/)
})

test('a full node is told before the account, and at the checkout before one is opened', async () => {
  assert.equal((await order(2)).status, 201)
  const { room, available } = await seen()
  assert.deepEqual([room, available], ['full', false])
  const page = await guest.open('/minecraft/large')
  assert.match(page.text, /There is no room for this server at the moment\./)
  assert.doesNotMatch(page.text, /action="\/cart\/items"/)
  assert.match(page.text, /href="\/minecraft\/tiny"[^>]*>Choose/, 'another size is offered')
  assert.match((await guest.open('/minecraft')).text, /class="opt shut">.*<small>Full</)
  assert.match(page.text, /schema\.org\/SoldOut/)
  const cart = await guest.open('/cart')
  assert.match(cart.text, /class="gone">There is no room for this server at the moment\./)
  assert.match(cart.text, /href="\/p\/large">See other sizes/)
  assert.equal((await guest.open('/p/large')).location, '/minecraft/large')
  assert.doesNotMatch(cart.text, /href="\/checkout"/)
  assert.equal((await guest.open('/checkout')).location, '/cart')
  const email = 'too-late@example.org'
  const refused = await guest.submit('/checkout', {
    ...{ name: 'Ada', email, password: PASSWORD, country: 'FR' },
    ...{ line1: '1 Harbour Road', postcode: '75001', city: 'Paris', company: '', vatNumber: '' },
    method: /name="method" value="([^"]+)"/.exec(paying.text)?.[1] ?? '',
    ...{ intent: hiddenField(paying.text, 'intent'), seen: hiddenField(paying.text, 'seen') },
    immediateStart: '1',
  })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /role="alert".*There is no room for this server at the moment\./s)
  assert.match(refused.text, /<a href="\/cart">Change the cart/)
  const people = await admin.get(`/v1/admin/users?search=${email}`)
  assert.deepEqual(people.body.data, [], 'no account was opened')
})
