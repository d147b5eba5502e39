import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { checkOut } from '#test/checkout.ts'
import { type GameShop, gameShop } from '#test/game-shop.ts'

const CUSTOMERS = 20
const PLACES = 5

const emptyPanel = () =>
  gameShop({ panel: { nodes: 1, locations: 1, memory: PLACES * 2048, disk: 1_000_000 } })

test('of 20 checkouts at once for the last 5 places 5 are sold, 15 refused, and none of those charged', async () => {
  const shop = await emptyPanel()
  const { plan } = await shop.server()
  await assertSellsItsPlaces(shop, [plan.id])
})

test('two connections to one panel sell its places once, whichever they are bought of', async () => {
  const shop = await emptyPanel()
  const { admin, panel, eggId, nodeId: first } = shop
  // Another name of the same address, with the same machines behind it.
  const again = await admin.post('/v1/admin/nodes', {
    ...{ name: 'Again', url: `${panel.url}/`, type: 'pterodactyl' },
    apiKey: panel.applicationKey,
  })
  assert.equal(again.status, 201, again.text)
  const second = again.body.id
  await admin.post(`/v1/admin/nodes/${second}/test`)
  await admin.post(`/v1/admin/nodes/${second}/sync-eggs`)
  const limits = { memoryMb: 2048, diskMb: 5120, cpuPercent: 100 }
  const choices = [[first], [second], [first, second], [second, first]]
  const plans = await Promise.all(
    choices.map(async (nodeIds) => {
      const { plan } = await shop.server({ provisioning: { eggId, nodeIds, limits } })
      return plan.id
    }),
  )
  await assertSellsItsPlaces(shop, plans)
})

async function assertSellsItsPlaces(shop: GameShop, planIds: readonly string[]): Promise<void> {
  const { gatewayId, sdk } = shop
  const customers = await Promise.all(
    Array.from({ length: CUSTOMERS }, async (_, index) => {
      const customer = await shop.customer()
      const planId = planIds[index % planIds.length]
      await customer.post('/v1/cart/items', { planId })
      return customer
    }),
  )
  const answers = await Promise.all(customers.map((it) => checkOut(it, { gatewayId })))
  const sold = answers.filter(({ status }) => status === 201)
  const refused = answers.filter(({ status }) => status === 422)
  assert.deepEqual([sold.length, refused.length], [PLACES, CUSTOMERS - PLACES])
  assert.deepEqual(new Set(refused.map(({ body }) => body.code)), new Set(['no_capacity']))
  for (const [index, { status }] of answers.entries()) {
    if (status === 201) continue
    const customer = customers[index]
    assert.deepEqual((await customer?.get('/v1/billing/invoices'))?.body.data, [])
    assert.equal((await customer?.get('/v1/cart'))?.body.items.length, 1)
  }
  for (const { body } of sold) await shop.complete(body.payment.redirectUrl)
  await until('every order is fulfilled', async () => {
    const { body } = await shop.admin.get('/v1/admin/orders')
    return body.data.every(({ status }: { status: string }) => status === 'fulfilled')
  })
  assert.equal((await shop.servers()).length, PLACES)
  const intents = await sdk.paymentIntents.list({ limit: 100 })
  assert.equal(intents.data.filter(({ status }) => status === 'succeeded').length, PLACES)
  await shop.assertSound()
}
