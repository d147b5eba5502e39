import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locate } from './http/input.ts'
import {
  assertError,
  failures,
  LIMITS,
  PAPER,
  PAPER_ENVIRONMENT,
  rows,
  serverBody,
  testPanel,
} from './testing.ts'

test('a server is created with 201, installing, without an address of its own', async (t) => {
  const panel = await testPanel(t)
  const made = await panel.newServer({ external_id: 'svc-1', user: 1 })
  assert.equal(made.status, 201)
  assert.equal(made.body.meta, undefined)
  const { fields } = made
  const uuid = fields.text('attributes.uuid')
  assert.partialDeepStrictEqual(made.body, {
    object: 'server',
    attributes: {
      id: 1,
      external_id: 'svc-1',
      identifier: uuid.slice(0, 8),
      description: '',
      status: 'installing',
      suspended: false,
      limits: { ...LIMITS, oom_disabled: true },
      feature_limits: { databases: 1, allocations: 1, backups: 2 },
      user: 1,
      nest: 1,
      egg: PAPER,
      container: {
        installed: 0,
        image: 'ghcr.io/pterodactyl/yolks:java_21',
        environment: {
          ...PAPER_ENVIRONMENT,
          STARTUP: 'java -jar {{SERVER_JARFILE}}',
          P_SERVER_UUID: uuid,
          P_SERVER_ALLOCATION_LIMIT: 1,
        },
      },
    },
  })
  const [allocation] = rows(fields.record('attributes.relationships.allocations'))
  const primary = { id: fields.number('attributes.allocation'), assigned: true }
  assert.partialDeepStrictEqual(allocation, primary)
  const read = await panel.app('GET', '/servers/external/SVC-1?include=allocations')
  assert.deepEqual([read.status, read.body], [200, made.body])
})

const REFUSED: [string, Record<string, unknown>, string[]][] = [
  ['of nobody', { user: 99 }, ['user/exists']],
  ['of an unknown egg', { egg: 99 }, ['egg/exists']],
  ['without an environment', { environment: undefined }, ['environment/present']],
  ['with an image with a quote', { docker_image: "a'b" }, ['docker_image/regex']],
  [
    'without limits',
    { limits: {} },
    [
      'limits/required',
      'limits.memory/required',
      'limits.swap/required',
      'limits.disk/required',
      'limits.io/required',
      'limits.cpu/required',
    ],
  ],
  ['with too little weight', { limits: { ...LIMITS, io: 5 } }, ['limits.io/between']],
  ['with odd threads', { limits: { ...LIMITS, threads: 'all' } }, ['limits.threads/regex']],
  [
    'without a limit of backups',
    { feature_limits: { databases: null } },
    ['feature_limits.backups/present'],
  ],
  [
    'with an empty deployment',
    { deploy: {} },
    ['deploy/required', 'deploy.locations/present', 'deploy.port_range/present'],
  ],
  [
    'with ports as numbers',
    { deploy: { locations: [1], dedicated_ip: false, port_range: [25_565] } },
    ['deploy.port_range.0/string'],
  ],
  ['without any place', { deploy: undefined }, ['allocation.default/required']],
  ['on no allocation', { allocation: { default: 999 } }, ['allocation.default/exists']],
]

for (const [what, changes, expected] of REFUSED) {
  test(`a server ${what} is refused`, async (t) => {
    const panel = await testPanel(t)
    const answer = await panel.app('POST', '/servers', serverBody(changes))
    assert.deepEqual(failures(answer), expected)
  })
}

test('an allocation or an external id in use is refused, the id in any case', async (t) => {
  const panel = await testPanel(t)
  await panel.newServer({ external_id: 'svc-1', allocation: { default: 1, additional: [2] } })
  const again = { external_id: 'SVC-1', allocation: { default: 1, additional: [3, 2] } }
  assert.deepEqual(failures(await panel.newServer(again)), [
    'external_id/unique',
    'allocation.default/exists',
    'allocation.additional.1/exists',
  ])
})

