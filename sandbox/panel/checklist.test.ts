import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  assertError,
  failures,
  LIMITS,
  PAPER,
  PAPER_ENVIRONMENT,
  rows,
  type TestPanel,
  testPanel,
  userBody,
} from './testing.ts'

/** What every panel does, whichever it is; one panel of each kind for all of it. */
const CHECKS: Record<string, (panel: TestPanel, flavour: string) => Promise<void>> = {
  'envelope and links: {}': async ({ app }) => {
    const { body, fields } = await app('GET', '/users?per_page=50')
    assert.equal(body.object, 'list')
    assert.deepEqual(fields.record('meta.pagination.links'), {})
  },
  null_resource: async ({ as, control }) => {
    const { fields } = await control('POST', '/keys', { permissions: { users: 1 } })
    const path = '/api/application/users?include=servers'
    const [user] = rows((await as(fields.text('token'))('GET', path)).body)
    const nothing = { servers: { object: 'null_resource', attributes: null } }
    assert.deepEqual(user?.relationships, nothing)
  },
  'error bodies with string status': async ({ app }) => {
    assertError(await app('GET', '/servers/4711'), 404, 'NotFoundHttpException')
  },
  'substring filters': async ({ app, newUser }) => {
    for (const name of ['joann', 'ann']) await newUser(name)
    const { body } = await app('GET', '/users?filter[email]=ann@example.com')
    assert.equal(rows(body).length, 2)
  },
  'refusal of unknown filters and sorts': async ({ app }) => {
    assertError(await app('GET', '/users?filter[x]=1'), 400, 'InvalidFilterQuery')
    assertError(await app('GET', '/users?sort=x'), 400, 'InvalidSortQuery')
  },
  '201 vs 200 vs 204 per table, and meta.resource': async ({ app, url }) => {
    const made = await app('POST', '/users', userBody('table'))
    assert.equal(made.status, 201)
    const path = `/users/${made.fields.number('attributes.id')}`
    assert.equal(made.fields.text('meta.resource'), `${url}/api/application${path}`)
    assert.equal((await app('PATCH', path, userBody('table2'))).status, 200)
    assert.equal((await app('DELETE', path)).status, 204)
  },
  'trimming and empty-to-null': async ({ app }) => {
    const body = userBody('trimmed', { username: ' trimmed ', external_id: '' })
    const { fields } = await app('POST', '/users', body)
    assert.equal(fields.text('attributes.username'), 'trimmed')
    assert.equal(fields.textOrNull('attributes.external_id'), null)
  },
  'username rule, which only one of them has': async ({ app }, flavour) => {
    const odd = await app('POST', '/users', userBody('odd', { username: '-' }))
    if (flavour === 'pelican') assert.equal(odd.status, 201)
    else assert.deepEqual(failures(odd), ['username/p_username'])
  },
  'unique rules': async ({ app }) => {
    await app('POST', '/users', userBody('unique'))
    const again = await app('POST', '/users', userBody('UNIQUE'))
    assert.deepEqual(failures(again), ['email/unique', 'username/unique'])
  },
  'egg-variable rules of 7.3': async (panel, flavour) => {
    const environment = { ...PAPER_ENVIRONMENT, SERVER_JARFILE: 'no jar' }
    const refused = await newServer(panel, flavour, { environment })
    assert.deepEqual(failures(refused), ['environment.SERVER_JARFILE/regex'])
  },
  'details wiping external_id': async (panel, flavour) => {
    const made = await newServer(panel, flavour, { external_id: 'svc-wiped' })
    const path = `/servers/${made.fields.number('attributes.id')}/details`
    const { fields } = await panel.app('PATCH', path, { name: 'New', user: 1 })
    assert.equal(fields.textOrNull('attributes.external_id'), null)
  },
  'startup emptying left-out variables': async (panel, flavour) => {
    const made = await newServer(panel, flavour)
    const path = `/servers/${made.fields.number('attributes.id')}/startup`
    const start = { startup: 'run', image: 'java', egg: PAPER, skip_scripts: false }
    const { MINECRAFT_VERSION: _, ...environment } = PAPER_ENVIRONMENT
    const { fields } = await panel.app('PATCH', path, { ...start, environment })
    assert.equal(fields.record('attributes.container.environment').MINECRAFT_VERSION, '')
  },
  'suspend overwriting installing': async (panel, flavour) => {
    const made = await newServer(panel, flavour)
    const path = `/servers/${made.fields.number('attributes.id')}`
    assert.equal(made.fields.text('attributes.status'), 'installing')
    assert.equal((await panel.app('POST', `${path}/suspend`)).status, 204)
    await panel.app('POST', `${path}/unsuspend`)
    const { fields } = await panel.app('GET', path)
    assert.equal(fields.textOrNull('attributes.status'), null)
  },
  'transfer running (409)': async (panel, flavour) => {
    const made = await newServer(panel, flavour)
    const serverId = made.fields.number('attributes.id')
    await panel.control('POST', '/transfers', { serverId })
    const refused = await panel.app('POST', `/servers/${serverId}/suspend`)
    assertError(refused, 409, 'ConflictHttpException')
  },
  'Wings down per node': async (panel, flavour) => {
    const made = await newServer(panel, flavour)
    const nodeId = made.fields.number('attributes.node')
    await panel.control('POST', '/wings', { nodeId, down: true })
    const path = `/servers/${made.fields.number('attributes.id')}`
    const [status, code] =
      flavour === 'pelican'
        ? ([500, 'ConnectionException'] as const)
        : ([504, 'DaemonConnectionException'] as const)
    assertError(await panel.app('DELETE', path), status, code)
    await panel.control('POST', '/wings', { nodeId, down: false })
    assert.equal((await panel.app('DELETE', path)).status, 204)
  },
  'duplicate create in parallel (exactly one 201)': async (panel, flavour) => {
    const twice = { external_id: 'svc-twice', user: 1 }
    const made = await Promise.all([1, 2, 3].map(() => newServer(panel, flavour, twice)))
    assert.deepEqual(
      made.map(({ status }) => (status === 201 ? 1 : 0)).reduce((a: number, b) => a + b, 0),
      1,
    )
  },
  'per-owner rate limit with headers': async ({ app, control }) => {
    await control('POST', '/settings', { rateLimits: { application: 1 } })
    const refused = await app('GET', '/users')
    assertError(refused, 429, 'ThrottleRequestsException')
    assert.ok(refused.headers.get('retry-after'))
    assert.equal(refused.headers.get('x-ratelimit-limit'), '1')
  },
}

