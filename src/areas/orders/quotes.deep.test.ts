import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCredit } from '#billing'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { boundary } from '#lib/periods.ts'
import { later, millis } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'
import { requoteOrder } from './requote.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, admin, catalog, db, gatewayId, tenantId } = shop
const DAY_MS = 86_400_000

const pay = (by: Person, id: string, how: object = {}) =>
  by.post(`/v1/billing/invoices/${id}/pay`, { gatewayId, ...how })
const invoiceOf = async (by: Person, id: string): Promise<Body> =>
  (await by.get(`/v1/billing/invoices/${id}`)).body
const orderOf = async (by: Person, { order }: Body): Promise<Body> =>
  (await by.get(`/v1/billing/orders/${order.id}`)).body
const reprice = (plan: Body, priceCents: number) =>
  admin.patch(`/v1/admin/plans/${plan.id}`, { priceCents })

async function move({ patch }: Person, country: string): Promise<void> {
  const address = { line1: 'Street 1', postcode: '10001', city: 'Town', country }
  const { status, text } = await patch('/v1/users/me', { address })
  assert.equal(status, 200, text)
}

/** Tries to pay what no longer holds; answers the invoice that stands for it. */
async function expired(by: Person, id: string, how: object = {}): Promise<Body> {
  const { status, body } = await pay(by, id, how)
  assert.deepEqual([status, body.code], [409, 'quote_expired'], JSON.stringify(body))
  const [{ path, message }] = body.details
  assert.equal(path, id)
  assert.ok(body.message.includes(message))
  const old = await invoiceOf(by, id)
  assert.deepEqual([old.status, old.replacedBy, old.number], ['void', message, null])
  return invoiceOf(by, message)
}

/** The order is replaced by whoever does not ask the provider of its page before; answers the new invoice. */
async function replacedUnasked(by: Person, { order, invoice }: Body): Promise<Body> {
  const quote = { tenantId, invoiceId: invoice.id, reference: order.id, pages: 'close' as const }
  const made = await transact(db, (tx) => requoteOrder(tx, quote, app.deps.clock.now()))
  return invoiceOf(by, made?.invoiceId ?? '')
}

async function give({ userId }: Person, amountCents: number): Promise<void> {
  const eventId = newId()
  const gift = { tenantId, userId, currency: 'EUR', amountCents: cents(amountCents) }
  const change = { ...gift, eventId, key: eventId, description: 'A gift' }
  await shop.inLedger((tx) => addCredit(tx, change, app.deps.clock.now()))
}

test('an order whose plan costs more by now is replaced when it is paid, and then paid', async () => {
  const { plan } = await shop.server({}, { setupFeeCents: 500 })
  const ada = await shop.customer()
  const placed = await shop.order(ada, plan.id)
  assert.equal((await pay(ada, placed.invoice.id)).status, 200)
  await reprice(plan, 2000)
  const fresh = await expired(ada, placed.invoice.id)
  assert.deepEqual(
    [fresh.status, fresh.number, fresh.totalCents, fresh.orderId, fresh.replacedBy],
    ['open', null, 3000, placed.order.id, null],
  )
  const again = await pay(ada, placed.invoice.id)
  assert.deepEqual([again.status, again.body.details[0].message], [409, fresh.id])
  const paid = await pay(ada, fresh.id)
  assert.deepEqual([paid.status, paid.body.amountCents], [200, 3000])
  await shop.complete(paid.body.redirectUrl)
  await shop.becameOneSale(ada, placed)
  const order = await orderOf(ada, placed)
  assert.deepEqual(
    [order.invoiceId, order.totalCents, order.items[0].totalCents],
    [fresh.id, 3000, 3000],
  )
  const { body } = await admin.get(`/v1/admin/services/${order.items[0].serviceIds[0]}`)
  assert.deepEqual([body.status, body.plan.priceCents], ['active', 2000])
})

