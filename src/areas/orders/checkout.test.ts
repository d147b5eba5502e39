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
