import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Instant, instant } from '#lib/time.ts'
import { impatient, sandboxPanel } from '#test/sandbox-panel.ts'
import type { PanelClient, PanelServer, ServerDraft } from '../clients/contract.ts'
import { outcomeOf } from '../clients/panel-error.ts'
import { panelClientFor } from '../clients/registry.ts'
import { type Customer, ensurePanelUser } from './panel-user.ts'
import { afterCreate, afterLook, beforeCreate, newProvisioning, type Step } from './rules.ts'

const create = 'POST /api/application/servers'
const start = instant('2030-01-01T00:00:00.000Z')
const middle = () => 0.5

const ann: Customer = {
  externalId: 'cust-ann',
  email: 'ann@example.com',
  emailVerified: true,
  firstName: 'Ann',
  lastName: '',
}

type Options = Parameters<typeof sandboxPanel>[1]

async function panelFor(t: TestContext, options: Options = {}) {
  const panel = await sandboxPanel(t, options)
  const { flavour: type = 'pterodactyl' } = options
  const clientWith = (outbound: typeof panel.outbound) =>
    panelClientFor({ type, url: panel.url, apiKey: panel.applicationKey, outbound })
  return { panel, client: clientWith(panel.outbound), clientWith }
}

async function draftFor(client: PanelClient): Promise<ServerDraft> {
  const result = await ensurePanelUser(client, ann, Math.random)
  const egg = (await client.listEggs()).find(({ name }) => name === 'Paper')
  assert.ok(result.outcome === 'ready' && egg)
  return {
    externalId: 'svc-1',
    name: 'World',
    description: '',
    userId: result.user.id,
    eggId: egg.remoteId ?? 0,
    image: egg.dockerImages[0]?.image ?? '',
    startup: egg.startupCommands[0]?.command ?? '',
    environment: Object.fromEntries(egg.variables.map((it) => [it.env, it.default])),
    limits: { memoryMb: 1024, swapMb: 0, diskMb: 1024, cpuPercent: 100, io: 500, threads: null },
    featureLimits: { databases: 0, backups: 0, allocations: 1 },
    oomKiller: false,
    placement: { locationIds: [], dedicatedIp: false, portRange: [] },
    skipScripts: false,
    startOnCompletion: false,
  }
}

type Way = { steps: string[]; end: Step; now: Instant }

/** Walks from look to create as a job would, each wait done in no time, until it cannot go on. */
async function provision(client: PanelClient, draft: ServerDraft): Promise<Way> {
  const { eggId, userId } = draft
  const expected = { eggId, userId }
  const steps: string[] = []
  let state = newProvisioning(start)
  let now = start
  for (;;) {
    const outcome = await outcomeOf(client.findServerByExternalId(draft.externalId))
    let next = afterLook(state, { outcome, expected }, now, middle)
    steps.push(next.step.step)
    if (next.step.step === 'create') {
      state = beforeCreate(next.state, now)
      const created = await outcomeOf(client.createServer(draft))
      next = afterCreate(state, created, now, middle)
      steps.push(next.step.step)
    }
    state = next.state
    const { step } = next
    const slow = step.step === 'retry' && step.alert
    if (!('at' in step) || slow) return { steps, end: step, now }
    now = step.at
  }
}

function adopted({ end }: Way): PanelServer {
  assert.ok(end.step === 'adopt', `ended with ${end.step}`)
  return end.server
}

for (const flavour of ['pterodactyl', 'pelican'] as const) {
  for (const [kind, steps] of [
    ['commit-then-hangup', ['create', 'look', 'adopt']],
    ['commit-then-500', ['create', 'look', 'adopt']],
    ['truncated-json', ['create', 'look', 'adopt']],
    ['html-502', ['create', 'look', 'create', 'adopt']],
    ['504-before', ['create', 'look', 'create', 'adopt']],
    ['429', ['create', 'adopt']],
  ] as const) {
    test(`${flavour}: a create that meets ${kind} ends with one server`, async (t) => {
      const { panel, client } = await panelFor(t, { flavour })
      const draft = await draftFor(client)
      await panel.fault(create, kind, { retryAfter: 0 })
      const way = await provision(client, draft)
      assert.equal(adopted(way).externalId, 'svc-1')
      assert.equal((await client.listServers()).length, 1)
      const changes = way.steps.filter((step, index) => step !== way.steps[index - 1])
      assert.deepEqual(changes, steps)
    })
  }
}

test('a create that is never answered is found by its external id', async (t) => {
  const { panel, client, clientWith } = await panelFor(t)
  const draft = await draftFor(client)
  await panel.fault(create, 'commit-then-hang')
  const way = await provision(clientWith(impatient(panel.outbound, 300)), draft)
  assert.equal(adopted(way).externalId, 'svc-1')
  assert.equal(await panel.calls('POST', /\/servers$/), 1)
})

test('looks that fail in between never lead to a create', async (t) => {
  const { panel, client } = await panelFor(t)
  const draft = await draftFor(client)
  await panel.fault(create, 'commit-then-500')
  await panel.fault('GET /api/application/servers/external/{id}', 'latency', { ms: 0 })
  await panel.fault('GET /api/application/servers/external/{id}', 'html-502', { n: 2 })
  const way = await provision(client, draft)
  assert.equal(adopted(way).externalId, 'svc-1')
  assert.equal(await panel.calls('POST', /\/servers$/), 1)
})

test('two workers at once end with one server, which both adopt', async (t) => {
  const { client } = await panelFor(t)
  const draft = await draftFor(client)
  const ways = await Promise.all([provision(client, draft), provision(client, draft)])
  assert.equal(new Set(ways.map((way) => adopted(way).id)).size, 1)
  assert.equal((await client.listServers()).length, 1)
})

