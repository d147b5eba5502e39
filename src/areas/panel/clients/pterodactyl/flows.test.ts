import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { sandboxPanel } from '#test/sandbox-panel.ts'
import { readEggFile } from '../../eggs/files.ts'
import { validateEnvironment } from '../../eggs/rules.ts'
import type { PanelClient, PanelServer, ServerDraft } from '../contract.ts'
import { detectPanelType, panelClientFor } from '../registry.ts'

type Sandbox = Awaited<ReturnType<typeof sandboxPanel>>

const servers = 'POST /api/application/servers'

async function start(t: TestContext, options: Parameters<typeof sandboxPanel>[1] = {}) {
  const panel = await sandboxPanel(t, options)
  return { panel, client: clientOf(panel) }
}

function clientOf(panel: Sandbox, apiKey = panel.applicationKey): PanelClient {
  const { url, outbound } = panel
  return panelClientFor({ type: 'pterodactyl', url, apiKey, outbound })
}

const ann = {
  externalId: 'cust-ann',
  email: 'ann@example.com',
  username: 'ann_k3f9x2',
  firstName: 'Ann',
  lastName: '',
}

async function paperDraft(client: PanelClient, externalId = 'svc-1'): Promise<ServerDraft> {
  const user = (await client.findUserByExternalId('cust-ann')) ?? (await client.createUser(ann))
  const egg = (await client.listEggs()).find(({ name }) => name === 'Paper')
  const [image, startup] = [egg?.dockerImages[0], egg?.startupCommands[0]]
  if (!egg?.remoteId || !image || !startup) throw new Error('The sandbox has no egg named Paper')
  return {
    externalId,
    name: 'World',
    description: 'Plan S',
    userId: user.id,
    eggId: egg.remoteId,
    image: image.image,
    startup: startup.command,
    environment: Object.fromEntries(egg.variables.map((it) => [it.env, it.default])),
    limits: { memoryMb: 4096, swapMb: 0, diskMb: 10_240, cpuPercent: 200, io: 500, threads: null },
    featureLimits: { databases: 1, backups: 2, allocations: 2 },
    oomKiller: false,
    placement: { locationIds: ['1'], dedicatedIp: false, portRange: [] },
    skipScripts: false,
    startOnCompletion: false,
  }
}

async function newServer(client: PanelClient): Promise<PanelServer> {
  return client.createServer(await paperDraft(client))
}

test('a connection is detected and tested, and shows its locations', async (t) => {
  const { panel, client } = await start(t)
  const { url, applicationKey: apiKey, outbound } = panel
  assert.equal(await detectPanelType({ url, apiKey, outbound }), 'pterodactyl')
  const { latencyMs, ...result } = await client.test()
  assert.ok(latencyMs >= 0)
  assert.deepEqual(result, {
    type: 'pterodactyl',
    ok: true,
    locations: [
      { id: '1', name: 'Frankfurt, Germany' },
      { id: '2', name: 'Amsterdam, Netherlands' },
    ],
    missingPermissions: [],
    rateLimit: 240,
  })
})

test('a test makes nothing on the panel', async (t) => {
  const { client } = await start(t)
  await client.test()
  assert.deepEqual(await client.listServers(), [])
})

test('a key without some permissions is told which', async (t) => {
  const { panel } = await start(t)
  const permissions = { users: 1, servers: 3, nodes: 1, allocations: 0, nests: 1, eggs: 0 }
  const { token } = (await panel.post('keys', { permissions })) as { token: string }
  const { ok, missingPermissions, message } = await clientOf(panel, token).test()
  assert.equal(ok, false)
  assert.deepEqual(missingPermissions, [
    'users:write',
    'eggs:read',
    'allocations:read',
    'locations:read',
  ])
  assert.match(message ?? '', /users:write/)
})

test('eggs a key may not read are a refusal, not an empty list', async (t) => {
  const { panel } = await start(t)
  const { token } = (await panel.post('keys', { permissions: { nests: 1 } })) as { token: string }
  await assert.rejects(clientOf(panel, token).listEggs(), { kind: 'forbidden' })
})

test('an unknown key fails the test, and a good test opens the connection again', async (t) => {
  const { panel, client } = await start(t)
  const stranger = await clientOf(panel, 'ptla_unknown').test()
  assert.deepEqual([stranger.ok, stranger.message], [false, 'The panel does not know this key.'])
  await panel.fault('GET /api/application/nodes', '401')
  await assert.rejects(client.listNodes(), { kind: 'unauthorized' })
  await assert.rejects(clientOf(panel).listLocations(), { kind: 'unauthorized' })
  assert.equal((await client.test()).ok, true)
  assert.ok((await clientOf(panel).listLocations()).length > 0)
})

