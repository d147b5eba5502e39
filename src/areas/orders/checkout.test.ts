import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { checkOut, saveCard } from '#test/checkout.ts'
import { gameShop } from '#test/game-shop.ts'

const shop = await gameShop()
const { plan } = await shop.server()

test('a player buys a server: cart, checkout, payment, webhook, server, active', async () => {
  const player = await shop.customer()
  const placed = await shop.order(player, plan.id)
  assert.equal(placed.order.status, 'pending')
  assert.equal(placed.invoice.number, null)
  assert.equal(placed.invoice.totalCents, 1200)
  assert.equal(placed.payment.status, 'open')
  assert.deepEqual((await player.get('/v1/cart')).body.items, [])
  const [waiting] = (await player.get('/v1/services')).body.data
  assert.equal(waiting.status, 'pending')

  await shop.complete(placed.payment.redirectUrl)
  const service = await shop.serviceBecame(player, 'active')
  assert.deepEqual(placed.order.items[0].serviceIds, [service.id])
  assert.match(service.panel.address, /:\d+$/)
  assert.equal(service.role, 'owner')
  const paid = (await player.get(`/v1/billing/invoices/${placed.invoice.id}`)).body
  assert.equal(paid.status, 'paid')
  assert.match(paid.number, /^INV-\d{4}-\d{6}$/)
  const order = await until('the order is fulfilled', async () => {
    const { body } = await player.get(`/v1/billing/orders/${placed.order.id}`)
    return body.status === 'fulfilled' && body
  })
  assert.ok(order.fulfilledAt)
  const servers = await shop.servers()
  assert.equal(servers.length, 1)
  const told = (await player.get('/v1/notifications')).body.data
  assert.ok(told.some((it: { kind: string }) => it.kind === 'service_active'))
})

test('an order of trials alone is settled without a number; a free sale is numbered, and no number is left out', async () => {
  const player = await shop.customer()
  await saveCard(shop, player)
  const { plan: trialPlan } = await shop.server({}, { trialDays: 7 })
  const { invoice, payment } = await shop.order(player, trialPlan.id)
  assert.deepEqual([invoice.status, invoice.number, invoice.issuedAt], ['paid', null, null])
  assert.deepEqual([invoice.totalCents, payment], [0, null])
  await shop.serviceBecame(player, 'active')
  const pdf = await player.get(`/v1/billing/invoices/${invoice.id}/pdf`)
  assert.deepEqual([pdf.status, pdf.body.code], [409, 'invoice_of_trial'])
  for (const [action, body] of [
    ['credit-note', { reason: 'Wrong' }],
    ['refund', { to: 'credit', reason: 'Wrong' }],
    ['send', {}],
  ] as const) {
    const url = `/v1/admin/invoices/${invoice.id}/${action}`
    const answer = await shop.admin.post(url, body)
    assert.deepEqual([answer.status, answer.body.code], [409, 'invoice_not_issued'], answer.text)
  }

  const numberOf = async (placed: { invoice: { id: string } }) =>
    String((await shop.admin.get(`/v1/admin/invoices/${placed.invoice.id}`)).body.number)
  const coupon = await shop.catalog.coupon({ percentBasisPoints: 10_000 })
  const free = await shop.customer()
  await free.post('/v1/cart/items', { planId: plan.id })
  await free.put(`/v1/cart/coupons/${coupon.code}`)
  const { body: sold } = await checkOut(free, { gatewayId: shop.gatewayId })
  assert.deepEqual([sold.invoice.status, sold.invoice.totalCents], ['paid', 0])
  const first = Number((await numberOf(sold)).slice(-6))
  const other = await shop.customer()
  await saveCard(shop, other, 'pm_card_mastercard')
  await shop.order(other, (await shop.server({}, { trialDays: 7 })).plan.id)
  const next = await shop.customer()
  const placed = await shop.buy(next, plan.id)
  await shop.serviceBecame(next, 'active')
  assert.equal(Number((await numberOf(placed)).slice(-6)), first + 1)
})

const AMOUNTS = {
  ...{ priceCents: 1, unitPriceCents: 1, subtotalCents: 1, discountCents: 1000, taxCents: 0 },
  ...{ rateBasisPoints: 0, totalCents: 0, amountCents: 1, dueCents: 0, currency: 'JPY' },
}

