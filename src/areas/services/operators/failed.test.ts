import assert from 'node:assert/strict'
import { test } from 'node:test'
import { affiliate, broughtBy } from '#test/affiliates.ts'
import { until } from '#test/app.ts'
import { checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'

type Body = Answer['body']

const shop = await gameShop()
const { admin, app, panel, gatewayId } = shop
const SERVICES = '/v1/admin/services'
const MAKE = 'POST /api/application/servers'
const LOOK = 'GET /api/application/servers/external/{id}'
const HOURS = 3_600_000

const works = await shop.server()
const breaks = await shop.server({ stock: 50 })
const { provisioning } = (await admin.get(`/v1/admin/products/${breaks.product.id}`)).body

const set = (services: object) => admin.patch('/v1/admin/settings', { services })
const serviceOf = async (id: string) => (await admin.get(`${SERVICES}/${id}`)).body
const stock = async () => (await admin.get(`/v1/admin/products/${breaks.product.id}`)).body.stock
const became = (id: string, status: string) =>
  until(`it is ${status}`, async () => (await serviceOf(id)).status === status)

/** Pays an order of these plans after the second product has lost what it is made of; answers the service that failed. */
async function failed(customer: Person, plans = [breaks.plan.id]): Promise<Body> {
  for (const planId of plans) await customer.post('/v1/cart/items', { planId })
  const { body: placed } = await checkOut(customer, { gatewayId })
  await admin.patch(`/v1/admin/products/${breaks.product.id}`, { provisioning: null })
  await shop.complete(placed.payment.redirectUrl)
  const [id] = placed.order.items.at(-1).serviceIds
  await became(id, 'failed')
  await admin.patch(`/v1/admin/products/${breaks.product.id}`, { provisioning })
  await shop.quiet()
  return { id, ...placed }
}

/** How often an administrator was told that services wait for staff. */
async function timesTold(): Promise<number> {
  const rows = await shop.db
    .selectFrom('notifications.notifications')
    .select('data')
    .where('userId', '=', admin.userId)
    .where('kind', '=', 'admin_attention')
    .execute()
  return rows.filter(({ data }) => (data as Body).topic === 'failed_not_refunded').length
}

/** Lets the refunds that need no staff run now. */
async function run() {
  await (await app.deps.queue.runSchedules(({ name }) => name === 'services.refund-failed')).ended
}

test('a service that failed is not refunded by itself unless the shop wants that', async () => {
  const { id } = await failed(await shop.customer())
  app.deps.clock.advance(100 * HOURS)
  await run()
  assert.equal((await serviceOf(id)).status, 'failed')
  const done = await admin.post(`${SERVICES}/${id}/refund`, { to: 'credit' })
  assert.equal(done.status, 200, done.text)
})

test('X70: after the hours that the shop has set, the share of a failed server goes back to the card, and the other server runs', async () => {
  await set({ refundFailed: 'payment', refundFailedAfterHours: 24 })
  const ada = await affiliate(shop)
  const bob = await broughtBy(shop, ada)
  const before = await stock()
  const { id, order, invoice } = await failed(bob, [works.plan.id, breaks.plan.id])
  assert.equal(invoice.totalCents, 2400)
  const [other] = order.items[0].serviceIds
  await became(other, 'active')
  assert.equal(await stock(), before - 1)
  app.deps.clock.advance(23 * HOURS)
  await run()
  assert.equal((await serviceOf(id)).status, 'failed', 'not before its time')
  app.deps.clock.advance(HOURS)
  await run()
  await became(id, 'ended')
  const { endReason } = await serviceOf(id)
  assert.equal(endReason, 'refunded')
  await until('the money is back on the card', async () => {
    const { body } = await admin.get(`/v1/admin/refunds?userId=${bob.userId}`)
    return body.data[0]?.status === 'succeeded'
  })
  const { body } = await bob.get(`/v1/billing/credit-notes?invoiceId=${invoice.id}`)
  assert.deepEqual(
    body.data.map((it: Body) => [it.netCents ?? it.subtotalCents, it.taxCents, it.totalCents]),
    [[1000, 200, 1200]],
  )
  assert.equal((await serviceOf(other)).status, 'active')
  await until('its stock is back', async () => (await stock()) === before)
  await until('half of the commission is reversed', async () => {
    const { body: page } = await ada.get('/v1/affiliation/commissions')
    const [commission] = page.data
    return commission?.amountCents === 200 && commission?.reversedCents === 100
  })
  await run()
  assert.equal((await bob.get(`/v1/billing/credit-notes`)).body.data.length, 1, 'once')
  await shop.assertSound()
})

test('X71: no refund while a server may exist, after staff have tried again, or while the customer disputes a payment', async () => {
  await set({ refundFailed: 'credit', refundFailedAfterHours: 1 })
  // The panel makes the server and never says so; then it is away for good.
  const cut = await shop.customer()
  await panel.fault(MAKE, 'commit-then-500', { n: 1 })
  await panel.fault(LOOK, 'html-502', { n: 10_000 })
  const placed = await shop.buy(cut, works.plan.id)
  const [uncertain] = placed.order.items[0].serviceIds
  await app.eventually('it failed', async () => {
    app.deps.clock.advance(8 * HOURS)
    return (await serviceOf(uncertain)).status === 'failed'
  })
  const touched = await failed(await shop.customer())
  await admin.patch(`/v1/admin/products/${breaks.product.id}`, { provisioning: null })
  assert.equal((await admin.post(`${SERVICES}/${touched.id}/retry`)).status, 200)
  await app.eventually('it failed again', async () => {
    app.deps.clock.advance(60_000)
    return (await serviceOf(touched.id)).status === 'failed'
  })
  await admin.patch(`/v1/admin/products/${breaks.product.id}`, { provisioning })
  const disputed = await failed(await shop.customer())
  const [payment] = (await admin.get(`/v1/admin/payments?invoiceId=${disputed.invoice.id}`)).body
    .data
  await shop.control('disputes', { paymentIntent: payment.providerPaymentId })
  await shop.quiet()
  app.deps.clock.advance(2 * HOURS)
  await run()
  for (const id of [uncertain, touched.id, disputed.id])
    assert.equal((await serviceOf(id)).status, 'failed')
})

test('V66: more than so many refunds a day are left to staff, who are told once; a day later it goes on', async () => {
  await set({ refundFailed: 'credit', refundFailedAfterHours: 1, refundFailedPerDay: 1 })
  app.deps.clock.advance(25 * HOURS)
  const before = await timesTold()
  const eve = await shop.customer()
  const first = await failed(eve)
  const second = await failed(eve)
  app.deps.clock.advance(2 * HOURS)
  await run()
  await became(first.id, 'ended')
  assert.equal((await serviceOf(second.id)).status, 'failed')
  assert.equal(await timesTold(), before + 1)
  await run()
  assert.equal(await timesTold(), before + 1)
  app.deps.clock.advance(25 * HOURS)
  await run()
  await became(second.id, 'ended')
  await shop.assertSound()
})

test('a coupon and a trial count again when nothing of their order ever ran', async () => {
  await set({ refundFailed: 'credit', refundFailedAfterHours: 1, refundFailedPerDay: 20 })
  const coupon = await shop.catalog.coupon({ code: 'ONCE', maxRedemptionsPerUser: 1 })
  const kim = await shop.customer()
  await kim.post('/v1/cart/items', { planId: breaks.plan.id })
  assert.equal((await kim.put(`/v1/cart/coupons/${coupon.code}`)).status, 200)
  const { id } = await failed(kim, [])
  app.deps.clock.advance(2 * HOURS)
  await run()
  await became(id, 'ended')
  await until('the coupon counts again', async () => {
    await kim.post('/v1/cart/items', { planId: works.plan.id })
    const { status } = await kim.put(`/v1/cart/coupons/${coupon.code}`)
    return status === 200
  })
})
