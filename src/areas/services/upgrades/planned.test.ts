import assert from 'node:assert/strict'
import { test } from 'node:test'
import { millis } from '#lib/time.ts'
import { clientOf } from '#panel'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, admin, eggId, nodeId, tenantId, catalog, gatewayId } = shop
const limits = { memoryMb: 1024, diskMb: 5120, cpuPercent: 100 }
const provisioning = { eggId, nodeIds: [nodeId], limits }
const tiny = await catalog.offer({ priceCents: 500 }, { provisioning })
const small = await shop.server({ upgradeTargetIds: [tiny.product.id] })

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
  await shop.assertSound()
})