for (const [kind, message] of [
  ['html-502', /not the panel/],
  ['truncated-json', /not the panel/],
  ['429', undefined],
] as const) {
  test(`a test that meets ${kind} ${message ? 'says what is wrong' : 'waits and goes well'}`, async (t) => {
    const { panel, client } = await start(t)
    await panel.fault('GET /api/application/users', kind, { retryAfter: 0 })
    const result = await client.test()
    assert.equal(result.ok, !message)
    if (message) assert.match(result.message ?? '', message)
  })
}

test('an egg of the panel is the egg of the file it was made from', async (t) => {
  const { client } = await start(t)
  const eggs = await client.listEggs()
  const name = 'minecraft-paper.ptdl-v2.json'
  const file = new URL(import.meta.resolve(`#sandbox/panel/data/eggs/${name}`))
  const wanted = readEggFile(await readFile(file, 'utf8'))
  const egg = eggs.find((it) => it.name === wanted.name)
  assert.deepEqual(
    [egg?.dockerImages, egg?.startupCommands, egg?.stop, egg?.doneMarkers, egg?.variables],
    [
      wanted.dockerImages,
      wanted.startupCommands,
      wanted.stop,
      wanted.doneMarkers,
      wanted.variables,
    ],
  )
  assert.equal(eggs.length, 13)
})

test('reading eggs twice gives the same hashes', async (t) => {
  const { client } = await start(t)
  assert.deepEqual(await client.listEggs(), await client.listEggs())
})

test('a page of eggs that fails fails them all', async (t) => {
  const { panel, client } = await start(t)
  await panel.fault('GET /api/application/nests', 'truncated-json')
  await assert.rejects(client.listEggs(), { kind: 'unavailable' })
})

test('values we refuse are refused by the panel, and named alike', async (t) => {
  const { client } = await start(t)
  const draft = await paperDraft(client)
  const egg = (await client.listEggs()).find(({ remoteId }) => remoteId === draft.eggId)
  const environment = { ...draft.environment, SERVER_JARFILE: 'server.exe', BUILD_NUMBER: '' }
  const ours = validateEnvironment(egg?.variables ?? [], environment).map(({ path }) => path)
  assert.deepEqual(ours.sort(), ['environment.BUILD_NUMBER', 'environment.SERVER_JARFILE'])
  await assert.rejects(client.createServer({ ...draft, environment }), (error) => {
    const { kind, fields } = error as { kind: string; fields: { path: string }[] }
    assert.equal(kind, 'invalid')
    assert.deepEqual(fields.map(({ path }) => path).sort(), ours)
    return true
  })
})

test('a server is created, found again and has an address', async (t) => {
  const { client } = await start(t)
  const server = await newServer(client)
  assert.equal(server.status, 'installing')
  assert.equal(server.allocations[0]?.id, server.allocationId)
  assert.equal(server.environment.P_SERVER_UUID, undefined)
  const found = await client.findServerByExternalId('svc-1')
  assert.equal(found?.id, server.id)
  assert.equal(await client.findServerByExternalId('svc-2'), undefined)
})

test('a second server with one external id is refused as existing', async (t) => {
  const { client } = await start(t)
  await newServer(client)
  await assert.rejects(newServer(client), { kind: 'already_exists' })
})

test('an allocation that is taken is named, a full panel and full machines are told apart', async (t) => {
  const { panel, client } = await start(t, { nodes: 1, locations: 1, portsPerNode: 2 })
  const draft = await paperDraft(client)
  const { allocationId } = await client.createServer(draft)
  const taken = { allocationId: allocationId ?? 0, additionalIds: [] }
  const again = { ...draft, externalId: 'svc-2', placement: taken }
  await assert.rejects(client.createServer(again), (error) => {
    const { kind, refuses } = error as { kind: string; refuses: (path: string) => boolean }
    return kind === 'invalid' && refuses.call(error, 'allocation.default')
  })
  await panel.post('allocations', { nodeId: 1, free: 0 })
  const third = { ...draft, externalId: 'svc-3' }
  await assert.rejects(client.createServer(third), { kind: 'no_allocation' })
  const huge = { ...third, limits: { ...draft.limits, memoryMb: 1_000_000 } }
  await assert.rejects(client.createServer(huge), { kind: 'no_capacity' })
  assert.equal(await client.countFreeAllocations(1), 0)
})

