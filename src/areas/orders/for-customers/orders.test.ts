import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { until } from '#test/app.ts'
import type { Answer, Client } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { apiKey, type Person, person } from '#test/people.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'

const shop = await gameShop()
const { app, admin, catalog } = shop
const { plan } = await shop.server()
const permissions = ['orders:read', 'orders:write', 'users:read']
const { userId: clerkId, tenantId } = await person(app, { permissions })
// A key outlives every movement of the clock.
const clerk = await apiKey(app, { userId: clerkId, tenantId }, { permission: 'read-write' })

const HOUR = 3600
const DAY = 24 * HOUR

/** Seconds from one instant to another one. */
const between = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000

/** A business has no right of withdrawal. */
async function business() {
  const ada = await shop.customer()
  await ada.patch('/v1/users/me', { company: 'Analytical Engines' })
  return ada
}

type Customer = Pick<Person, 'userId'>

const urlOf = ({ userId }: Customer) => `/v1/admin/users/${userId}/orders`
const wish = (planId: string, more: object = {}) => ({ items: [{ planId, ...more }] })

function orderFor(customer: Customer, body: object, by: Client = clerk): Promise<Answer> {
  return by.post(urlOf(customer), body)
}

async function placed(customer: Customer, body: object) {
  const answer = await orderFor(customer, body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function refused(customer: Customer, body: object, status: number, code: string) {
  const answer = await orderFor(customer, body)
  assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text)
}

test('an order that staff place is the order of the customer, waits for payment and starts with it', async () => {
  const ada = await business()
  await ada.post('/v1/cart/items', { planId: plan.id, quantity: 2 })
  const body = wish(plan.id, { name: 'Castle' })
  const { body: preview } = await clerk.post(`${urlOf(ada)}/preview`, body)
  assert.deepEqual(
    [preview.totalCents, preview.taxCents, preview.currency, preview.faults],
    [1200, 200, 'EUR', []],
  )
  const order = await placed(ada, body)
  assert.deepEqual(
    [order.status, order.totalCents, order.userId, order.placedBy.id, order.startsAt],
    ['pending', 1200, ada.userId, clerkId, null],
  )
  assert.equal(between(order.createdAt, order.heldUntil), 7 * DAY)
  const own = (await ada.get(`/v1/billing/orders/${order.id}`)).body
  assert.deepEqual([own.placedByStaff, own.payable, own.termsVersion], [true, true, null])
  assert.equal('placedBy' in own, false)
  assert.equal((await ada.get('/v1/cart')).body.items.length, 1, 'the cart stays as it is')
  const invoice = (await ada.get(`/v1/billing/invoices/${order.invoiceId}`)).body
  assert.deepEqual([invoice.status, invoice.number, invoice.dueAt], ['open', null, order.heldUntil])
  const told = (await ada.get('/v1/notifications')).body.data
  assert.ok(told.some(({ kind }: { kind: string }) => kind === 'order_placed'))
  const mail = await until('the mail asks for the payment', async () => {
    const { data } = (await admin.get(`/v1/admin/mails?recipient=${ada.email}`)).body
    return data.find(({ kind }: { kind: string }) => kind === 'order_placed')
  })
  assert.match(mail.body, new RegExp(`Pay now:\n/invoices/${order.invoiceId}`))

  const { gatewayId } = shop
  const paying = await ada.post(`/v1/billing/invoices/${order.invoiceId}/pay`, { gatewayId })
  assert.equal(paying.status, 200, paying.text)
  await shop.complete(paying.body.redirectUrl)
  const service = await shop.serviceBecame(ada, 'active')
  assert.equal(service.name, 'Castle')
  const { data: entries } = (await admin.get('/v1/admin/audit-logs?limit=100')).body
  const entry = entries.find(({ objectId }: { objectId: string }) => objectId === order.id)
  assert.equal(entry.actorId, clerkId)
  const { orders } = (await ada.get('/v1/billing/export-data')).body.data.orders
  assert.equal(orders[0].placedByStaff, true)
})

test('an order waits until its invoice is due, holds its stock meanwhile, and ends after it', async () => {
  const { product, plan: rare } = await shop.server({ stock: 1 })
  const ada = await shop.customer()
  const order = await placed(ada, { ...wish(rare.id), daysToPay: 3 })
  const other = await shop.customer()
  await refused(other, wish(rare.id), 422, 'out_of_stock')
  await app.advance(3 * DAY - HOUR)
  assert.equal((await clerk.get(`/v1/admin/orders/${order.id}`)).body.status, 'pending')
  await refused(other, wish(rare.id), 422, 'out_of_stock')
  await app.advance(2 * HOUR)
  await until('the order has ended', async () => {
    const { body } = await clerk.get(`/v1/admin/orders/${order.id}`)
    return body.status === 'canceled'
  })
  assert.equal((await admin.get(`/v1/admin/products/${product.id}`)).body.stock, 1)
  await placed(other, wish(rare.id))
})

test('of two orders at once for the last piece one is placed, and a repeated request places none', async () => {
  const { plan: rare } = await shop.server({ stock: 1 })
  const [ada, bob] = [await shop.customer(), await shop.customer()]
  const answers = await Promise.all([ada, bob].map((it) => orderFor(it, wish(rare.id))))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422])

  const eve = await shop.customer()
  const headers = { 'idempotency-key': newId() }
  const twice = await Promise.all(
    [1, 2].map(() => clerk.post(urlOf(eve), wish(plan.id), { headers })),
  )
  const again = await clerk.post(urlOf(eve), wish(plan.id), { headers })
  assert.equal(again.status, 201, again.text)
  for (const it of twice) if (it.status === 201) assert.equal(it.body.id, again.body.id)
  const { data } = (await clerk.get(`/v1/admin/orders?userId=${eve.userId}`)).body
  assert.equal(data.length, 1)
})

