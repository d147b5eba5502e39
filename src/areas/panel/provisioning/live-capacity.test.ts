import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { later } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { outboundsOf } from '#test/outbound.ts'
import { panelShop } from '#test/panel-shop.ts'
import type { PanelDeps } from '../nodes/connections.ts'
import { releaseRoom, reserveRoom } from '../reservations/actions.ts'
import { capacityOf, surveyRoom } from './live-capacity.ts'
import type { Provisioning } from './schema.ts'

const { app, panel, admin, addNode } = await panelShop({ nodes: 2, locations: 1, memory: 4096 })
const { tenantId } = app
const db = app.deps.database.of(tenantId)

const node = await addNode()
await admin.post(`/v1/admin/nodes/${node.id}/sync-eggs`)
const [egg] = (await admin.get(`/v1/admin/eggs?nodeId=${node.id}`)).body.data

const provisioning: Provisioning = {
  ...{ eggId: egg.id, nodeIds: [], locationIds: [], environment: {} },
  limits: { memoryMb: 1024, diskMb: 1024, cpuPercent: 100, swapMb: 0, io: 500 },
  featureLimits: { databases: 0, backups: 0, allocations: 1 },
}

/** A process that remembers nothing. */
function fresh(): PanelDeps {
  const { deps } = app
  return { ...deps, outbound: outboundsOf(deps) }
}

async function ask(deps: PanelDeps, changes: Partial<Provisioning> = {}) {
  const places = await capacityOf(deps, db, {
    ...{ tenantId, build: { ...provisioning, ...changes } },
  })
  return places.size === 0 ? 0 : places.get(node.id)
}

/** Orders so many servers of one product; throws when there is no room, and gives everything back. */
async function order(deps: PanelDeps, count: number): Promise<void> {
  const build = newId()
  const survey = await surveyRoom(deps, db, tenantId, new Map([[build, provisioning]]))
  const servers = Array.from({ length: count }, () => ({ id: newId(), build }))
  const now = app.deps.clock.now()
  const order = { tenantId, reference: newId(), servers, survey, heldUntil: later(now, 1000) }
  const place = { ...order, alternatives: new Map() }
  await transact(db, async (tx) => {
    await reserveRoom(tx, place, now)
    for (const { id } of servers) await releaseRoom(tx, { tenantId, id })
  })
}

test('room is counted over the machines of a panel, in the locations asked for', async () => {
  const deps = fresh()
  assert.equal(await ask(deps), 8)
  assert.equal(await ask(deps, { locationIds: ['1'] }), 8)
  assert.equal(await ask(deps, { locationIds: ['2'] }), 0)
})

test('without free ports there is no room', async () => {
  await panel.post('allocations', { nodeId: 1, free: 0 })
  await panel.post('allocations', { nodeId: 2, free: 1 })
  assert.equal(await ask(fresh()), 1)
  await panel.post('allocations', { nodeId: 1, free: 100 })
  await panel.post('allocations', { nodeId: 2, free: 100 })
})

test('room that came a moment ago is sold, however lately there was none', async () => {
  const deps = fresh()
  for (const nodeId of [1, 2]) await panel.post('allocations', { nodeId, free: 0 })
  await assert.rejects(order(deps, 1), { statusCode: 422, code: 'no_capacity' })
  await panel.post('allocations', { nodeId: 1, free: 100 })
  await order(deps, 1)
  await panel.post('allocations', { nodeId: 2, free: 100 })
})

test('a checkout of more than there is room for is refused, of as much it is not', async () => {
  const deps = fresh()
  await order(deps, 8)
  await assert.rejects(order(deps, 9), { statusCode: 422, code: 'no_capacity' })
})

test('many who ask at once are one question, and the answer is kept for a moment', async () => {
  const deps = fresh()
  const before = await panel.calls('GET', /\/nodes$/)
  await Promise.all(Array.from({ length: 10 }, () => ask(deps)))
  await ask(deps)
  assert.equal((await panel.calls('GET', /\/nodes$/)) - before, 1)
})

for (const kind of ['html-502', '401', '403', 'truncated-json', '504-before']) {
  test(`a panel that answers with ${kind} keeps nobody from buying`, async () => {
    const deps = fresh()
    await panel.fault('GET /api/application/nodes', kind)
    assert.equal(await ask(deps), null)
    await order(deps, 1000)
    await admin.post(`/v1/admin/nodes/${node.id}/test`)
  })
}

test('a slow panel counts as away after three seconds', async () => {
  const deps = fresh()
  await panel.fault('GET /api/application/nodes', 'latency', { ms: 8000 })
  const startedMs = performance.now()
  assert.equal(await ask(deps), null)
  assert.ok(performance.now() - startedMs < 7000)
})

test('a product without any connection has no room', async () => {
  assert.equal(await ask(fresh(), { eggId: tenantId }), 0)
})