test('without a free port it is tried again slowly, with an alert', async (t) => {
  const { panel, client } = await panelFor(t, { nodes: 1, locations: 1 })
  await panel.post('allocations', { nodeId: 1, free: 0 })
  const { end } = await provision(client, await draftFor(client))
  assert.ok(end.step === 'retry')
  assert.deepEqual([end.failure.code, end.alert], ['NoViableAllocationException', true])
})

test('a server of another customer under our external id is not adopted', async (t) => {
  const { client } = await panelFor(t)
  const draft = await draftFor(client)
  const other = { ...ann, externalId: 'cust-bob', email: 'bob@example.com' }
  const bob = await ensurePanelUser(client, other, Math.random)
  assert.ok(bob.outcome === 'ready')
  await client.createServer({ ...draft, userId: bob.user.id })
  const { end } = await provision(client, draft)
  assert.ok(end.step === 'fail' && end.serverMayExist)
})

function randomFrom(...values: number[]): () => number {
  return () => values.shift() ?? Math.random()
}

test('a customer gets one account, however often it is asked for', async (t) => {
  const { client } = await panelFor(t)
  const first = await ensurePanelUser(client, ann, Math.random)
  const second = await ensurePanelUser(client, ann, Math.random)
  assert.ok(first.outcome === 'ready' && first.madeHere)
  assert.deepEqual(second, { ...first, madeHere: false })
  assert.deepEqual([first.user.externalId, first.user.rootAdmin], ['cust-ann', false])
})

test('an address that is part of another is not that other', async (t) => {
  const { client } = await panelFor(t)
  const joann = { ...ann, externalId: 'cust-joann', email: 'joann@example.com' }
  await ensurePanelUser(client, joann, Math.random)
  assert.equal(await client.findUserByEmail('ann@example.com'), undefined)
  const result = await ensurePanelUser(client, ann, Math.random)
  assert.ok(result.outcome === 'ready')
  assert.equal(result.user.email, 'ann@example.com')
  assert.equal((await client.findUserByEmail('ANN@example.com '))?.id, result.user.id)
})

/** An account as people make it on the panel themselves: without an external id. */
async function selfMade(panel: Awaited<ReturnType<typeof sandboxPanel>>, more: object = {}) {
  const response = await fetch(`${panel.url}/api/application/users`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${panel.applicationKey}`,
      accept: 'application/json',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      email: 'Ann@Example.com',
      username: 'own_name',
      first_name: 'Ann',
      last_name: 'Own',
      ...more,
    }),
  })
  assert.equal(response.status, 201)
}

test('an account with the same verified address is linked, and keeps its name', async (t) => {
  const { panel, client } = await panelFor(t)
  await selfMade(panel)
  const result = await ensurePanelUser(client, ann, Math.random)
  assert.ok(result.outcome === 'ready')
  const { externalId, username, lastName } = result.user
  assert.deepEqual([externalId, username, lastName], ['cust-ann', 'own_name', 'Own'])
})

test('an account with the same address is kept from who has not verified it', async (t) => {
  const { panel, client } = await panelFor(t)
  await selfMade(panel)
  const result = await ensurePanelUser(client, { ...ann, emailVerified: false }, Math.random)
  assert.deepEqual(result, {
    outcome: 'needs_staff',
    reason: 'email_not_verified',
    panelUserId: null,
  })
  assert.equal((await client.findUserByEmail(ann.email))?.externalId, null)
})

for (const [reason, more] of [
  ['foreign_external_id', { external_id: '12' }],
  ['root_admin', { root_admin: true }],
] as const) {
  test(`an account with ${reason} is left alone`, async (t) => {
    const { panel, client } = await panelFor(t)
    await selfMade(panel, more)
    const result = await ensurePanelUser(client, ann, Math.random)
    assert.ok(result.outcome === 'needs_staff')
    assert.equal(result.reason, reason)
    assert.notEqual((await client.findUserByEmail(ann.email))?.externalId, ann.externalId)
  })
}

test('an administrator with our external id is not handed to a customer', async (t) => {
  const { panel, client } = await panelFor(t)
  await selfMade(panel, { external_id: ann.externalId, root_admin: true })
  const result = await ensurePanelUser(client, ann, Math.random)
  assert.ok(result.outcome === 'needs_staff')
  assert.equal(result.reason, 'root_admin')
})

test('a username that is taken is tried with another end', async (t) => {
  const { panel, client } = await panelFor(t)
  await selfMade(panel, { email: 'x@example.com', username: 'ann_aaaaaa' })
  const result = await ensurePanelUser(client, ann, randomFrom(0, 0, 0, 0, 0, 0))
  assert.ok(result.outcome === 'ready')
  assert.notEqual(result.user.username, 'ann_aaaaaa')
})

for (const kind of ['commit-then-500', 'commit-then-hangup']) {
  test(`a user whose making meets ${kind} is found, not made twice`, async (t) => {
    const { panel, client } = await panelFor(t)
    await panel.fault('POST /api/application/users', kind)
    const result = await ensurePanelUser(client, ann, Math.random)
    assert.ok(result.outcome === 'ready')
    assert.equal(await panel.calls('POST', /\/users$/), 1)
  })
}

test('a user that could not be made is an error, and the next run makes it', async (t) => {
  const { panel, client } = await panelFor(t)
  await panel.fault('POST /api/application/users', 'html-502')
  await assert.rejects(ensurePanelUser(client, ann, Math.random), { kind: 'unknown_outcome' })
  assert.equal((await ensurePanelUser(client, ann, Math.random)).outcome, 'ready')
})
