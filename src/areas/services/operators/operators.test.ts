import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newId } from '#lib/id.ts'
import { until } from '#test/app.ts'
import { gameShop } from '#test/game-shop.ts'
import { person } from '#test/people.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'
import { sandboxPanel } from '#test/sandbox-panel.ts'

const other = await sandboxPanel({ after }, { installSeconds: 0.05 })
const shop = await gameShop({ config: { privateHosts: [`127.0.0.1:${other.port}`] } })
const { admin, panel, app } = shop
const { product, plan } = await shop.server()
const ada = await shop.customer()
const LOOK = 'GET /api/application/servers/external/{id}'
const SERVICES = '/v1/admin/services'

/** A service whose server could not be made: its product lost its provisioning before it was paid. */
async function failed(buyer = ada) {
  const limits = { memoryMb: 2048, diskMb: 5120, cpuPercent: 100 }
  const placed = await shop.order(buyer, plan.id)
  await admin.patch(`/v1/admin/products/${product.id}`, { provisioning: null })
  await shop.complete(placed.payment.redirectUrl)
  const [id] = placed.order.items[0].serviceIds
  await until(
    'it failed',
    async () => (await admin.get(`${SERVICES}/${id}`)).body.status === 'failed',
  )
  const provisioning = { eggId: shop.eggId, nodeIds: [shop.nodeId], limits }
  await admin.patch(`/v1/admin/products/${product.id}`, { provisioning })
  return { id, placed }
}

const statusOf = async (id: string) => (await admin.get(`${SERVICES}/${id}`)).body.status

test('a service that failed waits in the queue with what was paid, and is retried', async () => {
  const { id, placed } = await failed()
  const { status, body } = await admin.get(`${SERVICES}/troubled?kind=failed`)
  assert.equal(status, 200, JSON.stringify(body))
  const [first] = body.data
  assert.equal(first.id, id)
  assert.equal(first.paidCents, placed.invoice.totalCents)
  assert.equal(first.troubles[0].kind, 'failed')
  assert.equal(first.troubles[0].lastError.code, 'no_blueprint')
  assert.ok(first.troubles[0].since)
  assert.deepEqual((await admin.get(`${SERVICES}/troubled?kind=unmanaged`)).body.data, [])
  const again = await admin.post(`${SERVICES}/${id}/retry`)
  assert.equal(again.status, 200, again.text)
  await app.eventually('it is active', async () => {
    // A server that the first try may have left is looked for long enough.
    app.deps.clock.advance(60_000)
    return (await statusOf(id)) === 'active'
  })
  assert.deepEqual((await admin.get(`${SERVICES}/troubled`)).body.data, [])
  const nothing = await admin.post(`${SERVICES}/${id}/retry`)
  assert.deepEqual([nothing.status, nothing.body.code], [409, 'nothing_to_retry'])
})

for (const how of ['alone', 'among several'] as const) {
  test(`a retry ${how} counts a key that was corrected on its panel, without a test of the connection`, async () => {
    await panel.fault('POST /api/application/servers', '403')
    const placed = await shop.order(ada, plan.id)
    await shop.complete(placed.payment.redirectUrl)
    const [id] = placed.order.items[0].serviceIds
    const nodeStatus = async () => (await admin.get(`/v1/admin/nodes/${shop.nodeId}`)).body.status
    await until('the panel refused', async () => (await nodeStatus()) === 'unauthorized')
    assert.equal(await statusOf(id), 'provisioning')
    // Only asking: nothing is tested.
    await admin.post(`${SERVICES}/bulk`, { action: 'retry', ids: [id], dryRun: true })
    assert.equal(await nodeStatus(), 'unauthorized')
    const again =
      how === 'alone'
        ? await admin.post(`${SERVICES}/${id}/retry`)
        : await admin.post(`${SERVICES}/bulk`, { action: 'retry', ids: [id] })
    assert.equal(again.status, 200, again.text)
    assert.equal(await nodeStatus(), 'ok')
    await app.eventually('it is active', async () => (await statusOf(id)) === 'active')
  })
}

test('each failed attempt is kept with its number, the newest 20 of them, and nothing is left of them after an erasure', async () => {
  const buyer = await shop.customer()
  const { id } = await failed(buyer)
  const attempts = async () => {
    const { status, body, text } = await admin.get(`${SERVICES}/${id}/attempts`)
    assert.equal(status, 200, text)
    return body.data as { attempt: number; code: string; detail: string; failedAt: string }[]
  }
  const [only, ...none] = await attempts()
  assert.deepEqual([only?.attempt, only?.code, none], [1, 'no_blueprint', []])
  assert.ok(only?.detail && only.failedAt)
  const unset = { provisioning: null }
  const limits = { memoryMb: 2048, diskMb: 5120, cpuPercent: 100 }
  const restored = { provisioning: { eggId: shop.eggId, nodeIds: [shop.nodeId], limits } }
  await admin.patch(`/v1/admin/products/${product.id}`, unset)
  for (let tries = 2; tries <= 22; tries++) {
    assert.equal((await admin.post(`${SERVICES}/${id}/retry`)).status, 200)
    await until(`attempt ${tries} failed`, async () => (await attempts())[0]?.attempt === tries)
  }
  await admin.patch(`/v1/admin/products/${product.id}`, restored)
  const kept = (await attempts()).map(({ attempt }) => attempt)
  assert.deepEqual(
    kept,
    [...Array(20).keys()].map((it) => 22 - it),
  )
  const stranger = await person(app, { permissions: ['users:read'] })
  assert.equal((await stranger.get(`${SERVICES}/${id}/attempts`)).status, 403)
  assert.equal((await admin.get(`${SERVICES}/${newId()}/attempts`)).status, 404)
  await admin.post(`${SERVICES}/${id}/refund`, { to: 'payment' })
  await until('it ended', async () => (await statusOf(id)) === 'ended')
  await shop.quiet()
  await givePassword(app, buyer.userId)
  const { body } = await app.post('/v1/auth/login', { email: buyer.email, password: PASSWORD })
  const left = await app.as(body.accessToken).delete('/v1/users/me', { password: PASSWORD })
  assert.equal(left.status, 200, left.text)
  await until('they are erased', async () => (await attempts()).length === 0)
})

