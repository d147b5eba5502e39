import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { clientOf } from '#panel'
import { transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { apiKey, type Person } from '#test/people.ts'
import { recordReinstall } from '../reinstalls/actions.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, db, panel, tenantId } = shop
const admin = await apiKey(app, shop.admin, { permission: 'read-write' })
const { plan } = await shop.server()

const TELL = 'PATCH /api/application/servers/{id}/startup'
const LOOK = 'GET /api/application/servers/external/{id}'
const FOUR_DAYS = 4 * 24 * 3600

type Customer = Person & { id: string; externalId: string }

async function customer(): Promise<Customer> {
  const someone = await shop.customer()
  const own = { ...someone, ...(await apiKey(app, someone, { permission: 'read-write' })) }
  await shop.buy(own, plan.id)
  const { id } = await shop.serviceBecame(own, 'active')
  const { externalId } = (await admin.get(`/v1/admin/services/${id}`)).body
  return { ...own, id, externalId }
}

/** The panel answers again as it should. */
async function recover(): Promise<void> {
  const headers = { authorization: `Bearer ${panel.controlToken}` }
  const { ok } = await fetch(`${panel.url}/_sandbox/faults`, { method: 'DELETE', headers })
  assert.ok(ok)
}

const changeOf = (serviceId: string) =>
  db
    .selectFrom('services.startup_changes')
    .selectAll()
    .where('serviceId', '=', serviceId)
    .executeTakeFirst()

const environmentOf = async ({ externalId }: Customer): Promise<Body> =>
  (await shop.servers()).find((it) => it.externalId === externalId)?.environment

async function wish(ada: Customer, MINECRAFT_VERSION: string): Promise<void> {
  const body = { environment: { MINECRAFT_VERSION } }
  const { status, text } = await ada.patch(`/v1/services/${ada.id}`, body)
  assert.equal(status, 200, text)
}

test('a start-up that the panel took is the service’s own, though every answer was lost', async () => {
  const ada = await customer()
  await panel.fault(TELL, 'commit-then-500', { n: 500 })
  await wish(ada, '1.20.4')
  await until('the first answer was lost', async () => (await changeOf(ada.id))?.attempt === 1)
  // For longer than it is tried the panel does not answer at all.
  await panel.fault(LOOK, 'html-502', { n: 10_000 })
  await app.advance(FOUR_DAYS)
  await until('it was tried again', async () => ((await changeOf(ada.id))?.attempt ?? 0) > 1)
  const waiting = await changeOf(ada.id)
  assert.deepEqual([waiting?.failedAt, waiting?.appliedAt], [null, null], 'it is not given up')
  await recover()
  await app.eventually('it is known', async () => (await changeOf(ada.id))?.appliedAt, {
    seconds: 1800,
  })
  const { environment } = await db
    .selectFrom('services.services')
    .select('environment')
    .where('id', '=', ada.id)
    .executeTakeFirstOrThrow()
  assert.equal(environment.MINECRAFT_VERSION, '1.20.4')
})

test('a start-up that never reached its panel is given up', async () => {
  const ada = await customer()
  await panel.fault(LOOK, 'html-502', { n: 10_000 })
  await wish(ada, '1.19.4')
  await until('it was tried', async () => (await changeOf(ada.id))?.attempt === 1)
  await app.advance(FOUR_DAYS)
  await app.eventually('it is given up', async () => (await changeOf(ada.id))?.failedAt)
  await recover()
  assert.notEqual((await environmentOf(ada))?.MINECRAFT_VERSION, '1.19.4')
})

const outcomeOf = async ({ id }: Customer) =>
  (
    await db
      .selectFrom('services.reinstalls')
      .select('outcome')
      .where('serviceId', '=', id)
      .executeTakeFirstOrThrow()
  ).outcome

test('a reinstallation whose process died while it asked the panel is told when it failed', async () => {
  const ada = await customer()
  const client = await clientOf(app.deps, db, { tenantId, nodeId: shop.nodeId })
  const server = await client.findServerByExternalId(ada.externalId)
  assert.ok(server)
  const key = { tenantId, serviceId: ada.id, id: newId() }
  await transact(db, (tx) => recordReinstall(tx, key, app.deps.clock.now()))
  await panel.post('installs', { outcome: 'fail', seconds: 0.05, n: 1 })
  await client.reinstall(server.id)
  await app.eventually('it is told', () => outcomeOf(ada), { seconds: 60 })
  assert.equal(await outcomeOf(ada), 'failed')
})

test('a reinstallation is followed until its panel answers', async () => {
  const ada = await customer()
  await panel.fault(LOOK, 'html-502', { n: 10_000 })
  assert.equal((await ada.post(`/v1/services/${ada.id}/reinstall`)).status, 200)
  for (let hour = 0; hour < 3; hour += 1) await app.advance(3600)
  assert.equal(await outcomeOf(ada), null)
  await recover()
  await app.eventually('its end is known', () => outcomeOf(ada), { seconds: 60 })
  assert.equal(await outcomeOf(ada), 'done')
})
