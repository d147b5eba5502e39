import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'

type Body = Answer['body']

const MINUTE = 60
/** Two servers of 2048 MiB have room. */
const shop = await gameShop({ panel: { nodes: 1, locations: 1, memory: 4096, disk: 100_000 } })
const { app, admin, gatewayId } = shop
const { plan } = await shop.server()

// Another connection to the same panel, tested while the panel answers.
const { panel } = shop
const again = await admin.post('/v1/admin/nodes', {
  ...{ name: 'Again', url: panel.url, type: 'pterodactyl', apiKey: panel.applicationKey },
})
assert.equal(again.status, 201, again.text)
assert.equal((await admin.post(`/v1/admin/nodes/${again.body.id}/test`)).body.ok, true)
await admin.post(`/v1/admin/nodes/${again.body.id}/sync-eggs`)

/** A customer's try to order so many servers. */
async function tryToOrder(quantity: number): Promise<{ by: Person; answer: Answer }> {
  const by = await shop.customer()
  await by.post('/v1/cart/items', { planId: plan.id, quantity })
  return { by, answer: await checkOut(by, { gatewayId }) }
}

async function ordered(quantity: number): Promise<{ by: Person; placed: Body }> {
  const { by, answer } = await tryToOrder(quantity)
  assert.equal(answer.status, 201, answer.text)
  return { by, placed: answer.body }
}

async function assertNoRoom(): Promise<void> {
  const { answer } = await tryToOrder(1)
  assert.deepEqual([answer.status, answer.body.code], [422, 'no_capacity'])
}

const orderBecame = (by: Person, { order }: Body, status: string) =>
  app.eventually(
    `the order is ${status}`,
    async () => {
      const { body } = await by.get(`/v1/billing/orders/${order.id}`)
      return body.status === status && body
    },
    { seconds: 5 },
  )

async function end({ order }: Body): Promise<void> {
  for (const id of order.items.flatMap((it: Body) => it.serviceIds)) {
    const { status, text } = await admin.post(`/v1/admin/services/${id}/terminate`, {})
    assert.equal(status, 200, text)
  }
  await app.eventually('the panel is empty', async () => (await shop.servers()).length === 0)
  // What the panel said a moment ago is believed for some seconds, of this version of its connection.
  const apiKey = shop.panel.applicationKey
  const renewed = await admin.patch(`/v1/admin/nodes/${shop.nodeId}`, { apiKey })
  assert.equal(renewed.status, 200, renewed.text)
}

test('places wait 30 minutes for money, which becomes credit when it comes after they went to others', async () => {
  const late = await ordered(2)
  await assertNoRoom()
  await app.advance(30 * MINUTE)
  // Somebody may have paid at the last moment.
  await assertNoRoom()
  await app.advance(MINUTE)
  const next = await ordered(2)
  await shop.complete(late.placed.payment.redirectUrl)
  await orderBecame(late.by, late.placed, 'canceled')
  assert.equal(await shop.creditOf(late.by), 2400)
  const { data } = (await late.by.get('/v1/notifications')).body
  assert.ok(data.some(({ kind }: Body) => kind === 'out_of_stock_credit'))
  assert.equal((await shop.servers()).length, 0)
  await shop.complete(next.placed.payment.redirectUrl)
  await orderBecame(next.by, next.placed, 'fulfilled')
  await assertNoRoom()
  await shop.assertSound()
  await end(next.placed)
})

test('money that comes late while there is still room makes the servers', async () => {
  const { by, placed } = await ordered(2)
  await app.advance(40 * MINUTE)
  await shop.complete(placed.payment.redirectUrl)
  await orderBecame(by, placed, 'fulfilled')
  assert.equal((await shop.servers()).length, 2)
  await end(placed)
})

test('what is paid and not made yet keeps its place, and what is given up leaves it', async () => {
  await shop.panel.fault('POST /api/application/servers', 'html-502', { n: 1000 })
  const waiting = await ordered(1)
  await shop.complete(waiting.placed.payment.redirectUrl)
  await orderBecame(waiting.by, waiting.placed, 'paid')
  await app.advance(40 * MINUTE)
  const second = await ordered(1)
  await assertNoRoom()
  const voided = await admin.post(`/v1/admin/invoices/${second.placed.invoice.id}/void`, {
    reason: 'Changed their mind',
  })
  assert.equal(voided.status, 200, voided.text)
  await orderBecame(second.by, second.placed, 'canceled')
  await ordered(1)
})

test('a place that was promised on one connection is not sold on another to the same panel', async () => {
  const { eggId } = shop
  const limits = { memoryMb: 2048, diskMb: 5120, cpuPercent: 100 }
  const elsewhere = { provisioning: { eggId, nodeIds: [again.body.id], limits } }
  const { plan: other } = await shop.server(elsewhere)
  const tryElsewhere = async () => {
    const by = await shop.customer()
    await by.post('/v1/cart/items', { planId: other.id })
    return checkOut(by, { gatewayId })
  }
  const full = await tryElsewhere()
  assert.deepEqual([full.status, full.body.code], [422, 'no_capacity'])
  // Of the two places one waits for money, and lapses.
  await app.advance(32 * MINUTE)
  const sold = await tryElsewhere()
  assert.equal(sold.status, 201, sold.text)
  await assertNoRoom()
})