function newServer(panel: TestPanel, flavour: string, changes: Record<string, unknown> = {}) {
  const place = flavour === 'pelican' ? { tags: [] } : { locations: [] }
  const deploy = { ...place, dedicated_ip: false, port_range: ['25565-25600'] }
  return panel.newServer({ user: 1, limits: LIMITS, deploy, ...changes })
}

for (const flavour of ['pterodactyl', 'pelican'] as const) {
  const panel = await testPanel({ after }, { flavour })
  for (const [name, check] of Object.entries(CHECKS)) {
    test(`${flavour}: ${name}`, () => check(panel, flavour))
  }
}

test('pelican: told no ports, it makes a server without any address', async (t) => {
  const panel = await testPanel(t, { flavour: 'pelican' })
  const deploy = { tags: ['fra'], dedicated_ip: false, port_range: [] }
  const made = await panel.newServer({ user: 1, deploy })
  assert.equal(made.status, 201)
  assert.equal(made.fields.numberOrNull('attributes.allocation'), null)
})

test('pelican: a request without rights is not counted', async (t) => {
  const panel = await testPanel(t, { flavour: 'pelican', rateLimits: { application: 1 } })
  const { fields } = await panel.control('POST', '/keys', { permissions: {} })
  const weak = panel.as(fields.text('token'))
  for (let time = 0; time < 3; time += 1) {
    assertError(await weak('GET', '/api/application/users'), 403, 'AccessDeniedHttpException')
  }
  assert.equal((await panel.app('GET', '/users')).status, 200)
})
