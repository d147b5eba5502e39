import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { later, MINUTE_MS } from '#lib/time.ts'
import { type Tx, transact } from '#platform/database/index.ts'
import {
  confirmStock,
  emptyCart,
  findProduct,
  lockAndPriceCart,
  releaseStock,
  reserveCoupons,
  reserveStock,
} from '#store'
import { testApp } from '#test/app.ts'
import { provisioningIn } from '#test/eggs.ts'
import { type Person, person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'

const app = await testApp(null)
const admin = await person(app, { permissions: ['store:*'] })
const shop = shopOf(admin, await provisioningIn(app))
const { tenantId } = app
const db = app.deps.database.of(tenantId)

const CUSTOMERS = 20
const customers: Person[] = []
for (let n = 0; n < CUSTOMERS; n += 1) customers.push(await person(app))

type Outcome = { accepted: number; refused: unknown[] }

/** Lets every customer do something in a transaction of their own, all at once. */
async function allAtOnce(work: (tx: Tx, customer: Person) => Promise<unknown>): Promise<Outcome> {
  const results = await Promise.allSettled(
    customers.map((customer) => transact(db, (tx) => work(tx, customer))),
  )
  return {
    accepted: results.filter(({ status }) => status === 'fulfilled').length,
    refused: results.flatMap((it) => (it.status === 'rejected' ? [it.reason.code] : [])),
  }
}

const now = () => app.deps.clock.now()
const heldUntil = later(now(), 30 * MINUTE_MS)

test('the last 5 in stock are held for 5 of 20 customers who come at once', async () => {
  const { id: productId } = await shop.product({ stock: 5 })
  const { accepted, refused } = await allAtOnce((tx) => {
    const items = [{ productId, quantity: 1 }]
    return reserveStock(tx, { tenantId, reference: newId(), items, heldUntil }, now())
  })
  assert.equal(accepted, 5)
  assert.deepEqual(refused, Array(15).fill('out_of_stock'))
  assert.equal((await findProduct(db, { tenantId, id: productId }))?.stock, 0)
})

test('E15, invariant 25: a coupon for 5 uses is accepted 5 times by 20 checkouts at once (hardening 36)', async () => {
  const coupon = await shop.coupon({ maxRedemptions: 5 })
  const { accepted, refused } = await allAtOnce((tx, { userId }) =>
    reserveCoupons(
      tx,
      { tenantId, reference: newId(), userId, couponIds: [coupon.id], heldUntil },
      now(),
    ),
  )
  assert.equal(accepted, 5)
  assert.deepEqual(refused, Array(15).fill('coupon_not_applicable'))
  assert.equal((await admin.get(`/v1/admin/coupons/${coupon.id}`)).body.redemptions, 5)
})

test('a customer with 20 checkouts at once uses a coupon once that is for one use each', async () => {
  const coupon = await shop.coupon({ maxRedemptionsPerUser: 1 })
  const { userId } = await person(app)
  const { accepted } = await allAtOnce((tx) =>
    reserveCoupons(
      tx,
      { tenantId, reference: newId(), userId, couponIds: [coupon.id], heldUntil },
      now(),
    ),
  )
  assert.equal(accepted, 1)
})

test('orders for the same products in any order wait for each other, and none is lost', async () => {
  const [a, b] = [await shop.product({ stock: 10 }), await shop.product({ stock: 30 })]
  let turn = 0
  const { accepted } = await allAtOnce((tx) => {
    turn += 1
    const both = [a, b].map(({ id }) => ({ productId: id, quantity: 1 }))
    const items = turn % 2 ? both : both.reverse()
    return reserveStock(tx, { tenantId, reference: newId(), items, heldUntil }, now())
  })
  assert.equal(accepted, 10)
  assert.equal((await findProduct(db, { tenantId, id: b.id }))?.stock, 20)
})

test('an order that is released and paid at once ends taken or released, never both', async () => {
  const { id: productId } = await shop.product({ stock: 20 })
  const orders = customers.map(() => ({ tenantId, reference: newId() }))
  const items = [{ productId, quantity: 1 }]
  for (const order of orders)
    await transact(db, (tx) => reserveStock(tx, { ...order, items, heldUntil }, now()))
  await Promise.all(
    orders.flatMap((order) => [
      transact(db, (tx) => releaseStock(tx, order, now())),
      transact(db, (tx) => confirmStock(tx, order, now())),
    ]),
  )
  // Whichever came first: every order was paid, so every piece is sold.
  assert.equal((await findProduct(db, { tenantId, id: productId }))?.stock, 0)
})

test('one cart is bought once, however many checkouts there are at once', async () => {
  const { plan } = await shop.offer()
  const customer = await person(app)
  await customer.post('/v1/cart/items', { planId: plan.id })
  const { accepted, refused } = await allAtOnce(async (tx) => {
    await lockAndPriceCart(tx, customer, now())
    await emptyCart(tx, customer)
  })
  assert.equal(accepted, 1)
  assert.deepEqual(refused, Array(19).fill('cart_empty'))
})
