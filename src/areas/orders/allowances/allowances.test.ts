import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCredit } from '#billing'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { allow, checkOut, saveCard } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { type Person, person } from '#test/people.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'
import { keepSettings } from '#test/settings.ts'
import { orders } from '../index.ts'

const shop = await gameShop({ panel: { nodes: 2, locations: 1, memory: 8192 } })
const { app, admin, catalog, gatewayId, db, tenantId } = shop

const MINUTE = 60
const DAY = 86_400
const HOURLY = { interval: 'hour', priceMicros: 1_390_000, priceCents: 100_000 }
const TRIAL = { trialDays: 7 }

async function ordered(customer: Person, planId: string, item: object = {}): Promise<Answer> {
  const added = await customer.post('/v1/cart/items', { planId, ...item })
  assert.equal(added.status, 201, added.text)
  const answer = await checkOut(customer, { gatewayId })
  if (answer.status !== 201) {
    const [{ id }] = (await customer.get('/v1/cart')).body.items
    await customer.delete(`/v1/cart/items/${id}`)
  }
  return answer
}

function assertRefused({ status, body }: Answer, code: string): void {
  assert.deepEqual([status, body.code], [422, code])
}

test('hourly servers need a confirmed address, then a payment method, and are limited', async () => {
  const { plan } = await catalog.offer(HOURLY)
  const thief = await shop.buyer({ verified: false, country: 'FR' })
  assertRefused(await ordered(thief, plan.id), 'address_unconfirmed')
  const ada = await shop.customer()
  assertRefused(await ordered(ada, plan.id), 'payment_method_required')
  await saveCard(shop, ada)
  for (let count = 0; count < 5; count += 1) {
    assert.equal((await ordered(ada, plan.id)).status, 201)
  }
  assertRefused(await ordered(ada, plan.id), 'open_services_limit')
  const reader = await person(app, { permissions: ['users:read'] })
  const path = `/v1/admin/users/${ada.userId}/allowance`
  assert.equal((await reader.patch(path, { openServices: 20 })).status, 403)
  assert.deepEqual((await reader.get(path)).body.openServices, {
    ...{ used: 5, limit: 5, ownLimit: null },
  })
  await allow(admin, ada, { openServices: 6 })
  assert.equal((await ordered(ada, plan.id)).status, 201)
  const { openServices, changedBy } = (await reader.get(path)).body
  assert.deepEqual(openServices, { used: 6, limit: 6, ownLimit: 6 })
  assert.equal(changedBy, admin.userId)
  assertRefused(await ordered(ada, plan.id), 'open_services_limit')
  const own = (await orders.personalData?.(db, ada)) as { orderLimits(): Promise<object> }
  assert.equal(Object.entries(await own.orderLimits())[0]?.[1], 6)
})

test('credit for 72 hours stands for a payment method, once', async () => {
  const { plan } = await catalog.offer(HOURLY)
  const ada = await shop.customer()
  const eventId = newId()
  const about = { eventId, key: `goodwill:${eventId}`, description: 'A gift', currency: 'EUR' }
  const gift = { tenantId, userId: ada.userId, ...about, amountCents: cents(10_008) }
  await shop.inLedger((tx) => addCredit(tx, gift, app.deps.clock.now()))
  assert.equal((await ordered(ada, plan.id)).status, 201)
  assertRefused(await ordered(ada, plan.id), 'payment_method_required')
})

test('the last payment method stays while hourly services run that credit does not cover', async () => {
  const { plan } = await catalog.offer(HOURLY)
  const ada = await shop.customer()
  await saveCard(shop, ada)
  const { data } = (await ada.get('/v1/billing/payment-methods')).body
  const path = `/v1/billing/payment-methods/${data[0].id}`
  assert.equal((await ordered(ada, plan.id)).status, 201)
  const refused = await ada.delete(path)
  assert.deepEqual([refused.status, refused.body.code], [409, 'payment_method_needed'])
  assert.equal((await ada.get('/v1/billing/payment-methods')).body.data.length, 1)
  const eventId = newId()
  const about = { eventId, key: `goodwill:${eventId}`, description: 'A gift', currency: 'EUR' }
  const gift = { tenantId, userId: ada.userId, ...about, amountCents: cents(10_008) }
  await shop.inLedger((tx) => addCredit(tx, gift, app.deps.clock.now()))
  assert.equal((await ada.delete(path)).status, 200)
})

test('what a coupon makes free needs a confirmed address', async () => {
  const { plan } = await catalog.offer()
  const coupon = await catalog.coupon({ percentBasisPoints: 10_000 })
  const thief = await shop.buyer({ verified: false, country: 'FR' })
  await thief.post('/v1/cart/items', { planId: plan.id })
  assert.equal((await thief.put(`/v1/cart/coupons/${coupon.code}`)).status, 200)
  assertRefused(await checkOut(thief, { gatewayId }), 'address_unconfirmed')
})