test('variables are checked by the egg; unknown ones go, missing are empty', async (t) => {
  const panel = await testPanel(t)
  const environment = { SERVER_JARFILE: 'server.exe', BUILD_NUMBER: '' }
  const refused = await panel.newServer({ environment })
  assert.deepEqual(failures(refused), [
    'environment.SERVER_JARFILE/regex',
    'environment.BUILD_NUMBER/required',
  ])
  const detail = refused.fields.text('errors.1.detail')
  assert.equal(detail, 'The Build Number variable field is required.')
  const few = { SERVER_JARFILE: 'a.jar', BUILD_NUMBER: '1', NONSENSE: 'x' }
  const made = await panel.newServer({ environment: few })
  const kept = made.fields.record('attributes.container.environment')
  assert.partialDeepStrictEqual(kept, { SERVER_JARFILE: 'a.jar', MINECRAFT_VERSION: '' })
  assert.ok(!('NONSENSE' in kept))
})

test('a deployment keeps to its terms, or says what is lacking', async (t) => {
  const options = { nodes: 2, portsPerNode: 4, randomSeed: 7 }
  const panel = await testPanel(t, options)
  const deploy = (locations: number[], port_range: string[], dedicated_ip = false) =>
    panel.newServer({ deploy: { locations, dedicated_ip, port_range } })
  const placed = await deploy([2], ['25566-25567', 'nonsense'])
  assert.equal(placed.fields.number('attributes.node'), 2)
  const [allocation] = rows(placed.fields.record('attributes.relationships.allocations'))
  assert.ok([25_566, 25_567].includes(Number(allocation?.port)))

  const twin = await testPanel(t, options)
  const same = await twin.newServer({
    deploy: { locations: [2], dedicated_ip: false, port_range: ['25566-25567', 'nonsense'] },
  })
  const chosen = placed.fields.number('attributes.allocation')
  assert.equal(same.fields.number('attributes.allocation'), chosen)

  assertError(await deploy([2], ['26000']), 400, 'NoViableAllocationException', /^No allocations/)
  assertError(await deploy([2], [], true), 400, 'NoViableAllocationException')
  assertError(await deploy([9], []), 400, 'NoViableNodeException')
  assertError(await deploy([], ['20000-40000']), 400, 'DisplayException')
})

test('no free allocation left is another refusal than no room', async (t) => {
  const panel = await testPanel(t, { nodes: 1 })
  await panel.control('POST', '/allocations', { nodeId: 1, free: 0 })
  assertError(await panel.newServer(), 400, 'NoViableAllocationException')
  await panel.control('POST', '/allocations', { nodeId: 1, free: 1 })
  assert.equal((await panel.newServer()).status, 201)
  assertError(await panel.newServer(), 400, 'NoViableAllocationException')
})

test('of servers made at once on one allocation exactly one is made', async (t) => {
  const panel = await testPanel(t)
  const body = serverBody({ allocation: { default: 1 } })
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => panel.app('POST', '/servers', body)),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  const { fields } = await panel.app('GET', '/servers')
  assert.equal(fields.number('meta.pagination.total'), 1)
})

test('of servers made at once with one external id exactly one is made', async (t) => {
  const panel = await testPanel(t)
  const body = serverBody({ external_id: 'svc-1' })
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => panel.app('POST', '/servers', body)),
  )
  const statuses = answers.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 201).length, 1)
  assert.ok(
    statuses.every((status) => [201, 422, 500].includes(status)),
    statuses.join(),
  )
  assert.equal((await panel.app('GET', '/servers')).fields.number('meta.pagination.total'), 1)
})

test('details wipe the external id and the description when they are left out', async (t) => {
  const panel = await testPanel(t)
  await panel.newServer({ external_id: 'svc-1', description: 'Plan S', user: 1 })
  const changed = await panel.app('PATCH', '/servers/1/details', { name: 'B', user: 1 })
  assert.equal(changed.status, 200)
  const attributes = { name: 'B', external_id: null, description: '' }
  assert.partialDeepStrictEqual(changed.body, { attributes })
  const partial = await panel.app('PATCH', '/servers/1/details', { description: 'x' })
  assert.deepEqual(failures(partial), ['name/required', 'user/required'])
})

const BUILD = { allocation: 1, limits: LIMITS, feature_limits: { databases: null, backups: null } }