test('what a person’s country and a product’s rate change is replaced, another address is not', async () => {
  const rate = await catalog.taxRate({ class: 'reduced', rateBasisPoints: 1000 })
  const { plan } = await shop.server({ taxRateId: rate.id })
  const ada = await shop.customer()
  const placed = await shop.order(ada, plan.id)
  assert.equal(placed.invoice.totalCents, 1100)
  await move(ada, 'FR')
  assert.equal((await pay(ada, placed.invoice.id)).status, 200)
  await admin.patch(`/v1/admin/tax-rates/${rate.id}`, { rateBasisPoints: 550 })
  const reduced = await expired(ada, placed.invoice.id)
  assert.deepEqual([reduced.totalCents, reduced.taxCents], [1055, 55])
  await move(ada, 'US')
  const untaxed = await expired(ada, reduced.id)
  assert.deepEqual([untaxed.totalCents, untaxed.taxes[0].category], [1000, 'O'])
  const { body } = await pay(ada, untaxed.id)
  await shop.complete(body.redirectUrl)
  await shop.becameOneSale(ada, placed)
})

test('coupons count as when they were ordered, and credit set aside moves along', async () => {
  const { plan } = await shop.server()
  const ada = await shop.customer()
  const coupon = await catalog.coupon({ maxRedemptions: 1 })
  await give(ada, 300)
  await ada.post('/v1/cart/items', { planId: plan.id })
  await ada.put(`/v1/cart/coupons/${coupon.code}`)
  const { body: placed } = await checkOut(ada, { gatewayId, useCredits: true })
  assert.deepEqual([placed.invoice.totalCents, placed.payment.amountCents], [1080, 780])
  await admin.patch(`/v1/admin/coupons/${coupon.id}`, { percentBasisPoints: 5000 })
  assert.equal((await pay(ada, placed.invoice.id, { useCredits: true })).status, 200)
  await reprice(plan, 3000)
  const fresh = await expired(ada, placed.invoice.id, { useCredits: true })
  assert.deepEqual([fresh.discountCents, fresh.totalCents], [300, 3240])
  const held = async (id: string) =>
    (await admin.get(`/v1/admin/invoices/${id}`)).body.heldCreditCents
  assert.deepEqual([await held(placed.invoice.id), await held(fresh.id)], [0, 300])
  assert.equal(await shop.creditOf(ada), 0)
  const { body } = await pay(ada, fresh.id, { useCredits: true })
  assert.equal(body.amountCents, 2940)
  await shop.complete(body.redirectUrl)
  await shop.became(ada, fresh.id, 'paid')
  assert.equal((await admin.get(`/v1/admin/coupons/${coupon.id}`)).body.redemptions, 1)
  await shop.assertSound()
})

test('of several that are paid together, what no longer holds is replaced and nothing is paid', async () => {
  const [one, two] = [await shop.server(), await shop.server()]
  const ada = await shop.customer()
  const first = await shop.order(ada, one.plan.id)
  const second = await shop.order(ada, two.plan.id)
  await reprice(one.plan, 1500)
  const invoiceIds = [first.invoice.id, second.invoice.id]
  const { status, body } = await ada.post('/v1/billing/pay', { gatewayId, invoiceIds })
  assert.deepEqual([status, body.code, body.details.length], [409, 'quote_expired', 1])
  const fresh = body.details[0].message
  assert.equal((await invoiceOf(ada, second.invoice.id)).status, 'open')
  const paid = await ada.post('/v1/billing/pay', {
    ...{ gatewayId, invoiceIds: [fresh, second.invoice.id] },
  })
  assert.equal(paid.body.amountCents, 3000)
  await shop.complete(paid.body.redirectUrl)
  for (const id of [fresh, second.invoice.id]) await shop.became(ada, id, 'paid')
  for (const placed of [first, second]) {
    await until('both are paid', async () => (await orderOf(ada, placed)).paidAt !== null)
  }
})

test('money that is under way for an order is booked at the price it was asked for', async () => {
  const { plan } = await shop.server()
  const ada = await shop.customer()
  const placed = await shop.order(ada, plan.id)
  await reprice(plan, 2000)
  await shop.complete(placed.payment.redirectUrl)
  await shop.becameOneSale(ada, placed)
  assert.equal((await invoiceOf(ada, placed.invoice.id)).totalCents, 1200)
})