test('what was paid for a service that failed goes back once, and the service ends', async () => {
  const { id, placed } = await failed()
  const refund = { to: 'credit', reason: 'No room' }
  const answers = await Promise.all(
    [1, 2].map(() => admin.post(`${SERVICES}/${id}/refund`, refund)),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const done = answers.find(({ status }) => status === 200)
  assert.equal(done?.body.refundCents, placed.invoice.totalCents)
  await until('it ended', async () => (await statusOf(id)) === 'ended')
  const { body } = await admin.get(`${SERVICES}/${id}`)
  assert.equal(body.endReason, 'refunded')
  const invoice = (await ada.get(`/v1/billing/invoices/${placed.invoice.id}`)).body
  assert.equal(invoice.refundedCents, placed.invoice.totalCents)
  await shop.assertSound()
})

test('a service goes to another panel once its first server is gone', async () => {
  const node = await admin.post('/v1/admin/nodes', {
    ...{ name: 'Other', url: other.url, type: 'pterodactyl', apiKey: other.applicationKey },
  })
  await admin.post(`/v1/admin/nodes/${node.body.id}/test`)
  await admin.post(`/v1/admin/nodes/${node.body.id}/sync-eggs`)
  // The panel makes the server and never says so; its installation then fails for good.
  await panel.post('installs', { outcome: 'fail', n: 2 })
  const placed = await shop.buy(ada, plan.id)
  const [id] = placed.order.items[0].serviceIds
  await app.eventually('it failed', async () => {
    app.deps.clock.advance(1000)
    await panel.post('clock', { advanceSeconds: 1 })
    return (await statusOf(id)) === 'failed'
  })
  const { externalId } = (await admin.get(`${SERVICES}/${id}`)).body
  const isHere = async () => (await shop.servers()).some((it) => it.externalId === externalId)
  assert.ok(await isHere(), 'its server is on the first panel')
  const moved = await admin.post(`${SERVICES}/${id}/replace`, { nodeId: node.body.id })
  assert.equal(moved.status, 200, moved.text)
  await app.eventually('it is active', async () => {
    app.deps.clock.advance(1000)
    return (await statusOf(id)) === 'active'
  })
  assert.equal(await isHere(), false, 'the first server is gone')
  const after = (await admin.get(`${SERVICES}/${id}`)).body
  assert.equal(after.nodeId, node.body.id)
  const late = await admin.post(`${SERVICES}/${id}/replace`, { nodeId: shop.nodeId })
  assert.deepEqual([late.status, late.body.code], [409, 'wrong_state'])
})

test('a connection without the egg is refused, and only operators do any of this', async () => {
  const { id } = await failed()
  const bare = await admin.post('/v1/admin/nodes', {
    ...{ name: 'Bare', url: other.url, type: 'pterodactyl', apiKey: other.applicationKey },
  })
  const refused = await admin.post(`${SERVICES}/${id}/replace`, { nodeId: bare.body.id })
  assert.deepEqual([refused.status, refused.body.code], [422, 'no_panel'])
  const reader = await person(app, { permissions: ['services:read'] })
  assert.equal((await reader.get(`${SERVICES}/troubled`)).status, 200)
  for (const what of ['retry', 'replace', 'refund', 'attach']) {
    assert.equal((await reader.post(`${SERVICES}/${id}/${what}`, {})).status, 403, what)
  }
})

test('a service whose setting up takes an hour is in the queue, and shows why', async () => {
  await panel.fault(LOOK, 'html-502', { n: 3 })
  const placed = await shop.buy(ada, plan.id)
  const [id] = placed.order.items[0].serviceIds
  const first = await until('its first try failed', async () => {
    const { body } = await admin.get(`${SERVICES}/${id}`)
    return body.provisioning?.lastError
  })
  const stuck = async () => {
    const { body } = await admin.get(`${SERVICES}/troubled?kind=provisioning`)
    return body.data.find((it: { id: string }) => it.id === id)
  }
  assert.equal(await stuck(), undefined, 'one failure is nothing to see')
  app.deps.clock.advance(3_600_000)
  const { troubles } = await stuck()
  assert.equal(troubles[0].kind, 'provisioning')
  assert.equal(troubles[0].lastError.code, first.code)
})