test('a build changes limits whatever the room, in both its forms', async (t) => {
  const panel = await testPanel(t, { memory: 2000 })
  await panel.newServer({ allocation: { default: 1 } })
  const build = (body: object) => panel.app('PATCH', '/servers/1/build', body)
  const nested = await build({ ...BUILD, limits: { ...LIMITS, memory: 9000 } })
  assert.partialDeepStrictEqual(nested.body, {
    attributes: {
      limits: { memory: 9000 },
      feature_limits: { databases: null, allocations: null, backups: 0 },
    },
  })
  const flat = { ...BUILD, limits: undefined, ...LIMITS, memory: 512 }
  assert.partialDeepStrictEqual((await build(flat)).body, {
    attributes: { limits: { memory: 512 } },
  })
  assert.deepEqual(failures(await build({ ...BUILD, limits: undefined })), [
    'memory/required_without',
    'swap/required_without',
    'io/required_without',
    'cpu/required_without',
    'disk/required_without',
  ])
  const { cpu: _cpu, ...fewer } = LIMITS
  assert.deepEqual(failures(await build({ ...BUILD, limits: fewer })), ['limits.cpu/required_with'])
})

test('a build moves allocations, all or nothing, and skips used ones', async (t) => {
  const panel = await testPanel(t, { nodes: 2, portsPerNode: 5 })
  await panel.newServer({ allocation: { default: 1 } })
  await panel.newServer({ allocation: { default: 2 } })
  const build = (body: object) =>
    panel.app('PATCH', '/servers/1/build?include=allocations', { ...BUILD, ...body })
  const own = (body: Record<string, unknown>) =>
    rows(locate(body, 'attributes.relationships.allocations').value).map(({ id }) => id)

  assert.deepEqual(own((await build({ add_allocations: [2, 3, 6, 99] })).body), [1, 3])
  const detail = /^The requested default allocation is not currently assigned/
  assertError(await build({ allocation: 4 }), 400, 'DisplayException', detail)
  assert.deepEqual(failures(await build({ allocation: 2 })), ['allocation/unique'])
  const noFallback = /no fallback allocation to use/
  assertError(await build({ remove_allocations: [1] }), 400, 'DisplayException', noFallback)
  const moved = await build({ add_allocations: [4], remove_allocations: [1] })
  assert.equal(moved.fields.number('attributes.allocation'), 4)
  assert.deepEqual(own(moved.body), [3, 4])
  const switched = await build({ allocation: 5, add_allocations: [5], remove_allocations: [4] })
  assert.equal(switched.fields.number('attributes.allocation'), 5)
})

test('a startup empties every variable left out, and ignores the keys of the panel', async (t) => {
  const panel = await testPanel(t)
  await panel.newServer()
  const startup = (environment: object) =>
    panel.app('PATCH', '/servers/1/startup', {
      startup: 'run',
      environment,
      egg: PAPER,
      image: 'ghcr.io/pterodactyl/yolks:java_17',
      skip_scripts: false,
    })
  const changed = await startup({ SERVER_JARFILE: 'b.jar', BUILD_NUMBER: '7', STARTUP: 'x' })
  assert.partialDeepStrictEqual(changed.body, {
    attributes: {
      container: {
        startup_command: 'run',
        image: 'ghcr.io/pterodactyl/yolks:java_17',
        environment: { SERVER_JARFILE: 'b.jar', MINECRAFT_VERSION: '', STARTUP: 'run' },
      },
    },
  })
  assert.deepEqual(failures(await startup({ SERVER_JARFILE: 'b.jar' })), [
    'environment.BUILD_NUMBER/required',
  ])
  const untouched = await startup({})
  const jar = { SERVER_JARFILE: 'b.jar' }
  assert.partialDeepStrictEqual(untouched.body, { attributes: { container: { environment: jar } } })
  assert.deepEqual(failures(await panel.app('PATCH', '/servers/1/startup', {})), [
    'startup/required',
    'environment/present',
    'egg/required',
    'image/required',
    'skip_scripts/present',
  ])
})

test('variables included in a server carry its own value', async (t) => {
  const panel = await testPanel(t)
  await panel.newServer()
  const { fields } = await panel.app('GET', '/servers/1?include=variables')
  const [version] = rows(fields.record('attributes.relationships.variables'))
  assert.partialDeepStrictEqual(version, {
    env_variable: 'MINECRAFT_VERSION',
    server_value: 'latest',
  })
})
