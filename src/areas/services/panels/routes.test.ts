import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { clientOf, type PanelClient } from '#panel'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'

type Body = Answer['body']

const [port, closedPort] = [await freePort(), await freePort()]
const privateHosts = [`elsewhere.example/panel=127.0.0.1:${port}`, `127.0.0.1:${closedPort}`]
const shop = await gameShop({ panel: { port }, config: { privateHosts } })
const { admin, app, db, nodeId, tenantId } = shop
const NODE = `/v1/admin/nodes/${nodeId}`
const client: PanelClient = await clientOf(app.deps, db, { tenantId, nodeId })
const { plan, product } = await shop.server({ name: 'Two gigabytes' })
await admin.post(`/v1/admin/products/${product.id}/publish`)
await shop.server({
  name: 'Four gigabytes',
  provisioning: {
    ...{ eggId: shop.eggId, nodeIds: [nodeId] },
    limits: { memoryMb: 4096, diskMb: 5120, cpuPercent: 100 },
  },
})
const fits = (room: Body) => room.machines.reduce((sum: number, it: Body) => sum + it.fits, 0)
const [{ body: roomBefore }, { body: capacity }] = [
  await admin.get(`${NODE}/room`),
  await admin.get(`/v1/admin/products/${product.id}/capacity`),
]
const ada = await shop.customer()
await shop.buy(ada, plan.id)
const service: Body = await shop.serviceBecame(ada, 'active')
const { body: ofStaff } = await admin.get(`/v1/admin/services/${service.id}`)

/** A server that was made on the panel by hand. */
async function handMade() {
  const pattern = await client.getServer(ofStaff.panel.serverId)
  const made = await client.createServer({
    ...{ ...pattern, name: 'By hand', externalId: `old-${newId()}` },
    placement: { locationIds: [], dedicatedIp: false, portRange: [] },
    ...{ skipScripts: true, startOnCompletion: false },
  })
  await until(
    'it is installed',
    async () => (await client.getServer(made.id)).status === 'installed',
  )
  return made
}

test('each machine and location of a panel has its room, and how many of the smallest product fit', async () => {
  const { status, body, text } = await admin.get(`${NODE}/room`)
  assert.equal(status, 200, text)
  assert.deepEqual(body.smallest, { productId: product.id, name: 'Two gigabytes' })
  const machines = await client.listNodes()
  assert.deepEqual(
    body.machines.map((it: Body) => it.id),
    machines.map(({ id }) => id),
  )
  const server = await client.getServer(ofStaff.panel.serverId)
  const used = body.machines.find((it: Body) => it.id === server.nodeId)
  const [machine] = machines.filter(({ id }) => id === server.nodeId)
  assert.ok(machine)
  assert.equal(used.memory.totalMb - used.memory.freeMb, machine.memoryAllocatedMb)
  assert.equal(used.freePorts, await client.countFreeAllocations(machine.id))
  const fitting = [used.memory.freeMb / 2048, used.disk.freeMb / 5120, used.freePorts]
  assert.ok(used.fits > 0 && used.fits <= Math.floor(Math.min(...fitting)))
  for (const location of body.locations) {
    const there = body.machines.filter(
      (it: Body) => it.public && !it.maintenance && it.locationIds.includes(location.id),
    )
    assert.equal(location.machines, there.length)
    assert.equal(
      location.freePorts,
      there.reduce((sum: number, it: Body) => sum + it.freePorts, 0),
    )
  }
  assert.equal(fits(body), fits(roomBefore) - 1, 'one was sold')
})

test('a product says how many more of its servers fit, on each panel and together', async () => {
  const places = fits(roomBefore)
  assert.deepEqual(capacity, { places, panels: [{ nodeId, name: 'Panel', places }] })
  const without = await shop.catalog.offer({}, { provisioning: null })
  const { body } = await admin.get(`/v1/admin/products/${without.product.id}/capacity`)
  assert.deepEqual(body, { places: 0, panels: [] })
  assert.equal((await admin.get(`/v1/admin/products/${newId()}/capacity`)).status, 404)
})

test('servers of a panel are listed with their services; one without a service can be adopted', async () => {
  const made = await handMade()
  const { body } = await admin.get(`${NODE}/servers`)
  const byId = new Map<number, Body>(body.data.map((it: Body) => [it.id, it]))
  const owned = byId.get(ofStaff.panel.serverId)
  assert.deepEqual([owned.serviceId, owned.adoptable], [service.id, false])
  const { name, memoryMb, serviceId, adoptable } = byId.get(made.id)
  assert.deepEqual([name, memoryMb, serviceId, adoptable], ['By hand', 2048, null, true])
  const unowned = await admin.get(`${NODE}/servers?unowned=true`)
  assert.deepEqual(
    unowned.body.data.map((it: Body) => it.id),
    [made.id],
  )
  const wanted = { serverId: made.id, userId: ada.userId, planId: plan.id }
  const currentPeriodEnd = service.currentPeriodEnd
  const adopted = await admin.post(`${NODE}/adopt`, { ...wanted, currentPeriodEnd })
  assert.equal(adopted.status, 201, adopted.text)
  assert.deepEqual((await admin.get(`${NODE}/servers?unowned=true`)).body.data, [])
})

test('a server of another shop on the same panel can neither be adopted nor recognized', async () => {
  const elsewhere = await admin.post('/v1/admin/tenants', {
    ...{ name: 'Elsewhere', domains: ['elsewhere.example'] },
  })
  assert.equal(elsewhere.status, 201, elsewhere.text)
  const other = await person(app, { tenantId: elsewhere.body.id, admin: true })
  await until('the shop is known', async () => (await other.get('/v1/admin/nodes')).status === 200)
  const { apiKey, clientApiKey } = { apiKey: shop.panel.applicationKey, clientApiKey: null }
  const made = await other.post('/v1/admin/nodes', {
    ...{ name: 'Theirs', url: shop.panel.url, type: 'pterodactyl', apiKey, clientApiKey },
  })
  assert.equal(made.status, 201, made.text)
  const { body } = await other.get(`/v1/admin/nodes/${made.body.id}/servers`)
  const seen = body.data.find((it: Body) => it.id === ofStaff.panel.serverId)
  assert.deepEqual([seen.serviceId, seen.adoptable], [null, false])
  const { data } = (await other.get(`/v1/admin/nodes/${made.body.id}/servers?unowned=true`)).body
  assert.ok(!data.some((it: Body) => it.id === ofStaff.panel.serverId))
  assert.equal((await other.get(`${NODE}/room`)).status, 404)
  assert.equal((await other.get(`${NODE}/servers`)).status, 404)
})

test('a panel that does not answer is a 502, and servers need the permission to see services', async () => {
  const { body: away } = await admin.post('/v1/admin/nodes', {
    ...{ name: 'Away', url: `http://127.0.0.1:${closedPort}`, type: 'pterodactyl' },
    apiKey: 'ptla_x',
  })
  for (const path of ['room', 'servers']) {
    const answer = await admin.get(`/v1/admin/nodes/${away.id}/${path}`)
    assert.deepEqual([answer.status, answer.body.code], [502, 'panel_unavailable'])
  }
  assert.equal((await admin.get(`${NODE}/servers?cursor=0`)).status, 400)
  const clerk = await person(app, { permissions: ['nodes:read'] })
  assert.equal((await clerk.get(`${NODE}/room`)).status, 200)
  assert.equal((await clerk.get(`${NODE}/servers`)).status, 403)
})
