import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, failures, LIMITS, rows, testPanel } from './testing.ts'

test('locations are created, changed, and deleted only without nodes', async (t) => {
  const panel = await testPanel(t)
  const made = await panel.app('POST', '/locations', { short: 'par', long: 'Paris' })
  assert.partialDeepStrictEqual(made.body, {
    object: 'location',
    attributes: { id: 3, short: 'par', long: 'Paris' },
    meta: { resource: `${panel.url}/api/application/locations/3` },
  })
  assert.deepEqual(failures(await panel.app('POST', '/locations', { short: 'PAR' })), [
    'short/unique',
  ])
  const changed = await panel.app('PATCH', '/locations/3', { short: 'par', long: 'Paris 2' })
  assert.partialDeepStrictEqual(changed.body, { attributes: { long: 'Paris 2' } })
  assertError(await panel.app('DELETE', '/locations/1'), 400, 'HasActiveNodesException')
  assert.equal((await panel.app('DELETE', '/locations/3')).status, 204)
})

test('a node tells what its servers were given', async (t) => {
  const panel = await testPanel(t, { nodes: 1 })
  await panel.newServer()
  const { body } = await panel.app('GET', '/nodes/1')
  assert.partialDeepStrictEqual(body, {
    object: 'node',
    attributes: {
      id: 1,
      public: true,
      location_id: 1,
      memory: 65_536,
      allocated_resources: { memory: 1024, disk: 2048 },
    },
  })
  assert.ok(!JSON.stringify(body).includes('token'))
  assertError(await panel.app('DELETE', '/nodes/1'), 400, 'HasActiveServersException')
})

const NODE = {
  name: 'par-01',
  location_id: 1,
  fqdn: 'par-01.example.net',
  scheme: 'https',
  memory: 1000,
  memory_overallocate: 0,
  disk: 10_000,
  disk_overallocate: 0,
  daemon_listen: 8080,
  daemon_sftp: 2022,
}

test('a node is full at its size with what may be overallocated', async (t) => {
  const panel = await testPanel(t, { nodes: 0 })
  const deployable = (memory: number) =>
    panel.app('GET', `/nodes/deployable?memory=${memory}&disk=1`)
  const patch = (changes: object) => panel.app('PATCH', '/nodes/1', { ...NODE, ...changes })
  assert.equal((await panel.app('POST', '/nodes', NODE)).status, 201)

  assert.equal((await deployable(1000)).status, 200)
  assertError(await deployable(1001), 400, 'NoViableNodeException', /^No nodes satisfying the/)
  await patch({ memory_overallocate: 50 })
  assert.equal((await deployable(1500)).status, 200)
  await patch({ memory_overallocate: -1 })
  assert.equal((await deployable(990)).status, 200)
  assertError(await deployable(991), 400, 'NoViableNodeException')
  await patch({ maintenance_mode: true })
  assert.equal((await deployable(500)).status, 200)
  await patch({ public: false })
  assertError(await deployable(500), 400, 'NoViableNodeException')
})

test('deployable nodes carry sums, keep to locations, and page on demand', async (t) => {
  const panel = await testPanel(t)
  await panel.newServer({ deploy: { locations: [2], dedicated_ip: false, port_range: [] } })
  const query = 'memory=1024&disk=2048&location_ids[]=2'
  const { body } = await panel.app('GET', `/nodes/deployable?${query}&include=allocations`)
  assert.equal(body.meta, undefined)
  const [node] = rows(body)
  assert.partialDeepStrictEqual(node, { id: 2, sum_memory: 1024, sum_disk: 2048 })
  assert.ok(node && 'relationships' in node)
  const paged = await panel.app('GET', `/nodes/deployable?${query}&page=1`)
  assert.equal(paged.fields.number('meta.pagination.total'), 1)
  assert.deepEqual(failures(await panel.app('GET', '/nodes/deployable?memory=x')), [
    'memory/integer',
    'disk/required',
  ])
})

test('ports are added singly and in ranges; known pairs are skipped', async (t) => {
  const panel = await testPanel(t, { nodes: 1, portsPerNode: 1 })
  const add = (ip: string, ports: unknown[]) =>
    panel.app('POST', '/nodes/1/allocations', { ip, ports })
  assert.equal((await add('203.0.113.10', ['25565', '30000-30002'])).status, 204)
  assert.equal((await add('192.0.2.0/31', ['4000'])).status, 204)
  const all = rows((await panel.app('GET', '/nodes/1/allocations')).body)
  assert.deepEqual(
    all.map(({ ip, port }) => `${ip}:${port}`),
    [
      '203.0.113.10:25565',
      '203.0.113.10:30000',
      '203.0.113.10:30001',
      '203.0.113.10:30002',
      '192.0.2.0:4000',
      '192.0.2.1:4000',
    ],
  )
  assertError(await add('192.0.2.1', ['a-b']), 400, 'InvalidPortMappingException')
  assertError(await add('192.0.2.1', ['80']), 400, 'PortOutOfRangeException')
  assertError(await add('192.0.2.1', ['2000-3000']), 400, 'TooManyPortsInRangeException')
  assertError(await add('192.0.2.0/24', ['2000']), 400, 'CidrOutOfRangeException')
  assert.deepEqual(failures(await add('192.0.2.1', [2000])), ['ports.0/string'])
})

test('free allocations are found by exact filters; a used one stays', async (t) => {
  const panel = await testPanel(t, { nodes: 1, portsPerNode: 3 })
  await panel.newServer({ allocation: { default: 2 } })
  const ids = async (query: string) =>
    rows((await panel.app('GET', `/nodes/1/allocations?${query}`)).body).map(({ id }) => id)
  assert.deepEqual(await ids('filter[server_id]=0'), [1, 3])
  assert.deepEqual(await ids('filter[server_id]=1'), [2])
  assert.deepEqual(await ids('filter[port]=25565'), [1])
  assert.deepEqual(await ids('filter[port]=2556'), [])
  assert.deepEqual(await ids('sort=port'), [1, 2, 3])
  const used = await panel.app('DELETE', '/nodes/1/allocations/2')
  assertError(used, 400, 'ServerUsingAllocationException')
  assert.equal((await panel.app('DELETE', '/nodes/1/allocations/3')).status, 204)
})

test('the configuration of a node is plain, and holds the secret of its daemon', async (t) => {
  const panel = await testPanel(t)
  const { body, fields } = await panel.app('GET', '/nodes/1/configuration')
  assert.equal(body.object, undefined)
  assert.equal(fields.text('token').length, 64)
  assert.equal(body.remote, panel.url)
})

test('explicit allocations ask for no room at all', async (t) => {
  const panel = await testPanel(t, { nodes: 1, memory: 100 })
  const limits = { ...LIMITS, memory: 5000 }
  assert.equal((await panel.newServer({ allocation: { default: 1 }, limits })).status, 201)
  assertError(await panel.newServer({ limits }), 400, 'NoViableNodeException')
})