test('a product is tried once by each mailbox and card, also after the account was deleted', async () => {
  const { plan } = await catalog.offer(TRIAL)
  const email = 'ada.byron@gmail.com'
  const customer = async (address: string, card: string) => {
    const made = await shop.buyer({ email: address, country: 'FR' })
    await saveCard(shop, made, card)
    return made
  }
  const ada = await customer(email, 'pm_card_visa')
  const placed = await ordered(ada, plan.id)
  assert.equal(placed.status, 201, placed.text)
  assert.equal(placed.body.invoice.totalCents, 0)
  const sameBox = await customer('a.d.a.byron+2@googlemail.com', 'pm_card_mastercard')
  assertRefused(await ordered(sameBox, plan.id), 'trial_used')
  const sameCard = await customer('other@example.org', 'pm_card_visa')
  assertRefused(await ordered(sameCard, plan.id), 'trial_used')
  const bought = await ordered(sameCard, plan.id, { trial: false })
  assert.equal(bought.body.invoice?.totalCents, 1200, bought.text)
  await app.deps.database.execute(
    `update services.services set ended_at = now(), end_reason = 'canceled' where user_id = $1`,
    [ada.userId],
  )
  await givePassword(app, ada.userId)
  const { body: session } = await app.post('/v1/auth/login', { email, password: PASSWORD })
  const left = await app.as(session.accessToken).delete('/v1/users/me', { password: PASSWORD })
  assert.equal(left.status, 200, left.text)
  const again = await customer(email, 'pm_card_amex')
  assertRefused(await ordered(again, plan.id), 'trial_used')
  const marks = await db.selectFrom('store.trial_marks').selectAll().execute()
  assert.ok(marks.length > 0 && !JSON.stringify(marks).includes('byron'))
})

test('an unconfirmed account keeps neither stock nor room from others', async () => {
  const { plan } = await shop.server({ stock: 2 })
  const thief = await shop.buyer({ verified: false, country: 'FR' })
  const placed = await ordered(thief, plan.id, { quantity: 2 })
  assert.equal(placed.status, 201, placed.text)
  const ada = await shop.customer()
  assert.equal((await ada.post('/v1/cart/items', { planId: plan.id })).status, 422)
  await app.advance(7 * MINUTE)
  assert.equal((await ada.post('/v1/cart/items', { planId: plan.id })).status, 201)
  assertRefused(await ordered(thief, plan.id), 'order_open')
  const { id } = placed.body.order
  assert.equal((await ada.post(`/v1/billing/orders/${id}/cancel`)).status, 404)
  const canceled = await thief.post(`/v1/billing/orders/${id}/cancel`)
  assert.equal(canceled.body.status, 'canceled', canceled.text)
  assert.equal((await thief.post(`/v1/billing/orders/${id}/cancel`)).status, 409)
  // A new order of the same customer holds nothing: both pieces are there for others.
  assert.equal((await ordered(thief, plan.id, { quantity: 2 })).status, 201)
  const sold = await checkOut(ada, { gatewayId })
  assert.equal(sold.status, 201, sold.text)
  await shop.complete(sold.body.payment.redirectUrl)
  await shop.becameOneSale(ada, sold.body)
})

test('an order for more than a customer may hold is accepted, and holds nothing', async () => {
  const { product, plan } = await catalog.offer({}, { stock: 6 })
  const ada = await shop.customer()
  assert.equal((await ordered(ada, plan.id, { quantity: 6 })).status, 201)
  assert.equal((await admin.get(`/v1/admin/products/${product.id}`)).body.stock, 6)
  const bob = await shop.customer()
  assert.equal((await ordered(bob, plan.id, { quantity: 5 })).status, 201)
  assert.equal((await admin.get(`/v1/admin/products/${product.id}`)).body.stock, 1)
})

test('a consumer who may withdraw is asked for an immediate start; others are not', async () => {
  const { plan } = await catalog.offer()
  const [ada, sam, firm] = [
    await shop.customer('DE'),
    await shop.customer('US'),
    await shop.customer(),
  ]
  await firm.patch('/v1/users/me', { company: 'Castle Ltd' })
  for (const customer of [ada, sam, firm]) {
    await customer.post('/v1/cart/items', { planId: plan.id })
  }
  const consent = (await ada.get('/v1/billing/checkout/consent')).body
  assert.deepEqual([consent.required, consent.withoutConsent], [true, 'refuse'])
  assert.equal((await sam.get('/v1/billing/checkout/consent')).body.required, false)
  const silent = { gatewayId, immediateStart: false }
  assertRefused(await checkOut(ada, silent), 'immediate_start_required')
  assert.equal((await checkOut(sam, silent)).status, 201)
  assert.equal((await checkOut(firm, silent)).status, 201)
  const placed = await checkOut(ada, { gatewayId })
  assert.equal(placed.status, 201, placed.text)
  const data = (await orders.personalData?.(db, ada)) as { orders: AsyncIterable<Answer['body']> }
  for await (const order of data.orders) {
    assert.deepEqual(
      [order.consent.version, order.consent.language, order.consent.text],
      [consent.version, 'en', consent.text],
    )
  }
})

