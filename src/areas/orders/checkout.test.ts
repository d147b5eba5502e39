import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
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
  const placed = (await player.post('/v1/billing/checkout', { gatewayId })).body
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
