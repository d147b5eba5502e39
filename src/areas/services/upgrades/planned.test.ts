import assert from 'node:assert/strict'
import { test } from 'node:test'
import { millis } from '#lib/time.ts'
import { clientOf } from '#panel'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, admin, eggId, nodeId, tenantId, catalog, gatewayId, panel } = shop
const limits = { memoryMb: 1024, diskMb: 5120, cpuPercent: 100 }
const provisioning = { eggId, nodeIds: [nodeId], limits }
const tiny = await catalog.offer({ priceCents: 500 }, { provisioning })
const large = await catalog.offer(
  { priceCents: 2000 },
  { provisioning: { ...provisioning, limits: { ...limits, memoryMb: 4096, diskMb: 10_240 } } },
)
const small = await shop.server({ upgradeTargetIds: [tiny.product.id, large.product.id] })

/** Somebody who has planned a smaller product for the next period and paid it, and has a port too many. */
async function planner() {
  const person = await shop.customer()
  await shop.buy(person, small.plan.id)
  const { id, currentPeriodEnd } = await shop.serviceBecame(person, 'active')
  const ordered = await person.post(`/v1/services/${id}/upgrade`, {
    productId: tiny.product.id,
    gatewayId,
  })
  assert.equal(ordered.status, 200, ordered.text)
  const { body: renewal } = await person.post(`/v1/services/${id}/renew`, { gatewayId })
  await shop.complete(renewal.payment.redirectUrl)
  const { externalId } = (await admin.get(`/v1/admin/services/${id}`)).body
  const client = await clientOf(app.deps, shop.db, { tenantId, nodeId })
  const server = await client.findServerByExternalId(externalId)
  assert.ok(server)
  const [free] = await client.listAllocations(server.nodeId, { free: true })
  assert.ok(free)
  const featureLimits = { ...server.featureLimits, allocations: 2 }
  await client.updateBuild(server.id, { addAllocationIds: [free.id], featureLimits })
  return {
    ...{ person, id, currentPeriodEnd },
    memory: async () => (await client.findServerByExternalId(externalId))?.limits.memoryMb,
    makeRoom: () => client.updateBuild(server.id, { removeAllocationIds: [free.id] }),
    told: async (kind: string): Promise<Body[]> => {
      const { data } = (await person.get('/v1/notifications')).body
      return data.filter((it: Body) => it.kind === kind)
    },
    on: async () => (await person.get(`/v1/services/${id}`)).body.product.id,
  }
}

test('a planned change that does not fit waits some days for room, says so once, and is given up then', async () => {
  const [tidy, idle] = [await planner(), await planner()]
  const left = millis(idle.currentPeriodEnd) - millis(app.deps.clock.now())
  await app.advance(Math.ceil(left / 1000) + 60)
  for (const each of [tidy, idle]) {
    await app.eventually('it is told what is in the way', async () => {
      return (await each.told('upgrade_waiting')).length === 1
    })
  }
  const [notice] = await tidy.told('upgrade_waiting')
  assert.match(notice.body, /more ports than the new plan has/)
  assert.deepEqual([await tidy.on(), await tidy.memory()], [small.product.id, 2048])

  await tidy.makeRoom()
  await app.advance(6 * 3600)
  await app.eventually('the one with room is changed', async () => {
    return (await tidy.on()) === tiny.product.id
  })
  assert.equal(await tidy.memory(), 1024)
  assert.deepEqual(await tidy.told('upgrade_failed'), [])

  for (let days = 0; days < 7; days++) {
    assert.equal((await idle.told('upgrade_failed')).length, 0)
    await app.advance(24 * 3600)
    await shop.quiet()
  }
  await app.eventually('the other one is given up', async () => {
    return (await idle.told('upgrade_failed')).length === 1
  })
  assert.deepEqual([await idle.on(), await idle.memory()], [small.product.id, 2048])
  assert.equal((await idle.told('upgrade_waiting')).length, 1)
  assert.doesNotMatch((await idle.told('upgrade_failed'))[0].body, /credit/)

  // This period was paid at the lower price. Its owner cannot plan the same for the next one; staff can.
  const { person, id } = idle
  const { body: renewal } = await person.post(`/v1/services/${id}/renew`, { gatewayId })
  assert.equal(renewal.invoice.netCents, 1000)
  await shop.complete(renewal.payment.redirectUrl)
  await app.advance(25 * 24 * 3600)
  await app.eventually('the next period has begun', async () => {
    const { body } = await person.get(`/v1/services/${id}`)
    return body.currentPeriodStart === renewal.invoice.lines[0].periodStart
  })
  await idle.makeRoom()
  for (const preview of [true, false]) {
    const wanted = { productId: tiny.product.id, gatewayId, preview }
    const again = await person.post(`/v1/services/${id}/upgrade`, wanted)
    assert.deepEqual([again.status, again.body.code], [409, 'planned_change_failed'])
  }
  const wanted = { productId: tiny.product.id }
  const byStaff = await admin.post(`/v1/admin/services/${id}/upgrade`, wanted)
  assert.deepEqual([byStaff.status, byStaff.body.effect], [200, 'next_period'], byStaff.text)
  await shop.assertSound()
})

test('a planned change waits for one that was paid before its period began, and is made when that one is given up', async () => {
  const person = await shop.customer()
  await shop.buy(person, small.plan.id)
  const { id, currentPeriodEnd } = await shop.serviceBecame(person, 'active')
  const path = `/v1/services/${id}`
  const change = (productId: string) => person.post(`${path}/upgrade`, { productId, gatewayId })
  assert.equal((await change(tiny.product.id)).body.effect, 'next_period')
  const { body: renewal } = await person.post(`${path}/renew`, { gatewayId })
  assert.equal(renewal.invoice.netCents, 500)
  await shop.complete(renewal.payment.redirectUrl)
  await shop.quiet()
  const left = millis(currentPeriodEnd) - millis(app.deps.clock.now())
  await app.advance(Math.ceil(left / 1000) - 3600)
  const larger = await change(large.product.id)
  assert.equal(larger.status, 200, larger.text)
  await panel.fault('PATCH /api/application/servers/{server}/build', 'html-502', { n: 4 })
  await shop.complete(larger.body.payment.redirectUrl)
  await app.eventually('the panel did not answer', async () => {
    const { upgrade } = (await admin.get(`/v1/admin/services/${id}`)).body
    return upgrade?.attempt > 0
  })
  await app.advance(3660)
  await app.eventually('the next period has begun', async () => {
    return (await person.get(path)).body.currentPeriodStart === currentPeriodEnd
  })
  assert.equal((await admin.post(`/v1/admin/services/${id}/cancel-upgrade`)).status, 200)
  await app.eventually('the planned one is made', async () => {
    app.deps.clock.advance(60_000)
    const { body } = await person.get(path)
    return body.product.id === tiny.product.id && body.upgrade === null
  })
  await shop.assertSound()
})
