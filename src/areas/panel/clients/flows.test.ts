import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { sandboxPanel } from '#test/sandbox-panel.ts'
import { readEggFile } from '../eggs/files.ts'
import { validateEnvironment } from '../eggs/rules.ts'
import type { PanelClient, PanelServer, ServerDraft } from './contract.ts'
import { detectPanelType, panelClientFor } from './registry.ts'

type Sandbox = Awaited<ReturnType<typeof sandboxPanel>>

const servers = 'POST /api/application/servers'

/** What one kind of panel says and the other does not. */
const KINDS = {
  pterodactyl: {
    location: '1',
    locations: [
      { id: '1', name: 'Frankfurt, Germany' },
      { id: '2', name: 'Amsterdam, Netherlands' },
    ],
    tested: { rateLimit: 240 },
    eggs: 13,
    eggList: 'GET /api/application/nests',
    missing: ['users:write', 'eggs:read', 'allocations:read', 'locations:read'],
    whileDown: 'unknown_outcome',
  },
  pelican: {
    location: 'fra',
    locations: [
      { id: 'ams', name: 'ams' },
      { id: 'fra', name: 'fra' },
    ],
    tested: {
      rateLimit: 256,
      message: 'This panel has no locations: the tags of its nodes stand for them.',
    },
    eggs: 20,
    eggList: 'GET /api/application/eggs',
    missing: ['users:write', 'eggs:read', 'roles:read', 'allocations:read'],
    // It is put back here, for this panel does not do so itself.
    whileDown: 'unavailable',
  },
} as const

for (const type of ['pterodactyl', 'pelican'] as const) flowsOn(type)

