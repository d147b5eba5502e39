import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '#test/app.ts'
import { allow, checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { sandboxPanel } from '#test/sandbox-panel.ts'

type Body = Answer['body']

const SIZE = 2048
const quick = { installSeconds: 0.05, rateLimits: { application: 60_000 }, disk: 1_000_000 }
// Its machines carry a tag each: three servers have room on each of them.
const pelican = await sandboxPanel(
  { after },
  { ...quick, flavour: 'pelican', nodes: 2, locations: 2, memory: 3 * SIZE },
)
const shop = await gameShop({
  panel: { ...quick, nodes: 2, locations: 2, memory: 2 * SIZE },
  config: { privateHosts: [`127.0.0.1:${pelican.port}`] },
})
const { admin, eggId, nodeId, gatewayId } = shop

const made = await admin.post('/v1/admin/nodes', {
  ...{ name: 'Pelican', url: pelican.url, type: 'pelican' },
  ...{ apiKey: pelican.applicationKey, clientApiKey: pelican.clientKey },
})
await admin.post(`/v1/admin/nodes/${made.body.id}/sync-eggs`)
const tested = await admin.post(`/v1/admin/nodes/${made.body.id}/test`)
const [tag, otherTag] = tested.body.locations.map(({ id }: Body) => id)

const provisioning = (locationIds: string[]) => ({
  ...{ eggId, nodeIds: [nodeId, made.body.id], locationIds },
  limits: { memoryMb: SIZE, diskMb: 1024, cpuPercent: 0 },
})

test('servers go where there is most room, in the locations and tags of their product, until all is full', async () => {
  const { plan } = await shop.catalog.offer({}, { provisioning: provisioning(['1', tag]) })
  const customer = await shop.customer()
  const nodes: string[] = []
  for (let count = 1; count <= 5; count += 1) {
    const placed = await shop.buy(customer, plan.id)
    const [id] = placed.order.items[0].serviceIds
    const service = await until('it is active', async () => {
      const { body } = await admin.get(`/v1/admin/services/${id}`)
      return body.status === 'active' && body
    })
    nodes.push(service.nodeId === nodeId ? 'first' : 'pelican')
  }
  assert.deepEqual(nodes, ['pelican', 'first', 'pelican', 'first', 'pelican'])
  await customer.post('/v1/cart/items', { planId: plan.id })
  const refused = await checkOut(customer, { gatewayId })
  assert.deepEqual([refused.status, refused.body.code], [422, 'no_capacity'])
  const machines = (await shop.servers()).map((it) => it.nodeId)
  assert.deepEqual(machines, [1, 1], 'the other location has none')
})

test('a product of another tag has its own room, and a connection that is away comes last', async () => {
  const { plan } = await shop.catalog.offer({}, { provisioning: provisioning(['2', otherTag]) })
  await pelican.fault('* /api/application/nodes*', 'html-502', { n: 100 })
  // Whoever asked a moment ago is still believed; the version of a connection ends that.
  await admin.patch(`/v1/admin/nodes/${made.body.id}`, {
    apiKey: pelican.applicationKey,
  })
  const customer = await shop.customer()
  await allow(admin, customer, { openOrdersPerProduct: 3 })
  const places: string[] = []
  for (let count = 1; count <= 3; count += 1) {
    await customer.post('/v1/cart/items', { planId: plan.id })
    const { status, text } = await checkOut(customer, { gatewayId })
    assert.equal(status, 201, text)
  }
  const rows = await shop.db
    .selectFrom('panel.reservations')
    .select('nodeId')
    .where('placedAt', 'is', null)
    .orderBy('id')
    .execute()
  places.push(...rows.map((it) => (it.nodeId === nodeId ? 'first' : 'pelican')))
  assert.deepEqual(places, ['first', 'first', 'pelican'])
})