test('what something costs is never said by who buys it (hardening 37)', async () => {
  const player = await shop.customer()
  assert.equal((await player.post('/v1/cart/items', { planId: plan.id })).status, 201)
  const [item] = (await player.get('/v1/cart')).body.items
  const changes = (await player.get('/v1/cart')).text
  const { gatewayId } = shop
  const refused = async (method: string, path: string, body: object) => {
    for (const [field, value] of Object.entries(AMOUNTS)) {
      const answer = await player.request(method, path, { ...body, [field]: value })
      assert.equal(answer.status, 400, `${path} ${field}: ${answer.text}`)
      assert.deepEqual(answer.body.details, [{ path: field, message: 'is not a known field' }])
    }
  }
  await refused('PATCH', `/v1/cart/items/${item.id}`, { quantity: 1 })
  await refused('POST', '/v1/billing/checkout', { gatewayId })
  assert.equal((await player.get('/v1/cart')).text, changes)
  const placed = (await checkOut(player, { gatewayId })).body
  assert.deepEqual([placed.invoice.totalCents, placed.payment.amountCents], [1200, 1200])
  await refused('POST', `/v1/billing/invoices/${placed.invoice.id}/pay`, { gatewayId })
  await refused('POST', '/v1/billing/pay', { invoiceIds: [placed.invoice.id], gatewayId })
  await shop.complete(placed.payment.redirectUrl)
  const service = await shop.serviceBecame(player, 'active')
  await refused('POST', `/v1/services/${service.id}/upgrade`, { productId: service.product.id })
  await refused('POST', `/v1/services/${service.id}/renew`, { gatewayId })
})

test('an amount that is no amount buys no credit (hardening 37)', async () => {
  const player = await shop.customer()
  const { gatewayId } = shop
  for (const amountCents of [0, -1, 1.5, 2 ** 53, -(2 ** 53), '500', null]) {
    const answer = await player.post('/v1/billing/credits/top-up', { amountCents, gatewayId })
    assert.equal(answer.status, 400, `${amountCents}`)
    assert.equal(answer.body.details[0].path, 'amountCents')
  }
  assert.deepEqual((await player.get('/v1/billing/invoices')).body.data, [])
})

test('an order’s item costs what the cart’s did, setup fee and tax included', async () => {
  const withFee = await shop.server({}, { priceCents: 1899, setupFeeCents: 500 })
  const player = await shop.customer()
  await player.post('/v1/cart/items', { planId: withFee.plan.id, quantity: 2 })
  const [inCart] = (await player.get('/v1/cart')).body.items
  const placed = (await checkOut(player, { gatewayId: shop.gatewayId })).body
  assert.equal(inCart.totalCents, placed.invoice.totalCents)
  assert.equal(placed.order.items[0].totalCents, inCart.totalCents)
})

test('a checkout in an amount or currency that the provider does not take is a 422 and leaves the cart', async () => {
  const player = await shop.customer('US')
  const cases = [
    [{ currency: 'KWD', priceCents: 1001 }, 'amount_not_allowed'],
    [{ currency: 'ISK', priceCents: 1000 }, 'currency_unsupported'],
  ] as const
  for (const [price, code] of cases) {
    const { product } = await shop.server()
    const plan = await shop.catalog.plan(product.id, price)
    const { body: item } = await player.post('/v1/cart/items', { planId: plan.id })
    const refused = await player.post('/v1/billing/checkout', { gatewayId: shop.gatewayId })
    assert.deepEqual([refused.status, refused.body.code], [422, code], refused.text)
    const { body: cart } = await player.get('/v1/cart')
    assert.equal(cart.items.length, 1, JSON.stringify(item))
    await player.delete(`/v1/cart/items/${cart.items[0].id}`)
  }
  assert.deepEqual((await player.get('/v1/billing/orders')).body.data, [])
  assert.deepEqual((await player.get('/v1/billing/invoices')).body.data, [])
})

test('credit in a currency that the provider does not take is not sold, and no method is saved for it', async () => {
  const player = await shop.customer()
  const to = (currency: string) =>
    shop.admin.patch(`/v1/admin/tenants/${shop.tenantId}`, { seller: { currency } })
  const changed = await to('ISK')
  assert.equal(changed.status, 200, changed.text)
  const bought = await player.post('/v1/billing/credits/top-up', {
    amountCents: 1000,
    gatewayId: shop.gatewayId,
  })
  assert.deepEqual([bought.status, bought.body.code], [422, 'currency_unsupported'], bought.text)
  const saved = await player.post('/v1/billing/setup-intent', {})
  assert.deepEqual([saved.status, saved.body.code], [422, 'currency_unsupported'], saved.text)
  assert.equal((await to('EUR')).status, 200)
})
