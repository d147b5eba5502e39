import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { later, MINUTE_MS } from '#lib/time.ts'
import { type Tx, transact } from '#platform/database/index.ts'
import { confirmCoupons, releaseCoupons, reserveCoupons } from '#store'
import { testApp, until } from '#test/app.ts'
import { provisioningIn } from '#test/eggs.ts'
import { apiKey, type Person, person } from '#test/people.ts'
import { type Made, shopOf } from '#test/shop.ts'

const app = await testApp(null)
const owner = await person(app, { permissions: ['store:*'] })
// A session would end while the clock moves; an API key does not.
const admin = await apiKey(app, owner, { permission: 'read-write' })
const shop = shopOf(admin, await provisioningIn(app))
const { tenantId } = app
const db = app.deps.database.of(tenantId)

const HALF_HOUR = 30 * 60
const REFUSED = { statusCode: 422, code: 'coupon_not_applicable' }

function inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return transact(db, work)
}

/** Holds coupons for a new order of a customer; answers the order's id. */
async function hold({ userId }: Person, ...coupons: Made[]): Promise<string> {
  const reference = newId()
  const couponIds = coupons.map(({ id }) => id)
  const now = app.deps.clock.now()
  const heldUntil = later(now, 30 * MINUTE_MS)
  const order = { tenantId, reference, userId, couponIds, heldUntil }
  await inTransaction((tx) => reserveCoupons(tx, order, now))
  return reference
}

const confirm = (reference: string) =>
  inTransaction((tx) => confirmCoupons(tx, { tenantId, reference }, app.deps.clock.now()))
const release = (reference: string) =>
  inTransaction((tx) => releaseCoupons(tx, { tenantId, reference }, app.deps.clock.now()))

async function redemptionsOf({ id }: Made): Promise<number> {
  return (await admin.get(`/v1/admin/coupons/${id}`)).body.redemptions
}

test('a held use counts, and comes back once when the order comes to nothing', async () => {
  const coupon = await shop.coupon({ maxRedemptions: 1 })
  const [one, two] = [await person(app), await person(app)]
  const order = await hold(one, coupon)
  await assert.rejects(hold(two, coupon), REFUSED)
  await release(order)
  await release(order)
  assert.equal(await redemptionsOf(coupon), 0)
  await hold(two, coupon)
  assert.equal(await redemptionsOf(coupon), 1)
})

test('a paid use counts for good, whatever is released or repeated later', async () => {
  const coupon = await shop.coupon({ maxRedemptions: 2 })
  const order = await hold(await person(app), coupon)
  assert.equal(await confirm(order), true)
  assert.equal(await confirm(order), true)
  await release(order)
  await app.advance(HALF_HOUR)
  assert.equal(await redemptionsOf(coupon), 1)
})

test('a customer uses a coupon as often as it says, uses that wait for money included', async () => {
  const coupon = await shop.coupon({ maxRedemptionsPerUser: 2 })
  const customer = await person(app)
  const first = await hold(customer, coupon)
  await hold(customer, coupon)
  await assert.rejects(hold(customer, coupon), REFUSED)
  await hold(await person(app), coupon)
  await release(first)
  await hold(customer, coupon)
  assert.equal(await redemptionsOf(coupon), 3)
})

test('an order holds all its coupons or none', async () => {
  const [free, full] = [await shop.coupon(), await shop.coupon({ maxRedemptions: 1 })]
  await hold(await person(app), full)
  await assert.rejects(hold(await person(app), free, full), REFUSED)
  assert.equal(await redemptionsOf(free), 0)
})

test('a use that waits longer than 30 minutes goes back, and counts late only if one is left', async () => {
  const coupon = await shop.coupon({ maxRedemptions: 1 })
  const own = await shop.coupon({ maxRedemptionsPerUser: 1 })
  const customer = await person(app)
  const late = await hold(customer, coupon)
  const lateOwn = await hold(customer, own)
  await app.advance(HALF_HOUR)
  await until('the uses are back', async () => (await redemptionsOf(own)) === 0)
  assert.equal(await redemptionsOf(coupon), 0)
  const faster = await hold(await person(app), coupon)
  const again = await hold(customer, own)
  assert.deepEqual([await confirm(late), await confirm(lateOwn)], [false, false])
  assert.deepEqual([await redemptionsOf(coupon), await redemptionsOf(own)], [1, 1])
  await release(faster)
  await release(again)
  assert.deepEqual([await confirm(late), await confirm(lateOwn)], [true, true])
  assert.deepEqual([await redemptionsOf(coupon), await redemptionsOf(own)], [1, 1])
})

test('a deleted coupon cannot be held any more, but one that is held is confirmed', async () => {
  const coupon = await shop.coupon()
  const customer = await person(app)
  const order = await hold(customer, coupon)
  await admin.delete(`/v1/admin/coupons/${coupon.id}`)
  await assert.rejects(hold(customer, coupon), REFUSED)
  assert.equal(await confirm(order), true)
})

test('an administrator who changes a coupon does not touch how often it was used', async () => {
  const coupon = await shop.coupon()
  await hold(await person(app), coupon)
  const { body } = await admin.patch(`/v1/admin/coupons/${coupon.id}`, { maxRedemptions: 5 })
  assert.equal(body.redemptions, 1)
})