test('a page that was paid without our knowing counts at its price, however its order costs by now', async () => {
  for (const priceCents of [500, 2000]) {
    const { plan } = await shop.server()
    const ada = await shop.customer()
    const placed = await shop.order(ada, plan.id)
    await shop.control('delivery', { mode: 'hold' })
    await shop.complete(placed.payment.redirectUrl)
    await reprice(plan, priceCents)
    const { status, body } = await pay(ada, placed.invoice.id)
    assert.deepEqual([status, body.code], [409, 'invoice_paid'], JSON.stringify(body))
    await shop.control('delivery', { mode: 'auto' })
    await shop.settled()
    await shop.becameOneSale(ada, placed)
    assert.equal(await shop.creditOf(ada), 0)
  }
  await shop.assertSound()
})

test('a page that nobody has paid is closed at its provider before its order is replaced', async () => {
  const { plan } = await shop.server()
  const ada = await shop.customer()
  const placed = await shop.order(ada, plan.id)
  await reprice(plan, 2000)
  await expired(ada, placed.invoice.id)
  const { state } = await db
    .selectFrom('billing.payment_attempts')
    .select('state')
    .where('id', '=', placed.payment.id)
    .executeTakeFirstOrThrow()
  assert.ok(state === 'canceled' || state === 'expired', state)
})

test('nothing is replaced while the provider of an open page does not answer', async () => {
  const { plan } = await shop.server()
  const ada = await shop.customer()
  const placed = await shop.order(ada, plan.id)
  await reprice(plan, 2000)
  const route = 'POST /v1/checkout/sessions/{session}/expire'
  await shop.control('faults', { route, kind: 'timeout-before', ms: 1, n: 3 })
  const { status, body } = await pay(ada, placed.invoice.id)
  assert.deepEqual([status, body.code], [409, 'payment_in_progress'], JSON.stringify(body))
  assert.equal((await invoiceOf(ada, placed.invoice.id)).status, 'open')
  await until('the provider answers', async () => {
    const again = await pay(ada, placed.invoice.id)
    return again.body.code === 'quote_expired'
  })
})

test('money for an order that was replaced pays what stands in its place, the rest is credit', async () => {
  const { plan } = await shop.server()
  const ada = await shop.customer()
  const placed = await shop.order(ada, plan.id)
  await shop.control('delivery', { mode: 'hold' })
  await shop.complete(placed.payment.redirectUrl)
  await reprice(plan, 500)
  const fresh = await replacedUnasked(ada, placed)
  await shop.control('delivery', { mode: 'auto' })
  await shop.settled()
  await shop.became(ada, fresh.id, 'paid')
  await until('the order is paid', async () => (await orderOf(ada, placed)).paidAt !== null)
  assert.equal(await shop.creditOf(ada), 600)
  await shop.assertSound()
})

test('money that is too little for what stands in its place is set aside for it', async () => {
  const { plan } = await shop.server()
  const ada = await shop.customer()
  const placed = await shop.order(ada, plan.id)
  await shop.control('delivery', { mode: 'hold' })
  await shop.complete(placed.payment.redirectUrl)
  await reprice(plan, 2000)
  const fresh = await replacedUnasked(ada, placed)
  await shop.control('delivery', { mode: 'auto' })
  await shop.settled()
  await until('it is set aside', async () => {
    const { body } = await admin.get(`/v1/admin/invoices/${fresh.id}`)
    return body.heldCreditCents === 1200
  })
  const { body } = await pay(ada, fresh.id, { useCredits: true })
  assert.equal(body.amountCents, 1200)
  await shop.complete(body.redirectUrl)
  await shop.became(ada, fresh.id, 'paid')
  assert.equal(await shop.creditOf(ada), 0)
  await shop.assertSound()
})

