import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOutbound } from '#platform/outbound.ts'
import { panelShop } from '#test/panel-shop.ts'
import type { PanelDeps } from '../nodes/connections.ts'
import { assertCapacity, capacityOf } from './live-capacity.ts'
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
  return { ...deps, outbound: createOutbound({ privateHosts: deps.config.privateHosts }) }
}

function ask(deps: PanelDeps, changes: Partial<Provisioning> = {}) {
  return capacityOf(deps, db, { tenantId, provisioning: { ...provisioning, ...changes } })
}

test('room is counted over the machines of a panel, in the locations asked for', async () => {
  const deps = fresh()
  const { total, places } = await ask(deps)
  assert.equal(total, 8)
  assert.deepEqual([...places], [[node.id, 8]])
  assert.equal((await ask(deps, { locationIds: ['1'] })).total, 8)
  assert.equal((await ask(deps, { locationIds: ['2'] })).total, 0)
})

test('without free ports there is no room', async () => {
  await panel.post('allocations', { nodeId: 1, free: 0 })
  await panel.post('allocations', { nodeId: 2, free: 1 })
  assert.equal((await ask(fresh())).total, 1)
  await panel.post('allocations', { nodeId: 1, free: 100 })
  await panel.post('allocations', { nodeId: 2, free: 100 })
})

test('a checkout of more than there is room for is refused, of as much it is not', async () => {
  const deps = fresh()
  const product = { tenantId, provisioning }
  await assertCapacity(deps, db, { ...product, count: 8 })
  await assert.rejects(assertCapacity(deps, db, { ...product, count: 9 }), {
    statusCode: 422,
    code: 'no_capacity',
  })
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
    const { total, places } = await ask(deps)
    assert.deepEqual([total, [...places]], [null, [[node.id, null]]])
    await assertCapacity(deps, db, { tenantId, provisioning, count: 1000 })
    await admin.post(`/v1/admin/nodes/${node.id}/test`)
  })
}

test('a slow panel counts as away after three seconds', async () => {
  const deps = fresh()
  await panel.fault('GET /api/application/nodes', 'latency', { ms: 8000 })
  const startedMs = performance.now()
  assert.equal((await ask(deps)).total, null)
  assert.ok(performance.now() - startedMs < 7000)
})

test('a product without any connection has no room', async () => {
  const { total } = await ask(fresh(), { eggId: tenantId })
  assert.equal(total, 0)
})