function flowsOn(type: keyof typeof KINDS): void {
  const kind = KINDS[type]
  const title = (text: string) => `${type}: ${text}`

  async function start(t: TestContext, options: Parameters<typeof sandboxPanel>[1] = {}) {
    const panel = await sandboxPanel(t, { flavour: type, ...options })
    return { panel, client: clientOf(panel) }
  }

  function clientOf(panel: Sandbox, apiKey = panel.applicationKey): PanelClient {
    const { url, outbound } = panel
    return panelClientFor({ type, url, apiKey, outbound })
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
      limits: {
        memoryMb: 4096,
        swapMb: 0,
        diskMb: 10_240,
        cpuPercent: 200,
        io: 500,
        threads: null,
      },
      featureLimits: { databases: 1, backups: 2, allocations: 2 },
      oomKiller: false,
      placement: { locationIds: [kind.location], dedicatedIp: false, portRange: [] },
      skipScripts: false,
      startOnCompletion: false,
    }
  }

  async function newServer(client: PanelClient): Promise<PanelServer> {
    return client.createServer(await paperDraft(client))
  }

  test(title('a connection is detected and tested, and shows its locations'), async (t) => {
    const { panel, client } = await start(t)
    const { url, applicationKey: apiKey, outbound } = panel
    assert.equal(await detectPanelType({ url, apiKey, outbound }), type)
    const { latencyMs, ...result } = await client.test()
    assert.ok(latencyMs >= 0)
    assert.deepEqual(result, {
      type,
      ok: true,
      locations: kind.locations,
      missingPermissions: [],
      ...kind.tested,
    })
  })

  test(title('a test makes nothing on the panel'), async (t) => {
    const { client } = await start(t)
    await client.test()
    assert.deepEqual(await client.listServers(), [])
  })

  test(title('a key without some permissions is told which'), async (t) => {
    const { panel } = await start(t)
    const permissions = { users: 1, servers: 3, nodes: 1, allocations: 0, nests: 1, eggs: 0 }
    const { token } = (await panel.post('keys', { permissions })) as { token: string }
    const { ok, missingPermissions, message } = await clientOf(panel, token).test()
    assert.equal(ok, false)
    assert.deepEqual(missingPermissions, kind.missing)
    assert.match(message ?? '', /users:write/)
  })

  test(title('eggs a key may not read are a refusal, not an empty list'), async (t) => {
    const { panel } = await start(t)
    const { token } = (await panel.post('keys', { permissions: { nests: 1 } })) as { token: string }
    await assert.rejects(clientOf(panel, token).listEggs(), { kind: 'forbidden' })
  })

  test(
    title('an unknown key fails the test, and a good test opens the connection again'),
    async (t) => {
      const { panel, client } = await start(t)
      const stranger = await clientOf(panel, 'ptla_unknown').test()
      assert.deepEqual(
        [stranger.ok, stranger.message],
        [false, 'The panel does not know this key.'],
      )
      await panel.fault('GET /api/application/nodes', '401')
      await assert.rejects(client.listNodes(), { kind: 'unauthorized' })
      await assert.rejects(clientOf(panel).listLocations(), { kind: 'unauthorized' })
      assert.equal((await client.test()).ok, true)
      assert.ok((await clientOf(panel).listLocations()).length > 0)
    },
  )

  for (const [fault, message] of [
    ['html-502', /not the panel/],
    ['truncated-json', /not the panel/],
    ['429', undefined],
  ] as const) {
    test(
      title(`a test that meets ${fault} ${message ? 'says what is wrong' : 'waits and goes well'}`),
      async (t) => {
        const { panel, client } = await start(t)
        await panel.fault('GET /api/application/users', fault, { retryAfter: 0 })
        const result = await client.test()
        assert.equal(result.ok, !message)
        if (message) assert.match(result.message ?? '', message)
      },
    )
  }

  test(title('an egg of the panel is the egg of the file it was made from'), async (t) => {
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
    assert.equal(eggs.length, kind.eggs)
  })

  test(title('reading eggs twice gives the same hashes'), async (t) => {
    const { client } = await start(t)
    assert.deepEqual(await client.listEggs(), await client.listEggs())
  })

  test(title('a page of eggs that fails fails them all'), async (t) => {
    const { panel, client } = await start(t)
    await panel.fault(kind.eggList, 'truncated-json')
    await assert.rejects(client.listEggs(), { kind: 'unavailable' })
  })

  test(title('values we refuse are refused by the panel, and named alike'), async (t) => {
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

  test(title('a server is created, found again and has an address'), async (t) => {
    const { client } = await start(t)
    const server = await newServer(client)
    assert.equal(server.status, 'installing')
    assert.equal(server.allocations[0]?.id, server.allocationId)
    assert.equal(server.environment.P_SERVER_UUID, undefined)
    const found = await client.findServerByExternalId('svc-1')
    assert.equal(found?.id, server.id)
    assert.equal(await client.findServerByExternalId('svc-2'), undefined)
  })

  test(title('a second server with one external id is refused as existing'), async (t) => {
    const { client } = await start(t)
    await newServer(client)
    await assert.rejects(newServer(client), { kind: 'already_exists' })
  })

  test(
    title('an allocation that is taken is named, a full panel and full machines are told apart'),
    async (t) => {
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
    },
  )

  test(title('machines that fit are listed, and none is an empty list'), async (t) => {
    const { client } = await start(t)
    const need = { memoryMb: 1024, diskMb: 1024, cpuPercent: 100, locationIds: [kind.location] }
    const nodes = await client.listDeployableNodes(need)
    assert.deepEqual(
      nodes.map(({ locationIds }) => locationIds),
      [[kind.location], [kind.location]],
    )
    assert.deepEqual(await client.listDeployableNodes({ ...need, memoryMb: 1_000_000 }), [])
    if (type === 'pelican') return
    await assert.rejects(client.listDeployableNodes({ ...need, locationIds: ['fra'] }), {
      kind: 'invalid',
    })
    const mixed = await client.listDeployableNodes({ ...need, locationIds: ['fra', '1'] })
    assert.equal(mixed.length, 2)
  })

  for (const fault of ['commit-then-500', 'commit-then-hangup', 'empty-body', 'truncated-json']) {
    test(title(`a create that meets ${fault} is unknown, and the server is there`), async (t) => {
      const { panel, client } = await start(t)
      const draft = await paperDraft(client)
      await panel.fault(servers, fault)
      await assert.rejects(client.createServer(draft), { kind: 'unknown_outcome' })
      assert.ok(await client.findServerByExternalId('svc-1'))
    })
  }

  test(title('changed details keep the rest, the external id included'), async (t) => {
    const { client } = await start(t)
    const { id } = await newServer(client)
    const changed = await client.updateDetails(id, { externalId: 'svc-1', name: 'New' })
    assert.deepEqual([changed.name, changed.description], ['New', 'Plan S'])
    assert.equal((await client.findServerByExternalId('svc-1'))?.name, 'New')
  })

  test(title('a changed build keeps the rest, and gains an allocation'), async (t) => {
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

  test(title('an allocation the panel passes over in silence is an error'), async (t) => {
    const { client } = await start(t)
    const server = await newServer(client)
    const other = await client.createServer(await paperDraft(client, 'svc-2'))
    const addAllocationIds = [other.allocationId ?? 0]
    await assert.rejects(client.updateBuild(server.id, { addAllocationIds }), {
      kind: 'no_allocation',
    })
  })

  test(title('one changed variable leaves the others as they were'), async (t) => {
    const { client } = await start(t)
    const server = await newServer(client)
    const environment = { MINECRAFT_VERSION: '1.21.4' }
    const changed = await client.updateStartup(server.id, { environment })
    assert.deepEqual(changed.environment, { ...server.environment, ...environment })
    assert.equal(changed.startup, server.startup)
  })

  test(title('suspending twice is fine, unsuspending brings the server back'), async (t) => {
    const { client } = await start(t)
    const { id } = await newServer(client)
    await client.suspend(id)
    await client.suspend(id)
    assert.equal((await client.getServer(id)).status, 'suspended')
    await client.unsuspend(id)
    assert.equal((await client.getServer(id)).status, 'installed')
  })

  test(
    title('a transfer is a conflict, a machine that is down leaves the outcome open'),
    async (t) => {
      const { panel, client } = await start(t)
      const { id, nodeId } = await newServer(client)
      await panel.post('transfers', { serverId: id, running: true })
      await assert.rejects(client.suspend(id), { kind: 'conflict' })
      await panel.post('transfers', { serverId: id, running: false })
      await panel.post('wings', { nodeId, down: true })
      await assert.rejects(client.suspend(id), { kind: kind.whileDown })
      await panel.post('wings', { nodeId, down: false })
      assert.notEqual((await client.getServer(id)).status, 'suspended')
    },
  )

  test(title('deleting a server that is gone is success, and so is the force of it'), async (t) => {
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

  test(title('a lookup that fails is never taken for absence'), async (t) => {
    for (const fault of ['html-502', '504-before', 'truncated-json']) {
      const { panel, client } = await start(t)
      await panel.fault('GET /api/application/servers/external/{id}', fault)
      await assert.rejects(client.findServerByExternalId('svc-1'), { kind: 'unavailable' })
    }
  })
}

async function pelican(t: TestContext) {
  const panel = await sandboxPanel(t, { flavour: 'pelican' })
  const { url, applicationKey: apiKey, clientKey: clientApiKey, outbound } = panel
  return { panel, client: panelClientFor({ type: 'pelican', url, apiKey, clientApiKey, outbound }) }
}

test('pelican: a server always has an address, though nobody named a port', async (t) => {
  const { client } = await pelican(t)
  const { allocationId, allocations } = await client.createServer(await draftOn(client))
  assert.deepEqual(
    allocations.map(({ id }) => id),
    [allocationId],
  )
})

test('pelican: a server its machine has refused is not left on the panel', async (t) => {
  const { panel, client } = await pelican(t)
  const draft = await draftOn(client)
  for (const nodeId of [1, 2, 3]) await panel.post('wings', { nodeId, down: true, refuses: true })
  await assert.rejects(client.createServer(draft), { kind: 'unavailable' })
  assert.deepEqual(await client.listServers(), [])
  for (const nodeId of [1, 2, 3]) await panel.post('wings', { nodeId, down: false })
  assert.equal((await client.createServer(draft)).externalId, draft.externalId)
})

test('pelican: a suspension its machine has not heard of is not believed', async (t) => {
  const { panel, client } = await pelican(t)
  const { id, nodeId } = await client.createServer(await draftOn(client))
  await panel.post('clock', { advanceSeconds: 61 })
  for (const refuses of [false, true]) {
    await panel.post('wings', { nodeId, down: true, refuses })
    await assert.rejects(client.suspend(id), { kind: 'unavailable' })
    assert.equal((await client.getServer(id)).status, 'installed')
    await panel.post('wings', { nodeId, down: false })
    await client.suspend(id)
    await panel.post('wings', { nodeId, down: true, refuses })
    await assert.rejects(client.unsuspend(id), { kind: 'unavailable' })
    assert.equal((await client.getServer(id)).status, 'suspended')
    await panel.post('wings', { nodeId, down: false })
    await client.unsuspend(id)
  }
})

test('pelican: machines that fail again and again do not stop calls to the panel', async (t) => {
  const { panel, client } = await pelican(t)
  const { id, uuid, nodeId } = await client.createServer(await draftOn(client))
  await panel.post('clock', { advanceSeconds: 61 })
  await panel.post('wings', { nodeId, down: true })
  for (let time = 0; time < 6; time += 1) {
    await assert.rejects(client.reinstall(id), { kind: 'unknown_outcome' })
  }
  assert.equal((await client.getServer(id)).id, id)
  assert.equal((await client.resources(uuid)).state, 'missing')
})

test('pelican: whoever has a role administers, and is no customer', async (t) => {
  const { panel, client } = await pelican(t)
  const own = { externalId: 'cust-1', email: 'Staff@Example.com', username: 'staff' }
  const { id } = await client.createUser({ ...own, firstName: 'A', lastName: 'B' })
  const before = await client.findUserByEmail(own.email)
  assert.deepEqual([before?.id, before?.email, before?.rootAdmin], [id, 'staff@example.com', false])
  await panel.post('roles', { userId: id, roles: ['Support'] })
  assert.equal((await client.findUserByExternalId('cust-1'))?.rootAdmin, true)
})

test('pelican: machines count their cores, and one without a size has no limit', async (t) => {
  const { panel, client } = await pelican(t)
  await panel.post('nodes', { nodeId: 1, memory: 0, cpu: 400, tags: ['fra', 'ssd'] })
  const [first] = await client.listNodes()
  assert.deepEqual(
    [first?.locationIds, first?.memoryMb, first?.cpuPercent],
    [['fra', 'ssd'], Number.POSITIVE_INFINITY, 400],
  )
  const need = { memoryMb: 1024, diskMb: 1024, cpuPercent: 500, locationIds: ['ssd'] }
  assert.deepEqual(await client.listDeployableNodes(need), [])
  assert.equal((await client.listDeployableNodes({ ...need, cpuPercent: 400 })).length, 1)
})

async function draftOn(client: PanelClient): Promise<ServerDraft> {
  const ann = { externalId: 'cust-ann', email: 'ann@example.com', username: 'ann_x1' }
  const user = await client.createUser({ ...ann, firstName: 'Ann', lastName: '' })
  const egg = (await client.listEggs()).find(({ name }) => name === 'Paper')
  return {
    ...{ externalId: 'svc-1', name: 'World', description: '', userId: user.id },
    ...{ eggId: egg?.remoteId ?? 0, image: 'java', startup: 'run' },
    environment: Object.fromEntries((egg?.variables ?? []).map((it) => [it.env, it.default])),
    limits: { memoryMb: 1024, swapMb: 0, diskMb: 1024, cpuPercent: 100, io: 500, threads: null },
    featureLimits: { databases: 0, backups: 0, allocations: 1 },
    oomKiller: true,
    placement: { locationIds: [], dedicatedIp: false, portRange: [] },
    ...{ skipScripts: false, startOnCompletion: true },
  }
}
