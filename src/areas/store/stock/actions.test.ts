import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { later, MINUTE_MS } from '#lib/time.ts'
import { type Tx, transact } from '#platform/database/index.ts'
import { confirmStock, findProduct, releaseStock, reserveStock, type StockItem } from '#store'
import { testApp, until } from '#test/app.ts'
import { provisioningIn } from '#test/eggs.ts'
import { apiKey, person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'

const app = await testApp(null)
const owner = await person(app, { permissions: ['store:*'] })
// A session would end while the clock moves; an API key does not.
const admin = await apiKey(app, owner, { permission: 'read-write' })
const shop = shopOf(admin, await provisioningIn(app))
const { tenantId } = app
const db = app.deps.database.of(tenantId)

const HALF_HOUR = 30 * 60

function inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return transact(db, work)
}

async function productWith(stock: number | null): Promise<string> {
  return (await shop.product({ stock })).id
}

async function stockOf(id: string): Promise<number | null | undefined> {
  return (await findProduct(db, { tenantId, id }))?.stock
}

/** Holds stock for a new order; answers the order's id. */
async function hold(...items: StockItem[]): Promise<string> {
  const reference = newId()
  const now = app.deps.clock.now()
  const heldUntil = later(now, 30 * MINUTE_MS)
  await inTransaction((tx) => reserveStock(tx, { tenantId, reference, items, heldUntil }, now))
  return reference
}

const take = (reference: string) =>
  inTransaction((tx) => confirmStock(tx, { tenantId, reference }, app.deps.clock.now()))
const release = (reference: string) =>
  inTransaction((tx) => releaseStock(tx, { tenantId, reference }, app.deps.clock.now()))

test('what is held is not for sale, and comes back once when it is released', async () => {
  const productId = await productWith(5)
  const order = await hold({ productId, quantity: 2 }, { productId, quantity: 1 })
  assert.equal(await stockOf(productId), 2)
  await release(order)
  await release(order)
  assert.equal(await stockOf(productId), 5)
})

test('an order that cannot be held whole holds nothing', async () => {
  const [plenty, few] = [await productWith(5), await productWith(1)]
  const items = [
    { productId: plenty, quantity: 2 },
    { productId: few, quantity: 2 },
  ]
  await assert.rejects(hold(...items), { statusCode: 422, code: 'out_of_stock' })
  assert.deepEqual([await stockOf(plenty), await stockOf(few)], [5, 1])
})

test('stock that was paid for stays taken, whatever is released or repeated later', async () => {
  const productId = await productWith(5)
  const order = await hold({ productId, quantity: 2 })
  assert.equal(await take(order), true)
  assert.equal(await take(order), true)
  await release(order)
  assert.equal(await stockOf(productId), 3)
})

test('what waits for money longer than 30 minutes goes back, and is taken again if it is there', async () => {
  const [productId, other] = [await productWith(5), await productWith(1)]
  const order = await hold({ productId, quantity: 2 })
  const late = await hold({ productId, quantity: 1 }, { productId: other, quantity: 1 })
  await app.advance(HALF_HOUR - 1)
  assert.equal(await stockOf(productId), 2)
  await app.advance(1)
  await until('the stock is back', async () => (await stockOf(other)) === 1)
  assert.equal(await stockOf(productId), 5)
  assert.equal(await take(order), true)
  assert.equal(await stockOf(productId), 3)
  const faster = await hold({ productId: other, quantity: 1 })
  assert.equal(await take(late), false)
  assert.deepEqual([await stockOf(productId), await stockOf(other)], [3, 0])
  await release(faster)
  assert.equal(await take(late), true)
  assert.deepEqual([await stockOf(productId), await stockOf(other)], [2, 0])
})

test('what is held 30 minutes is still held until somebody gives it back', async () => {
  const productId = await productWith(1)
  const order = await hold({ productId, quantity: 1 })
  app.deps.clock.advance(HALF_HOUR * 2 * 1000)
  assert.equal(await take(order), true)
  assert.equal(await stockOf(productId), 0)
})

test('what has no limit is never held, and is always there', async () => {
  const productId = await productWith(null)
  const order = await hold({ productId, quantity: 100_000 })
  assert.equal(await stockOf(productId), null)
  await admin.patch(`/v1/admin/products/${productId}`, { stock: 3 })
  await release(order)
  assert.equal(await take(order), true)
  assert.equal(await stockOf(productId), 3)
})