test('an upgrade is replaced when its plan has another price, not because time has passed', async () => {
  const large = await shop.server({}, { priceCents: 5000 })
  const { plan } = await shop.server({ upgradeTargetIds: [large.product.id] })
  const ada = await shop.customer()
  await shop.buy(ada, plan.id)
  const { id } = await shop.serviceBecame(ada, 'active')
  const wanted = { productId: large.product.id, gatewayId }
  const ordered = (await ada.post(`/v1/services/${id}/upgrade`, wanted)).body
  await app.advance(3 * 3600)
  const same = await pay(ada, ordered.invoice.id)
  assert.deepEqual([same.status, same.body.amountCents], [200, ordered.invoice.totalCents])
  await reprice(large.plan, 9000)
  const fresh = await expired(ada, ordered.invoice.id)
  assert.ok(fresh.totalCents > ordered.invoice.totalCents + 4000)
  assert.equal(fresh.kind, 'upgrade')
  await app.advance(3600)
  const { status, body } = await pay(ada, fresh.id)
  assert.deepEqual([status, body.amountCents], [200, fresh.totalCents])
  await shop.complete(body.redirectUrl)
  const changed = await until('the service has changed', async () => {
    const { body: service } = await ada.get(`/v1/services/${id}`)
    return service.product.id === large.product.id && service
  })
  assert.equal(changed.plan.priceCents, 9000)
})

test('an upgrade that costs nothing any more is given up, and can be ordered anew', async () => {
  const large = await shop.server({}, { priceCents: 5000 })
  const { plan } = await shop.server({ upgradeTargetIds: [large.product.id] })
  const ada = await shop.customer()
  await shop.buy(ada, plan.id)
  const { id } = await shop.serviceBecame(ada, 'active')
  const wanted = { productId: large.product.id, gatewayId }
  const ordered = (await ada.post(`/v1/services/${id}/upgrade`, wanted)).body
  await reprice(large.plan, 200)
  const { status, body } = await pay(ada, ordered.invoice.id)
  assert.deepEqual([status, body.code, body.details], [409, 'quote_expired', []])
  assert.equal((await invoiceOf(ada, ordered.invoice.id)).status, 'void')
  const again = await ada.post(`/v1/services/${id}/upgrade`, wanted)
  assert.equal(again.status, 200)
  assert.equal(again.body.service.scheduledChange.productId, large.product.id)
})

test('renewals and administrators’ invoices without a number follow the tax, not the price', async () => {
  const numberAt = { renewal: 'payment', manual: 'payment' }
  await admin.patch('/v1/admin/settings', { billing: { numberAt } })
  const { plan } = await shop.server()
  const ada = await shop.customer()
  const placed = await shop.order(ada, plan.id, { savePaymentMethod: true })
  await shop.complete(placed.payment.redirectUrl)
  const { id, currentPeriodStart } = await shop.serviceBecame(ada, 'active')
  const start = boundary(currentPeriodStart, { interval: 'month', intervalCount: 1 }, 1)
  const lines = [{ description: 'Advice', unitPriceCents: 1000 }]
  const draft = await admin.post('/v1/admin/invoices', { userId: ada.userId, lines })
  assert.equal(draft.status, 201, draft.text)
  await admin.post(`/v1/admin/invoices/${draft.body.id}/issue`)

  const renewed = await ada.post(`/v1/services/${id}/renew`, { gatewayId })
  assert.equal(renewed.body.invoice.number, null)
  await reprice(plan, 7000)
  assert.equal((await pay(ada, renewed.body.invoice.id)).status, 200)
  await move(ada, 'US')
  const advice = await expired(ada, draft.body.id)
  assert.deepEqual([advice.kind, advice.totalCents], ['manual', 1000])
  const once = await ada.post(`/v1/services/${id}/renew`, { gatewayId })
  assert.deepEqual([once.status, once.body.code], [409, 'quote_expired'])
  const fresh = await invoiceOf(ada, once.body.details[0].message)
  assert.deepEqual([fresh.totalCents, fresh.dueAt], [1000, renewed.body.invoice.dueAt])
  await move(ada, 'FR')
  const wait = millis(later(start, DAY_MS / 24)) - millis(app.deps.clock.now())
  await app.advance(Math.ceil(wait / 1000))
  const charged = await app.eventually('the saved card is charged what it costs now', async () => {
    const { body } = await ada.get('/v1/billing/invoices')
    return body.data.find((it: Body) => it.kind === 'renewal' && it.status === 'paid')
  })
  assert.deepEqual([charged.totalCents, charged.lines[0].periodStart], [1200, start])
  assert.equal((await invoiceOf(ada, fresh.id)).replacedBy, charged.id)
  await shop.assertSound()
  await admin.patch('/v1/admin/settings', { billing: { numberAt: null } })
})