test('what is not sold cannot be ordered by staff either; a hidden product can', async () => {
  const ada = await shop.customer()
  await refused(ada, wish(newId()), 404, 'not_found')
  const archived = await shop.server()
  await admin.delete(`/v1/admin/plans/${archived.plan.id}`)
  await refused(ada, wish(archived.plan.id), 404, 'not_found')
  const draft = await shop.server()
  await admin.post(`/v1/admin/products/${draft.product.id}/unpublish`)
  await refused(ada, wish(draft.plan.id), 422, 'plan_not_for_sale')
  await refused(ada, { ...wish(plan.id), currency: 'USD' }, 422, 'currency_not_available')
  await refused(ada, { ...wish(plan.id), coupons: ['NO-SUCH'] }, 404, 'coupon_unknown')
  const ended = await catalog.coupon({ validTo: '2020-01-01T00:00:00Z' })
  await refused(ada, { ...wish(plan.id), coupons: [ended.code] }, 422, 'coupon_not_applicable')
  assert.equal((await orderFor(ada, { items: [] })).status, 400)
  assert.equal((await clerk.get(`/v1/admin/orders?userId=${ada.userId}`)).body.data.length, 0)
  const hidden = await shop.server({ hidden: true })
  await placed(ada, wish(hidden.plan.id))
})

test('the limits of the customer hold: one trial, the uses of a coupon, unpaid orders of a product', async () => {
  const ada = await business()
  const coupon = await catalog.coupon({ percentBasisPoints: 10_000, maxRedemptionsPerUser: 1 })
  const free = await placed(ada, { ...wish(plan.id), coupons: [coupon.code] })
  assert.equal(free.totalCents, 0)
  await shop.serviceBecame(ada, 'active')
  await refused(ada, { ...wish(plan.id), coupons: [coupon.code] }, 422, 'coupon_not_applicable')
  const { plan: tried } = await shop.server({}, { trialDays: 7 })
  await refused(ada, wish(tried.id), 422, 'payment_method_required')
  const { plan: other } = await shop.server()
  await placed(ada, wish(other.id))
  await refused(ada, wish(other.id), 422, 'order_open')
})

test('an order that a consumer did not ask to begin at once begins after the time to withdraw', async () => {
  const ada = await shop.customer()
  const order = await placed(ada, wish(plan.id))
  assert.ok(between(order.createdAt, order.startsAt) >= 14 * DAY)
  await app.advance(2 * DAY)
  const { gatewayId } = shop
  const paying = await ada.post(`/v1/billing/invoices/${order.invoiceId}/pay`, { gatewayId })
  await shop.complete(paying.body.redirectUrl)
  const paid = await until('the order is paid', async () => {
    const { body } = await ada.get(`/v1/billing/orders/${order.id}`)
    return body.status === 'paid' && body
  })
  assert.ok(paid.startsAt > order.startsAt, 'the time begins with the payment')
  assert.equal((await ada.get('/v1/services')).body.data[0].status, 'pending')
})

test('an order of staff that is paid after 20 days waits 14 more, in which it can be withdrawn from', async () => {
  const buyer = await shop.customer()
  const order = await placed(buyer, { ...wish(plan.id), daysToPay: 30 })
  await app.advance(20 * DAY)
  // The session of a customer ends before.
  const ada = await apiKey(app, buyer, { permission: 'read-write' })
  const paidOn = app.deps.clock.now()
  assert.ok(order.startsAt < paidOn, 'it would have begun if it had been paid at once')
  const { gatewayId } = shop
  const paying = await ada.post(`/v1/billing/invoices/${order.invoiceId}/pay`, { gatewayId })
  await shop.complete(paying.body.redirectUrl)
  const paid = await until('the order is paid', async () => {
    const { body } = await ada.get(`/v1/billing/orders/${order.id}`)
    return body.status === 'paid' && body
  })
  assert.ok(between(paidOn, paid.startsAt) >= 14 * DAY)
  const [{ id, status }] = (await ada.get('/v1/services')).body.data
  assert.equal(status, 'pending')
  await app.advance(13 * DAY)
  assert.equal((await ada.get(`/v1/services/${id}`)).body.withdrawableUntil, paid.startsAt)
  const withdrawn = await ada.post(`/v1/services/${id}/withdraw`)
  assert.equal(withdrawn.status, 200, withdrawn.text)
  assert.equal(withdrawn.body.refundCents, order.totalCents)
})

test('staff without the permission, and orders for accounts that may not buy, are refused', async () => {
  const ada = await shop.customer()
  const reader = await person(app, { permissions: ['orders:read', 'users:read', 'store:read'] })
  for (const path of ['', '/preview']) {
    assert.equal((await reader.post(urlOf(ada) + path, wish(plan.id))).status, 403)
    assert.equal((await ada.post(urlOf(ada) + path, wish(plan.id))).status, 403)
  }
  const stranger = { userId: newId() }
  assert.equal((await orderFor(stranger, wish(plan.id))).status, 404)
  assert.equal((await clerk.post(`${urlOf(stranger)}/preview`, wish(plan.id))).status, 404)
  const gone = await shop.customer()
  await givePassword(app, gone.userId)
  const login = { email: gone.email, password: PASSWORD }
  const { accessToken } = (await app.post('/v1/auth/login', login)).body
  const left = await app.as(accessToken).delete('/v1/users/me', { password: PASSWORD })
  assert.equal(left.status, 200, left.text)
  await refused(gone, wish(plan.id), 404, 'not_found')
  const suspended = await admin.post(`/v1/admin/users/${ada.userId}/suspend`)
  assert.equal(suspended.status, 200, suspended.text)
  await refused(ada, wish(plan.id), 409, 'account_suspended')
})
