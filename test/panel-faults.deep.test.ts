import assert from 'node:assert/strict'
import { test } from 'node:test'
import { later } from '#lib/time.ts'
import type { OutboundUse } from '#platform/outbound-uses.ts'
import { until } from '#test/app.ts'
import { allow } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'
import { impatient } from '#test/sandbox-panel.ts'
import { watchOf } from '#test/watch.ts'

const seed = { nodes: 1, locations: 1, memory: 1_000_000, disk: 10_000_000 }
const shop = await gameShop({ panel: seed })
const { app, admin, panel, nodeId } = shop
const { plan } = await shop.server()

const CREATE = 'POST /api/application/servers'
const LOOK = 'GET /api/application/servers/external/{id}'

type Body = Answer['body']

const { servicesOf, newestIs, becomes, endsAsOneSale, wasTold, adminsWereTold } = watchOf(shop)

for (const kind of [
  'commit-then-500',
  'commit-then-hangup',
  'truncated-json',
  'empty-body',
  'html-502',
  '504-before',
  '429',
]) {
  test(`a server whose making meets ${kind} is there once in the end (hardening 44)`, async () => {
    const player = await shop.customer()
    await panel.fault(CREATE, kind, { retryAfter: 0 })
    await endsAsOneSale(player, await shop.buy(player, plan.id))
  })
}

test('a server whose making is never answered is there once in the end (hardening 44)', async () => {
  const player = await shop.customer()
  const { outbound } = app.deps
  Object.assign(app.deps, {
    outbound: { ...outbound, for: (use: OutboundUse) => impatient(outbound.for(use), 400) },
  })
  try {
    await panel.fault(CREATE, 'commit-then-hang')
    await endsAsOneSale(player, await shop.buy(player, plan.id))
  } finally {
    Object.assign(app.deps, { outbound })
  }
})

for (const kind of ['commit-then-500', 'html-502', '429']) {
  test(`an account whose making meets ${kind} is there once in the end`, async () => {
    const player = await shop.customer()
    await panel.fault('POST /api/application/users', kind, { retryAfter: 0 })
    await endsAsOneSale(player, await shop.buy(player, plan.id))
    assert.equal((await accountsOf(player)).length, 1)
  })
}

for (const kind of ['html-502', 'truncated-json', '429']) {
  test(`a panel that answers looks with ${kind} is not taken for an empty one`, async () => {
    const player = await shop.customer()
    await panel.fault(CREATE, 'commit-then-500')
    await panel.fault(LOOK, 'latency', { ms: 0 })
    await panel.fault(LOOK, kind, { n: 2, retryAfter: 0 })
    await endsAsOneSale(player, await shop.buy(player, plan.id))
  })
}

test('three servers of one order whose making fails in three ways are there once each', async () => {
  const player = await shop.customer()
  for (const kind of ['commit-then-500', 'commit-then-hangup', 'html-502']) {
    await panel.fault(CREATE, kind)
  }
  await player.post('/v1/cart/items', { planId: plan.id, quantity: 2 })
  await endsAsOneSale(player, await shop.buy(player, plan.id))
  assert.equal((await servicesOf(player)).length, 3)
})