test('without consent an order is paid now and provisioned when the time to withdraw is over', async () => {
  await keepSettings(app, 'orders', { withoutConsent: 'wait' })
  const { plan } = await shop.server()
  const [ada, bob] = [await shop.customer(), await shop.customer()]
  const silent = { gatewayId, immediateStart: false }
  const wait = async (customer: Person) => {
    await customer.post('/v1/cart/items', { planId: plan.id })
    const { body, status, text } = await checkOut(customer, silent)
    assert.equal(status, 201, text)
    await shop.complete(body.payment.redirectUrl)
    const { startsAt } = body.order
    const service = await app.eventually('the payment is known', async () => {
      const [found] = (await customer.get('/v1/services')).body.data
      return found.startsAt === startsAt && startsAt && found
    })
    assert.equal(service.status, 'pending')
    return { ...service, orderId: body.order.id }
  }
  const [kept, given] = [await wait(ada), await wait(bob)]
  await keepSettings(app, 'orders', {})
  const startsIn = (hours: number) =>
    app.deps.database.execute(
      `update services.services set starts_at = starts_at + $2 * interval '1 hour' where id = $1`,
      [kept.id, hours],
    )
  assert.deepEqual(await faultsOf(kept.orderId), [])
  // The time to withdraw ends with a day: it is up to fifteen days long.
  await startsIn(-24 * 16)
  const overdue = await faultsOf(kept.orderId)
  await startsIn(24 * 16)
  assert.match(overdue[0] ?? '', /has a paid service that has not started/)
  const made = new Set((await shop.servers()).map(({ externalId }) => externalId))
  for (const { id } of [kept, given]) {
    const { externalId } = (await admin.get(`/v1/admin/services/${id}`)).body
    assert.ok(externalId && !made.has(externalId), 'no server is made yet')
  }
  const early = await bob.post(`/v1/services/${given.id}/cancel`, { at: 'now' })
  assert.equal(early.body.code, 'service_pending')
  const withdrawn = await bob.post(`/v1/services/${given.id}/withdraw`)
  assert.equal(withdrawn.body.refundCents, 1200, withdrawn.text)
  await app.advance(14 * DAY - MINUTE)
  assert.equal((await ada.get(`/v1/services/${kept.id}`)).body.status, 'pending')
  await app.advance(DAY + 2 * MINUTE)
  const active = await app.eventually('it is active', async () => {
    const { body } = await ada.get(`/v1/services/${kept.id}`)
    return body.status === 'active' && body
  })
  assert.ok(active.currentPeriodStart >= kept.startsAt)
  assert.equal(active.startsAt, null)
  assert.equal((await bob.get(`/v1/services/${given.id}`)).body.status, 'ended')
  await shop.assertSound()
})

/** What the doctor says of an order. */
async function faultsOf(orderId: string): Promise<string[]> {
  const lines: string[] = []
  for await (const it of orders.faults?.(db, tenantId, app.deps.files) ?? []) lines.push(it)
  return lines.filter((it) => it.includes(orderId))
}

test('doctor lists expired reservations of stock, a coupon and panel capacity', async () => {
  const { plan } = await shop.server({ stock: 3 })
  const coupon = await catalog.coupon({ percentBasisPoints: 1000 })
  const ada = await shop.customer()
  await ada.post('/v1/cart/items', { planId: plan.id })
  const applied = await ada.put(`/v1/cart/coupons/${coupon.code}`)
  assert.ok(applied.status < 300, applied.text)
  const { body } = await checkOut(ada, { gatewayId })
  const { id } = body.order
  assert.deepEqual(await faultsOf(id), [])
  const late = `held_until = now() - interval '1 hour' where reference = $1`
  const breaks: [string, RegExp][] = [
    [`update store.stock_holds set ${late}`, /holds stock past its time/],
    [`update store.coupon_redemptions set ${late}`, /holds a coupon past its time/],
    [
      `update orders.orders set canceled_at = now() - interval '2 hours' where id = $1`,
      /is over and still has a place on a panel/,
    ],
  ]
  for (const [index, [change, said]] of breaks.entries()) {
    await app.deps.database.execute(change, [id])
    const found = await faultsOf(id)
    assert.equal(found.length, index + 1, found.join(', '))
    assert.ok(
      found.some((it) => said.test(it)),
      found.join(', '),
    )
  }
})