test('machines that fit are listed, and none is an empty list', async (t) => {
  const { client } = await start(t)
  const need = { memoryMb: 1024, diskMb: 1024, locationIds: ['1'] }
  const nodes = await client.listDeployableNodes(need)
  assert.deepEqual(
    nodes.map(({ locationIds }) => locationIds),
    [['1'], ['1']],
  )
  assert.deepEqual(await client.listDeployableNodes({ ...need, memoryMb: 1_000_000 }), [])
  await assert.rejects(client.listDeployableNodes({ ...need, locationIds: ['fra'] }), {
    kind: 'invalid',
  })
})

for (const kind of ['commit-then-500', 'commit-then-hangup', 'empty-body', 'truncated-json']) {
  test(`a create that meets ${kind} is unknown, and the server is there`, async (t) => {
    const { panel, client } = await start(t)
    const draft = await paperDraft(client)
    await panel.fault(servers, kind)
    await assert.rejects(client.createServer(draft), { kind: 'unknown_outcome' })
    assert.ok(await client.findServerByExternalId('svc-1'))
  })
}

test('changed details keep the rest, the external id included', async (t) => {
  const { client } = await start(t)
  const { id } = await newServer(client)
  const changed = await client.updateDetails(id, { externalId: 'svc-1', name: 'New' })
  assert.deepEqual([changed.name, changed.description], ['New', 'Plan S'])
  assert.equal((await client.findServerByExternalId('svc-1'))?.name, 'New')
})

test('a changed build keeps the rest, and gains an allocation', async (t) => {
  const { client } = await start(t)
  const server = await newServer(client)
  const free = await client.listAllocations(server.nodeId, { free: true })
  const addAllocationIds = free.slice(0, 1).map(({ id }) => id)
  const change = { limits: { memoryMb: 8192 }, featureLimits: { backups: 5 }, addAllocationIds }
  const changed = await client.updateBuild(server.id, change)
  assert.deepEqual(changed.limits, { ...server.limits, memoryMb: 8192 })
  assert.deepEqual(changed.featureLimits, { ...server.featureLimits, backups: 5 })
  assert.equal(changed.oomKiller, false)
  assert.equal(changed.allocations.length, 2)
})

test('an allocation the panel passes over in silence is an error', async (t) => {
  const { client } = await start(t)
  const server = await newServer(client)
  const other = await client.createServer(await paperDraft(client, 'svc-2'))
  const addAllocationIds = [other.allocationId ?? 0]
  await assert.rejects(client.updateBuild(server.id, { addAllocationIds }), {
    kind: 'no_allocation',
  })
})

test('one changed variable leaves the others as they were', async (t) => {
  const { client } = await start(t)
  const server = await newServer(client)
  const environment = { MINECRAFT_VERSION: '1.21.4' }
  const changed = await client.updateStartup(server.id, { environment })
  assert.deepEqual(changed.environment, { ...server.environment, ...environment })
  assert.equal(changed.startup, server.startup)
})

test('suspending twice is fine, unsuspending brings the server back', async (t) => {
  const { client } = await start(t)
  const { id } = await newServer(client)
  await client.suspend(id)
  await client.suspend(id)
  assert.equal((await client.getServer(id)).status, 'suspended')
  await client.unsuspend(id)
  assert.equal((await client.getServer(id)).status, 'installed')
})

test('a transfer is a conflict, a machine that is down leaves the outcome open', async (t) => {
  const { panel, client } = await start(t)
  const { id, nodeId } = await newServer(client)
  await panel.post('transfers', { serverId: id, running: true })
  await assert.rejects(client.suspend(id), { kind: 'conflict' })
  await panel.post('transfers', { serverId: id, running: false })
  await panel.post('wings', { nodeId, down: true })
  await assert.rejects(client.suspend(id), { kind: 'unknown_outcome' })
})

test('deleting a server that is gone is success, and so is the force of it', async (t) => {
  const { panel, client } = await start(t)
  const { id, nodeId } = await newServer(client)
  await panel.post('wings', { nodeId, down: true })
  await assert.rejects(client.deleteServer(id), { kind: 'unknown_outcome' })
  assert.ok(await client.findServerByExternalId('svc-1'))
  await client.deleteServer(id, { force: true })
  await client.deleteServer(id)
  assert.equal(await client.findServerByExternalId('svc-1'), undefined)
  await assert.rejects(client.getServer(id), { kind: 'not_found' })
})

test('a lookup that fails is never taken for absence', async (t) => {
  for (const kind of ['html-502', '504-before', 'truncated-json']) {
    const { panel, client } = await start(t)
    await panel.fault('GET /api/application/servers/external/{id}', kind)
    await assert.rejects(client.findServerByExternalId('svc-1'), { kind: 'unavailable' })
  }
})