test('what a process that died was creating is looked for before it is made again (hardening 43)', async () => {
  const player = await shop.customer()
  await panel.fault(CREATE, '504-before')
  const placed = await shop.buy(player, plan.id)
  const { id: serviceId } = await newestIs(
    player,
    'the first try is over',
    ({ provisioning }) => provisioning?.attempt > 0,
  )
  const now = app.deps.clock.now()
  await shop.inLedger((tx) =>
    tx
      .updateTable('services.provisioning')
      .set({ leaseUntil: later(now, 150_000), uncertainSince: now, nextAt: now })
      .where('serviceId', '=', serviceId)
      .execute(),
  )
  const looks = await panel.calls('GET', /\/servers\/external\//)
  await app.advance(160)
  await endsAsOneSale(player, placed)
  assert.ok((await panel.calls('GET', /\/servers\/external\//)) - looks >= 2)
})

test('no free port: creation does not fail silently, is told of, and comes with the next port', async () => {
  const player = await shop.customer()
  // With no port left nobody could order: this one is gone between the order and its payment.
  const placed = await shop.order(player, plan.id)
  await panel.post('allocations', { nodeId: 1, free: 0 })
  await shop.complete(placed.payment.redirectUrl)
  const waiting = await newestIs(
    player,
    'the panel has refused',
    ({ provisioning }) => provisioning?.attempt > 1,
  )
  assert.equal(waiting.status, 'provisioning')
  assert.equal(waiting.provisioning.lastError.code, 'NoViableAllocationException')
  await adminsWereTold(waiting)
  await panel.post('allocations', { nodeId: 1, free: 50 })
  await endsAsOneSale(player, placed)
})

test('with a revoked key a service waits, and gets its server once a new key is tested', async () => {
  const player = await shop.customer()
  await panel.post('settings', { revokeKey: panel.applicationKey })
  const placed = await shop.buy(player, plan.id)
  const waiting = await newestIs(
    player,
    'the panel has refused',
    ({ provisioning }) => provisioning?.attempt > 0,
  )
  assert.equal(waiting.status, 'provisioning')
  await adminsWereTold(waiting)
  const refused = await admin.post(`/v1/admin/nodes/${nodeId}/test`)
  assert.equal(refused.body.ok, false)
  const { token } = (await panel.post('keys', {})) as { token: string }
  await admin.patch(`/v1/admin/nodes/${nodeId}`, { apiKey: token })
  const tested = await admin.post(`/v1/admin/nodes/${nodeId}/test`)
  assert.equal(tested.body.ok, true, tested.text)
  await endsAsOneSale(player, placed)
})

test('an installation that fails once is repeated by itself', async () => {
  const player = await shop.customer()
  await panel.post('installs', { outcome: 'fail', n: 1 })
  await endsAsOneSale(player, await shop.buy(player, plan.id))
})

test('an installation that fails for good is told of, and an operator has a way out', async () => {
  const player = await shop.customer()
  await panel.post('installs', { outcome: 'fail', n: 2 })
  const placed = await shop.buy(player, plan.id)
  const failed = await becomes(player, 'failed')
  await wasTold(player, 'service_failed', `/servers/${failed.id}`)
  await adminsWereTold(failed)
  assert.equal(failed.provisioning.lastError.code, 'install_failed')
  const { status } = (await player.get(`/v1/billing/orders/${placed.order.id}`)).body
  assert.equal(status, 'paid')
  assert.equal((await admin.post(`/v1/admin/services/${failed.id}/reprovision`)).status, 200)
  await endsAsOneSale(player, placed)
  const again = await admin.post(`/v1/admin/services/${failed.id}/reprovision`)
  assert.equal(again.status, 409)
})

async function onPanel(path: string, method = 'GET', body?: object): Promise<Body> {
  const response = await fetch(`${panel.url}/api/application${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await keyOfPanel()}`,
      accept: 'application/json',
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  assert.ok(response.ok, `${method} ${path}: ${response.status}`)
  return response.json()
}

let panelKey: string | undefined

async function keyOfPanel(): Promise<string> {
  panelKey ??= ((await panel.post('keys', {})) as { token: string }).token
  return panelKey
}

async function accountsOf({ email }: Person): Promise<Body[]> {
  const { data } = await onPanel('/users?per_page=200')
  return data.filter(({ attributes }: Body) => attributes.email === email)
}

test('two purchases at once make one account with two servers', async () => {
  const player = await shop.customer()
  await allow(shop.admin, player, { openOrdersPerProduct: 2 })
  const orders = [await shop.order(player, plan.id), await shop.order(player, plan.id)]
  await Promise.all(orders.map(({ payment }) => shop.complete(payment.redirectUrl)))
  for (const placed of orders) await endsAsOneSale(player, placed)
  const [account, ...others] = await accountsOf(player)
  assert.equal(others.length, 0)
  const own = (await shop.servers()).filter(({ userId }) => userId === account.attributes.id)
  assert.equal(own.length, 2)
})

test('somebody else’s account in the way is left alone, until an operator has cleared it', async () => {
  const player = await shop.customer()
  const fields = { email: player.email, username: 'foreign', first_name: 'F', last_name: 'O' }
  const { attributes: account } = await onPanel('/users', 'POST', { ...fields, external_id: '12' })
  const placed = await shop.buy(player, plan.id)
  const failed = await becomes(player, 'failed')
  assert.equal(failed.provisioning.lastError.code, 'foreign_external_id')
  await wasTold(player, 'service_failed', `/servers/${failed.id}`)
  await adminsWereTold(failed)
  assert.deepEqual(
    (await shop.servers()).filter(({ userId }) => userId === account.id),
    [],
  )
  await onPanel(`/users/${account.id}`, 'PATCH', { ...fields, external_id: null })
  assert.equal((await admin.post(`/v1/admin/services/${failed.id}/reprovision`)).status, 200)
  await endsAsOneSale(player, placed)
  assert.equal((await accountsOf(player)).length, 1)
})

test('a server that was made unseen and given up is found by the way out, not made again', async () => {
  const player = await shop.customer()
  await panel.fault(CREATE, 'commit-then-500')
  await panel.fault(LOOK, 'latency', { ms: 0 })
  await panel.fault(LOOK, '504-before', { n: 2 })
  const placed = await shop.buy(player, plan.id)
  await newestIs(player, 'a look has failed', ({ provisioning }) => provisioning?.attempt > 1)
  await app.advance(73 * 3600)
  const failed = await becomes(player, 'failed')
  await adminsWereTold(failed)
  assert.equal((await admin.post(`/v1/admin/services/${failed.id}/reprovision`)).status, 200)
  await endsAsOneSale(player, placed)
})

test('a wish that is taken back before the panel has answered leaves nothing of it behind', async () => {
  const player = await shop.customer()
  await endsAsOneSale(player, await shop.buy(player, plan.id))
  const { id, externalId } = await becomes(player, 'active')
  const onPanelIs = (suspended: boolean) =>
    app.eventually(`on the panel suspended is ${suspended}`, async () => {
      const server = (await shop.servers()).find((it) => it.externalId === externalId)
      const { transition } = (await admin.get(`/v1/admin/services/${id}`)).body
      return transition === null && (server?.status === 'suspended') === suspended
    })
  const wish = async (what: string, lost: boolean) => {
    const path = new RegExp(`/${what}$`)
    const before = await panel.calls('POST', path)
    if (lost) await panel.fault(`POST /api/application/servers/{id}/${what}`, 'commit-then-500')
    assert.equal((await admin.post(`/v1/admin/services/${id}/${what}`)).status, 200)
    if (lost) await until('it was asked', async () => (await panel.calls('POST', path)) > before)
  }
  await wish('suspend', true)
  await wish('unsuspend', false)
  await onPanelIs(false)
  await wish('suspend', false)
  await becomes(player, 'suspended')
  await wish('unsuspend', true)
  await wish('suspend', false)
  await onPanelIs(true)
  assert.equal((await becomes(player, 'suspended')).status, 'suspended')
})
