import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { gameShop } from '#test/game-shop.ts'
import { watchOf } from '#test/watch.ts'

/** What went wrong in other billing systems, through the whole service. */
const seed = { nodes: 1, locations: 1, memory: 20_000, disk: 1_000_000 }
const shop = await gameShop({ panel: seed })
const { app, admin, panel, nodeId, eggId } = shop
const large = await shop.catalog.offer(
  { priceCents: 9000 },
  {
    provisioning: {
      ...{ eggId, nodeIds: [nodeId] },
      limits: { memoryMb: 15_000, diskMb: 5120, cpuPercent: 100 },
    },
  },
)
const { plan } = await shop.server({ upgradeTargetIds: [large.product.id] })
const { servicesOf, newestIs, becomes, endsAsOneSale, adminsWereTold } = watchOf(shop)

const SERVICES = '/v1/admin/services'
const CREATE = 'POST /api/application/servers'
const DELETE = 'DELETE /api/application/servers/{id}'

async function served() {
  const player = await shop.customer()
  const placed = await shop.buy(player, plan.id)
  await endsAsOneSale(player, placed)
  return { player, placed, service: await becomes(player, 'active') }
}

async function isOnPanel(externalId: string): Promise<boolean> {
  return (await shop.servers()).some((it) => it.externalId === externalId)
}

test('paid and “active” but no server: it is not active before the panel has said so', async () => {
  const player = await shop.customer()
  await panel.fault(CREATE, 'html-502')
  const placed = await shop.buy(player, plan.id)
  const waiting = await newestIs(player, 'a try failed', (it) => it.provisioning?.lastError)
  assert.equal(waiting.status, 'provisioning')
  assert.equal(await isOnPanel(waiting.externalId), false)
  await endsAsOneSale(player, placed)
})

test('“Couldn’t find any nodes satisfying the request”: it waits, and is told why', async () => {
  const player = await shop.customer()
  const placed = await shop.order(player, plan.id)
  await panel.post('nodes', { nodeId: 1, memory: 1 })
  await shop.complete(placed.payment.redirectUrl)
  const waiting = await newestIs(player, 'the panel has refused', (it) => it.provisioning?.attempt)
  assert.equal(waiting.provisioning.lastError.code, 'NoViableNodeException')
  await adminsWereTold(waiting)
  await panel.post('nodes', { nodeId: 1, memory: seed.memory })
  await endsAsOneSale(player, placed)
})

test('node overfull after an upgrade: refused before the money', async () => {
  const { player, service } = await served()
  await panel.post('nodes', { nodeId: 1, memory: 12_000 })
  const wish = { productId: large.product.id, gatewayId: shop.gatewayId }
  const refused = await player.post(`/v1/services/${service.id}/upgrade`, wish)
  assert.deepEqual([refused.status, refused.body.code], [422, 'no_capacity'])
  await panel.post('nodes', { nodeId: 1, memory: seed.memory })
})

test('local rows without remote id crash pages: no page here', async () => {
  const player = await shop.customer()
  await panel.fault(CREATE, '504-before')
  const placed = await shop.buy(player, plan.id)
  const { id } = await newestIs(player, 'a try failed', (it) => it.provisioning?.lastError)
  for (const path of ['', '/status', '/members', '/invitations']) {
    const { status, text } = await player.get(`/v1/services/${id}${path}`)
    assert.ok(status < 500, `${path}: ${text}`)
  }
  assert.equal(
    (await player.post(`/v1/services/${id}/power`, { action: 'start' })).status < 500,
    true,
  )
  for (const path of [`${SERVICES}/${id}`, SERVICES, `${SERVICES}/troubled`]) {
    assert.equal((await admin.get(path)).status, 200)
  }
  await endsAsOneSale(player, placed)
})

test('local deletion while the panel is down leaves no live, unbilled server', async () => {
  const { player, service } = await served()
  await panel.fault(DELETE, 'html-502', { n: 2 })
  assert.equal((await admin.post(`${SERVICES}/${service.id}/terminate`, {})).status, 200)
  await until('the panel was asked', async () => (await panel.calls('DELETE', /\/servers\//)) > 0)
  const { status } = (await admin.get(`${SERVICES}/${service.id}`)).body
  assert.notEqual(status, 'ended')
  assert.ok(await isOnPanel(service.externalId))
  await becomes(player, 'ended')
  assert.equal(await isOnPanel(service.externalId), false)
})

test('node gone, server cannot be deleted: operators are told, and nothing is deleted by force', async () => {
  const { player, service } = await served()
  await panel.post('wings', { nodeId: 1, down: true })
  await admin.post(`${SERVICES}/${service.id}/terminate`, {})
  const stuck = await newestIs(player, 'three tries failed', (it) => it.transition?.attempt >= 3)
  await adminsWereTold(stuck)
  assert.ok(await isOnPanel(service.externalId))
  assert.equal(await panel.calls('DELETE', /\/force$/), 0)
  await panel.post('wings', { nodeId: 1, down: false })
  await becomes(player, 'ended')
  assert.equal(await isOnPanel(service.externalId), false)
})

test('node down: no 500 page at order time, and the server comes when it is back', async () => {
  const player = await shop.customer()
  await panel.post('wings', { nodeId: 1, down: true })
  const placed = await shop.buy(player, plan.id)
  const waiting = await newestIs(player, 'a try failed', (it) => it.provisioning?.attempt)
  assert.equal(waiting.status, 'provisioning')
  await panel.post('wings', { nodeId: 1, down: false })
  await endsAsOneSale(player, placed)
})

test('stuck in “installing”: after an hour it is flagged, and an operator ends it', async () => {
  const player = await shop.customer()
  await panel.post('installs', { outcome: 'never', n: 1 })
  await shop.buy(player, plan.id)
  const flagged = async () => {
    const [service] = await servicesOf(player)
    return service?.status === 'failed' && service
  }
  const failed = await app.eventually('it is flagged', flagged, { seconds: 900 })
  assert.equal(failed.provisioning.lastError.code, 'install_stuck')
  await adminsWereTold(failed)
  await admin.post(`${SERVICES}/${failed.id}/terminate`, {})
  await becomes(player, 'ended')
})

test('failed install, suspend + unsuspend makes it look fine: not here', async () => {
  const player = await shop.customer()
  await panel.post('installs', { outcome: 'fail', n: 2 })
  await shop.buy(player, plan.id)
  const failed = await becomes(player, 'failed')
  const server = (await shop.servers()).find((it) => it.externalId === failed.externalId)
  const headers = { authorization: `Bearer ${panel.applicationKey}`, accept: 'application/json' }
  for (const what of ['suspend', 'unsuspend']) {
    const path = `/api/application/servers/${server?.id}/${what}`
    assert.equal((await fetch(panel.url + path, { method: 'POST', headers })).status, 204)
  }
  await app.advance(600)
  const after = (await admin.get(`${SERVICES}/${failed.id}`)).body
  assert.deepEqual([after.status, after.provisioning.lastError.code], ['failed', 'install_failed'])
})
