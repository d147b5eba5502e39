import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { apiKey, type Person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, db, panel, eggId, nodeId, gatewayId } = shop
const admin = await apiKey(app, shop.admin, { permission: 'read-write' })
const limits = { memoryMb: 4096, diskMb: 5120, cpuPercent: 100 }
const large = await shopOf(admin).offer(
  { priceCents: 2500 },
  { provisioning: { eggId, nodeIds: [nodeId], limits } },
)
const small = await shop.server({ upgradeTargetIds: [large.product.id] })

const BUILD = 'PATCH /api/application/servers/{id}/build'
const LOOK = 'GET /api/application/servers/external/{id}'

type Customer = Person & { id: string; invoice: Body }

/** A customer whose paid upgrade reached the panel, and whose answer was lost so many times. */
async function upgradeWithLostAnswers(n: number): Promise<Customer> {
  const someone = await shop.customer()
  const customer = { ...someone, ...(await apiKey(app, someone, { permission: 'read-write' })) }
  await shop.buy(customer, small.plan.id)
  const { id } = await shop.serviceBecame(customer, 'active')
  await panel.fault(BUILD, 'commit-then-500', { n })
  const wanted = { productId: large.product.id, gatewayId }
  const { body } = await customer.post(`/v1/services/${id}/upgrade`, wanted)
  await shop.complete(body.payment.redirectUrl)
  await until('the first answer was lost', async () => (await upgradeOf(id))?.attempt === 1)
  return { ...customer, id, invoice: body.invoice }
}

function upgradeOf(serviceId: string) {
  return db
    .selectFrom('services.upgrades')
    .selectAll()
    .where('serviceId', '=', serviceId)
    .executeTakeFirst()
}

async function memoryOf({ id }: Customer): Promise<number> {
  const { externalId } = (await admin.get(`/v1/admin/services/${id}`)).body
  return (await shop.servers()).find((it) => it.externalId === externalId)?.limits.memory
}

test('a change that the panel has made is not given up when all of its answers were lost', async () => {
  const ada = await upgradeWithLostAnswers(500)
  for (let hours = 0; hours < 90 && !(await upgradeOf(ada.id))?.appliedAt; hours += 6) {
    const before = (await upgradeOf(ada.id))?.attempt ?? 0
    await app.advance(6 * 3600)
    await until('it was tried again', async () => {
      const upgrade = await upgradeOf(ada.id)
      return upgrade && (upgrade.attempt > before || upgrade.appliedAt || upgrade.failedAt)
    })
  }
  const { body } = await ada.get(`/v1/services/${ada.id}`)
  assert.equal(body.product.id, large.product.id)
  assert.deepEqual([await memoryOf(ada), await shop.creditOf(ada)], [4096, 0])
  await panel.fault(BUILD, 'latency', { ms: 0 })
  await shop.assertSound()
})

test('a server is put back on its product when a change is given up whose answer was lost', async () => {
  const ada = await upgradeWithLostAnswers(1)
  assert.equal(await memoryOf(ada), 4096)
  // The panel does not answer when the change is given up either.
  await panel.fault(LOOK, 'html-502', { n: 1 })
  const given = await admin.post(`/v1/admin/services/${ada.id}/cancel-upgrade`)
  assert.equal(given.status, 200, given.text)
  assert.equal(await shop.creditOf(ada), ada.invoice.totalCents)
  await until('the server is put back', async () => {
    await app.advance(60)
    return (await memoryOf(ada)) === 2048
  })
  const { body } = await ada.get(`/v1/services/${ada.id}`)
  assert.equal(body.product.id, small.product.id)
  await shop.assertSound()
})
