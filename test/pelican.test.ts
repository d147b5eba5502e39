import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'

type Body = Answer['body']

/** What a service lives through, and what panels do to it, on the other kind of panel. */
const shop = await gameShop({ panel: { flavour: 'pelican', nodes: 1, locations: 1 } })
const { app, admin, panel, nodeId, eggId } = shop

const provisioning = {
  ...{ eggId, nodeIds: [nodeId], locationIds: ['fra'] },
  limits: { memoryMb: 4096, diskMb: 5120, cpuPercent: 200 },
}
const large = await shop.catalog.offer({}, { provisioning })
const small = await shop.server({ upgradeTargetIds: [large.product.id] })

const CREATE = 'POST /api/application/servers'

async function customer(): Promise<{ player: Person; placed: Body; id: string }> {
  const player = await shop.customer()
  const placed = await shop.buy(player, small.plan.id)
  const { id } = await app.eventually('the service is active', async () => {
    const [service] = (await player.get('/v1/services')).body.data
    return service?.status === 'active' && service
  })
  return { player, placed, id }
}

async function serverOf(id: string): Promise<Body> {
  const { externalId } = (await admin.get(`/v1/admin/services/${id}`)).body
  return (await shop.servers()).find((it) => it.externalId === externalId)
}

const subusersOf = async (uuid: string): Promise<Body[]> => {
  const headers = { authorization: `Bearer ${panel.clientKey}`, accept: 'application/json' }
  const response = await fetch(`${panel.url}/api/client/servers/${uuid}/users`, { headers })
  return ((await response.json()) as Body).data
}

test('a Pelican panel is not treated as Pterodactyl: locations are found in its tags', async () => {
  const tested = await admin.post(`/v1/admin/nodes/${nodeId}/test`)
  assert.equal(tested.body.ok, true, tested.text)
  assert.deepEqual(tested.body.locations, [{ id: 'fra', name: 'fra' }])
  assert.match(tested.body.message, /tags of its nodes/)
  const { body } = await admin.get(`/v1/admin/nodes/${nodeId}`)
  assert.deepEqual([body.type, body.detectedType, body.status], ['auto', 'pelican', 'ok'])
})

test('permissions a key lacks are named', async () => {
  const permissions = { users: 3, servers: 3, nodes: 1, allocations: 1 }
  const { token: apiKey } = (await panel.post('keys', { permissions })) as { token: string }
  const node = { name: 'Weak', url: panel.url, apiKey, type: 'pelican' }
  const { body } = await admin.post('/v1/admin/nodes', node)
  const tested = await admin.post(`/v1/admin/nodes/${body.id}/test`)
  assert.deepEqual(tested.body.missingPermissions, ['eggs:read', 'roles:read'])
})

test('a service is made, watched, started, shared, upgraded, suspended and ended', async () => {
  const { player, placed, id } = await customer()
  await shop.becameOneSale(player, placed)
  const path = `/v1/services/${id}`
  const made = await serverOf(id)
  assert.equal(made.allocationIds.length, 1)

  assert.equal((await player.get(`${path}/status`)).body.available, true)
  assert.equal((await player.post(`${path}/power`, { action: 'start' })).status, 200)

  const friend = await shop.customer()
  const permissions = ['console', 'power']
  const invited = await player.post(`${path}/invitations`, { email: friend.email, permissions })
  const accepted = await friend.post(`/v1/invitations/${invited.body.token}/accept`)
  assert.equal(accepted.status, 200, accepted.text)
  await app.eventually('the friend is a subuser', async () =>
    (await subusersOf(made.uuid)).some(({ attributes }) => attributes.email === friend.email),
  )

  const { product, plan } = large
  const wanted = { productId: product.id, planId: plan.id, gatewayId: shop.gatewayId }
  const upgraded = await player.post(`${path}/upgrade`, wanted)
  assert.ok(upgraded.status < 300, upgraded.text)
  await app.eventually('the server has grown', async () => {
    const { limits } = await serverOf(id)
    return limits.memory === 4096 && limits.cpu === 200
  })

  await admin.post(`/v1/admin/services/${id}/suspend`)
  await app.eventually('it is suspended', async () => (await serverOf(id)).status === 'suspended')
  await admin.post(`/v1/admin/services/${id}/unsuspend`)
  await app.eventually('it runs again', async () => (await serverOf(id)).status === null)

  const ended = await admin.post(`/v1/admin/services/${id}/terminate`, {})
  assert.equal(ended.status, 200, ended.text)
  await app.eventually('its server is gone', async () => !(await serverOf(id)))
})

for (const kind of ['commit-then-500', 'commit-then-hangup', 'html-502', '429']) {
  test(`a server whose making meets ${kind} is there once in the end (hardening 44)`, async () => {
    await panel.fault(CREATE, kind, { retryAfter: 0 })
    await inTheEnd(await shop.customer())
  })
}

test('a server its machine has refused is made once the machine is back', async () => {
  await panel.post('wings', { nodeId: 1, down: true, refuses: true })
  const player = await shop.customer()
  const before = (await shop.servers()).length
  const placed = await shop.buy(player, small.plan.id)
  await until('the machine has refused', async () => {
    const [service] = (await player.get('/v1/services')).body.data
    const { body } = await admin.get(`/v1/admin/services/${service?.id}`)
    return body.provisioning?.lastError?.code === 'RequestException'
  })
  // The next try may be under way.
  await until('nothing is left of it', async () => (await shop.servers()).length === before)
  await panel.post('wings', { nodeId: 1, down: false })
  await inTheEnd(player, placed)
})

/** Buys, unless that is done, and moves the clock until all has become one sale. */
async function inTheEnd(player: Person, bought?: Body): Promise<void> {
  const placed = bought ?? (await shop.buy(player, small.plan.id))
  await until('the service is active', async () => {
    const [service] = (await player.get('/v1/services')).body.data
    if (service?.status === 'active') return true
    await app.advance(30)
    return false
  })
  await shop.becameOneSale(player, placed)
}
