import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { outboundsOf } from '#test/outbound.ts'
import { panelShop } from '#test/panel-shop.ts'
import { PanelError, type PanelErrorKind } from '../clients/panel-error.ts'
import { clientOf, type PanelDeps } from './connections.ts'

const { app, panel, admin, addNode } = await panelShop()
const { deps, tenantId } = app
const db = deps.database.of(tenantId)

/** What a further process would have: the same database, a memory of its own. */
function otherProcess(): PanelDeps {
  return { ...deps, outbound: outboundsOf(deps) }
}

function client(nodeId: string, from: PanelDeps = deps) {
  return clientOf(from, db, { tenantId, nodeId })
}

async function nodeOf(id: string) {
  return (await admin.get(`/v1/admin/nodes/${id}`)).body
}

function isPanelError(kind: PanelErrorKind) {
  return (error: unknown) => error instanceof PanelError && error.kind === kind
}

const UUID = '0b5c1f86-0000-4000-8000-000000000000'

test('the type of a panel is found out once, and kept', async () => {
  const { id } = await addNode({ type: 'auto' })
  assert.equal((await client(id)).type, 'pterodactyl')
  assert.equal((await nodeOf(id)).detectedType, 'pterodactyl')
  const calls = await panel.calls('GET', /./)
  assert.equal((await client(id)).type, 'pterodactyl')
  assert.equal(await panel.calls('GET', /./), calls)
})

test('a connection that is deleted, unknown or of another tenant has no client', async () => {
  const { id } = await addNode()
  await admin.delete(`/v1/admin/nodes/${id}`)
  for (const nodeId of [id, newId()]) {
    await assert.rejects(client(nodeId), isPanelError('misconfigured'))
  }
})

test('a refused key is noted, and a good test opens the connection in every process', async () => {
  const { id } = await addNode()
  const worker = otherProcess()
  await panel.fault('GET /api/application/locations', '401')
  const held = await client(id, worker)
  await assert.rejects(held.listLocations(), isPanelError('unauthorized'))
  assert.equal((await nodeOf(id)).status, 'unauthorized')
  const again = await client(id, worker)
  await assert.rejects(again.listLocations(), isPanelError('unauthorized'))
  assert.equal((await admin.post(`/v1/admin/nodes/${id}/test`)).body.ok, true)
  assert.equal((await (await client(id, worker)).listLocations()).length, 2)
  await assert.rejects(held.listLocations(), isPanelError('unauthorized'))
  assert.equal((await nodeOf(id)).status, 'ok')
})

test('a client of the old key says nothing of the new one', async () => {
  const { id, apiKey } = await addNode()
  const old = await client(id)
  await panel.post('settings', { revokeKey: apiKey })
  await admin.patch(`/v1/admin/nodes/${id}`, { apiKey: panel.applicationKey })
  await assert.rejects(old.listLocations(), isPanelError('unauthorized'))
  assert.equal((await nodeOf(id)).status, 'unknown')
  assert.equal((await (await client(id)).listLocations()).length, 2)
})

test('a client key that is refused leaves the connection as it is', async () => {
  const { id } = await addNode({ clientApiKey: panel.clientKey })
  const it = await client(id)
  await panel.fault('GET /api/client/*', '403')
  await assert.rejects(it.resources(UUID), isPanelError('forbidden'))
  assert.equal((await nodeOf(id)).status, 'unknown')
  assert.equal((await it.listLocations()).length, 2)
})

test('a panel that failed five times in a row is left alone (hardening 47)', async () => {
  const { id } = await addNode()
  await panel.fault('GET /api/application/locations', 'html-502', { n: 5 })
  const it = await client(id)
  for (let call = 0; call < 5; call += 1) {
    await assert.rejects(it.listLocations(), isPanelError('unavailable'))
  }
  const calls = await panel.calls('GET', /locations/)
  await assert.rejects((await client(id)).listLocations(), /calls are paused/)
  assert.equal(await panel.calls('GET', /locations/), calls)
  assert.equal((await nodeOf(id)).status, 'unknown')
})

test('a key moved to another row does not open', async () => {
  const [one, two] = [await addNode(), await addNode()]
  await deps.database.pool.query(
    `update panel.nodes set sealed_api_key =
       (select sealed_api_key from panel.nodes where id = $1) where id = $2`,
    [one.id, two.id],
  )
  await assert.rejects(client(two.id))
  assert.equal((await client(one.id)).type, 'pterodactyl')
})
