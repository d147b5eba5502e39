import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { SFTP_PASSWORD } from '#sandbox/panel/pterodactyl/remote.ts'
import { until } from '#test/app.ts'
import { type Answer, clientFor } from '#test/client.ts'
import { type ScriptedDaemon, scriptedDaemon } from '#test/daemon.ts'
import { gameShop } from '#test/game-shop.ts'
import { otherTenant, person } from '#test/people.ts'

type Body = Answer['body']

/** A panel that does what a test tells it to. */
let script: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
  response.writeHead(404).end()
const upstream = createServer((request, response) => script(request, response))
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
after(() => {
  upstream.closeAllConnections()
  upstream.close()
})
const upstreamHost = `127.0.0.1:${(upstream.address() as AddressInfo).port}`

const shop = await gameShop({
  config: { privateHosts: [upstreamHost] },
  panel: { nodes: 2, portsPerNode: 150 },
})
const { app, admin, db, panel, nodeId } = shop
const remote = `${app.url}/v1/panel`
/** A connection for each call: the panel closes idle ones just when a busy machine uses them again. */
const onPanel = clientFor(panel.url, {
  ...{ authorization: `Bearer ${panel.applicationKey}`, connection: 'close' },
})

async function issue(node: string, wish: object = {}): Promise<Body> {
  const answer = await admin.post(`/v1/admin/nodes/${node}/daemon-token`, wish)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

/** The token that the panel gave one of its machines. */
async function machineToken(machine: number): Promise<string> {
  const { body } = await onPanel.get(`/api/application/nodes/${machine}/configuration`)
  return `${body.token_id}.${body.token}`
}

async function relayed(machine: number) {
  const token = await machineToken(machine)
  await issue(nodeId, { machine: `machine ${machine}`, token })
  return scriptedDaemon({ remote, token })
}

const wings = { 1: await relayed(1), 2: await relayed(2) }
const reporting = scriptedDaemon({
  ...{ remote, token: (await issue(nodeId, { machine: 'a script' })).token },
})
const other = await admin.post('/v1/admin/nodes', {
  ...{ name: 'Scripted', url: `http://${upstreamHost}`, type: 'pterodactyl', apiKey: 'ptla_x' },
})
assert.equal(other.status, 201, other.text)
const scriptedToken = `${'S'.repeat(16)}.${'t'.repeat(64)}`
await issue(other.body.id, { token: scriptedToken })
const scripted = scriptedDaemon({ remote, token: scriptedToken })

/** Makes servers on a machine, past the shop. */
async function fill(machine: number, count: number): Promise<void> {
  const { body } = await onPanel.get(`/api/application/nodes/${machine}/allocations?per_page=500`)
  const free = body.data.filter((it: Body) => !it.attributes.assigned)
  for (let index = 0; index < count; index += 1) {
    const answer = await onPanel.post('/api/application/servers', {
      ...{ name: `Filler ${index}`, user: 1, egg: 7, startup: 'java -jar server.jar' },
      docker_image: 'ghcr.io/pterodactyl/yolks:java_21',
      environment: {
        ...{ MINECRAFT_VERSION: 'latest', SERVER_JARFILE: 'server.jar' },
        ...{ DL_PATH: '', BUILD_NUMBER: 'latest' },
      },
      limits: { memory: 1, swap: 0, disk: 1, io: 500, cpu: 1 },
      feature_limits: { databases: 0, allocations: 0, backups: 0 },
      allocation: { default: free[index].attributes.id },
    })
    assert.equal(answer.status, 201, answer.text)
  }
}

/** How a machine starts with more and more servers; before the shop puts any on it. */
const boots = new Map<number, Awaited<ReturnType<ScriptedDaemon['boot']>>>()
await panel.post('installs', { outcome: 'succeed', seconds: 0 })
for (const [before, count] of [
  ...([
    [0, 0],
    [0, 1],
    [1, 50],
    [50, 51],
    [51, 120],
  ] as const),
]) {
  await fill(2, count - before)
  boots.set(count, await wings[2].boot())
}

for (const [count, { servers, reset }] of boots) {
  test(`boot with ${count} servers: page 0, then the further pages at once, then the reset`, () => {
    assert.equal(servers.length, count)
    assert.equal(new Set(servers.map(({ uuid }) => uuid)).size, count)
    assert.deepEqual([reset.status, reset.text], [204, ''])
  })
}

const wrong = (token: string) => scriptedDaemon({ remote, token }).once('GET', '/servers?page=0')
const SIGNATURES: [string, number, () => Promise<Answer>][] = [
  ['none', 401, () => app.get('/v1/panel/api/remote/servers')],
  ['no dot', 400, () => wrong('S'.repeat(80))],
  ['two dots', 400, () => wrong(`${'S'.repeat(16)}.${'t'.repeat(31)}.${'t'.repeat(32)}`)],
  ['wrong id', 403, () => wrong(`${'X'.repeat(16)}.${'t'.repeat(64)}`)],
  ['wrong secret', 403, () => wrong(`${'S'.repeat(16)}.${'u'.repeat(64)}`)],
  ['customer JWT', 403, async () => wrong((await person(app)).token)],
]
for (const [what, expected, send] of SIGNATURES) {
  test(`signature: ${what} is a ${expected}, in the shape of both readers`, async () => {
    const { status, body } = await send()
    assert.equal(status, expected)
    assert.equal(body.statusCode, expected)
    assert.deepEqual(body.errors, [
      { code: body.errors[0].code, status: String(expected), detail: body.message },
    ])
  })
}

test("signature: another tenant's host and the rest of the API do not know a daemon's token", async () => {
  await otherTenant(app, 'daemonless.test')
  const token = await machineToken(1)
  const elsewhere = clientFor(app.url, {
    ...{ host: 'daemonless.test', authorization: `Bearer ${token}` },
  })
  assert.equal((await elsewhere.get('/v1/panel/api/remote/servers')).status, 403)
  assert.equal((await app.as(token).get('/v1/users/me')).status, 403)
  assert.equal((await app.as(token).get('/v1/admin/nodes')).status, 403)
})

test('a token is shown once, its hash is kept, and a new one leaves the old one for the overlap', async () => {
  const first = await issue(nodeId, { machine: 'rotated' })
  assert.match(first.token, /^[A-Za-z0-9]{16}\.[A-Za-z0-9]{64}$/)
  assert.equal(first.remote.endsWith('/v1/panel'), true)
  const { rows } = await app.deps.database.execute(
    'select count(*)::int as found from panel.daemon_tokens t where t::text like $1',
    [`%${first.token.split('.')[1]}%`],
  )
  assert.equal(rows[0]?.found, 0)
  const second = await issue(nodeId, { machine: 'rotated', overlapSeconds: 600 })
  const speak = (token: string) =>
    scriptedDaemon({ remote, token }).once('POST', '/activity', { data: [] })
  assert.equal((await speak(first.token)).status, 204)
  assert.equal((await speak(second.token)).status, 204)
  await app.advance(601)
  assert.equal((await speak(first.token)).status, 403)
  assert.equal((await speak(second.token)).status, 204)
  const list = (await admin.get(`/v1/admin/nodes/${nodeId}/daemon-tokens?limit=100`)).body.data
  const listed = list.filter((it: Body) => it.machine === 'rotated')
  assert.deepEqual(
    listed.map(({ id, mode }: Body) => [id, mode]),
    [[second.id, 'report']],
  )
  assert.ok(listed[0].lastUsedAt)
  const gone = `/v1/admin/nodes/${nodeId}/daemon-tokens/${second.id}`
  assert.equal((await admin.delete(gone)).status, 200)
  assert.equal((await speak(second.token)).status, 403)
  assert.equal((await admin.delete(gone)).status, 404)
})

test("a panel's token belongs to one connection", async () => {
  const path = `/v1/admin/nodes/${other.body.id}/daemon-token`
  const { status, body } = await admin.post(path, { token: await machineToken(1) })
  assert.deepEqual([status, body.code], [409, 'daemon_token_taken'])
  assert.equal((await wings[1].once('GET', '/servers?page=0')).status, 200)
})

const { plan } = await shop.server()

/** Somebody whose server is being installed, and does not end by itself. */
async function installing() {
  await panel.post('installs', { outcome: 'never' })
  const ada = await shop.customer()
  await shop.buy(ada, plan.id)
  const { id, uuid } = await until('the server is there', async () => {
    const [row] = await db
      .selectFrom('services.services')
      .select(['id', 'serverUuid as uuid'])
      .where('userId', '=', ada.userId)
      .execute()
    return row?.uuid ? { id: row.id, uuid: row.uuid } : null
  })
  const first = await wings[1].once('GET', `/servers/${uuid}`)
  return { ada, id, uuid, daemon: first.status === 200 ? wings[1] : wings[2] }
}

async function reportOf({ ada, id }: { ada: { get: typeof app.get }; id: string }) {
  const { status, body, text } = await ada.get(`/v1/services/${id}/report`)
  assert.equal(status, 200, text)
  return body
}

const running = await installing()

test('an installation that the daemon says is done makes the service active at once', async () => {
  const { ada, uuid, daemon } = running
  await daemon.beginInstall(uuid)
  assert.equal((await daemon.endInstall(uuid, true)).status, 204)
  await shop.serviceBecame(ada, 'active')
  const report = await reportOf(running)
  assert.equal(report.installSuccessful, true)
  assert.ok(report.installStartedAt <= report.installEndedAt)
})

test('repeated and out-of-order install reports change nothing, or what was heard last counts', async () => {
  const { uuid, daemon } = running
  const before = await reportOf(running)
  await app.advance(5)
  assert.equal((await daemon.endInstall(uuid, true)).status, 204)
  assert.deepEqual(await reportOf(running), before)
  assert.equal((await daemon.endInstall(uuid, false, true)).status, 204)
  assert.equal((await reportOf(running)).installSuccessful, false)
  await daemon.beginInstall(uuid)
  await app.advance(5)
  assert.equal((await daemon.endInstall(uuid, true, true)).status, 204)
  const last = await reportOf(running)
  assert.deepEqual(
    [last.installSuccessful, last.installEndedAt > before.installEndedAt],
    [true, true],
  )
  const service = (await admin.get(`/v1/admin/services/${running.id}`)).body
  assert.equal(service.status, 'active')
})

test('reset during provisioning: what the panel then calls installed is installed anew', async () => {
  const { ada, uuid, daemon, ...rest } = await installing()
  await daemon.beginInstall(uuid)
  const { reset } = await daemon.boot()
  assert.equal(reset.status, 204)
  await until('the panel is asked to install it again', async () => {
    return (await panel.calls('POST', /\/reinstall$/)) > 0
  })
  assert.ok((await reportOf({ ada, ...rest })).interruptedAt)
  assert.equal((await ada.get(`/v1/services/${rest.id}`)).body.status, 'provisioning')
  await daemon.beginInstall(uuid)
  assert.equal((await daemon.endInstall(uuid, true, true)).status, 204)
  await shop.serviceBecame(ada, 'active')
  assert.equal((await reportOf({ ada, ...rest })).interruptedAt, null)
})

test('a failed installation is looked at at once, and begun again', async () => {
  const { ada, uuid, daemon } = await installing()
  const before = await panel.calls('POST', /\/reinstall$/)
  await daemon.beginInstall(uuid)
  assert.equal((await daemon.endInstall(uuid, false)).status, 204)
  await until('it is begun again', async () => {
    return (await panel.calls('POST', /\/reinstall$/)) > before
  })
  await daemon.beginInstall(uuid)
  assert.equal((await daemon.endInstall(uuid, true, true)).status, 204)
  await shop.serviceBecame(ada, 'active')
})

test('a server that ends without being stopped has crashed; one that was stopped has not', async () => {
  const { uuid, daemon } = running
  assert.deepEqual(
    await daemon.becomes(uuid, 'starting', 'running').then((it) => [it.status, it.body]),
    [200, []],
  )
  assert.equal((await daemon.becomes(uuid, 'running', 'stopping')).status, 200)
  assert.equal((await daemon.becomes(uuid, 'stopping', 'offline')).status, 200)
  assert.equal((await reportOf(running)).crashedAt, null)
  await daemon.becomes(uuid, 'starting', 'running')
  await daemon.becomes(uuid, 'running', 'offline')
  const { state, crashedAt, startedAt } = await reportOf(running)
  assert.deepEqual([state, crashedAt >= startedAt], ['offline', true])
})

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

test('container/status for an unknown server: the panel says 404, a report is a 200 that keeps nothing', async () => {
  assert.equal((await wings[1].becomes(UNKNOWN, 'offline', 'starting')).status, 404)
  assert.equal((await reporting.becomes(UNKNOWN, 'offline', 'starting')).status, 200)
  const rows = await db
    .selectFrom('panel.server_reports')
    .select('serverUuid')
    .where('serverUuid', '=', UNKNOWN)
    .execute()
  assert.deepEqual(rows, [])
})

function entry(index: number, more: object = {}) {
  return {
    ...{ user: null, server: running.uuid, event: 'server:console.command' },
    ...{ metadata: { command: `say ${index}` }, ip: '198.51.100.7' },
    ...{ timestamp: '2026-11-21T18:05:02.123456789Z', ...more },
  }
}

async function activityOfRunning(): Promise<Body[]> {
  const { body } = await running.ada.get(`/v1/services/${running.id}/activity?limit=100`)
  return body.data
}

test('batch of 100 activities with one broken entry: 99 are kept, and once however often they come', async () => {
  const batch = Array.from({ length: 100 }, (_, index) => entry(index))
  const broken = [...batch.slice(0, 40), { server: 'none', event: 7 }, ...batch.slice(41)]
  for (const daemon of [running.daemon, reporting, running.daemon]) {
    assert.ok([200, 204].includes((await daemon.activity(broken)).status))
    assert.equal((await activityOfRunning()).length, 99)
  }
  const start = entry(1, { event: 'server:power.start', metadata: null })
  await reporting.activity([start, entry(2, { server: UNKNOWN }), entry(3, { event: 'user:x' })])
  assert.equal((await activityOfRunning()).length, 100)
})

test('activity is the owner’s and the staff’s to see, and is gone after thirty days', async () => {
  const stranger = await shop.customer()
  const path = `/v1/services/${running.id}/activity`
  assert.equal((await stranger.get(path)).status, 404)
  const shown = await admin.get(`/v1/admin/services/${running.id}/activity`)
  assert.ok(shown.body.data.length > 0)
  assert.ok(!shown.text.includes('198.51.100.7'))
})

test('a report by a token that is for reports: what is known is kept, questions are not answered', async () => {
  await app.advance(600)
  assert.equal((await reporting.endInstall(running.uuid, false, true)).status, 204)
  assert.equal((await reportOf(running)).installSuccessful, false)
  const malformed = await reporting.say('POST', `/servers/${running.uuid}/install`, { done: 1 })
  assert.equal(malformed.status, 422)
  assert.equal(malformed.body.errors[0].code, 'ValidationException')
  for (const path of ['/servers?page=0', `/servers/${running.uuid}`]) {
    assert.equal((await reporting.once('GET', path)).status, 403)
  }
  assert.equal((await reporting.signIn('ann.1a7ce997', 'x')).status, 403)
  for (const path of ['/servers/reset', `/servers/${running.uuid}/transfer/success`]) {
    assert.equal((await reporting.say('POST', path, null)).status, 204)
  }
  assert.equal((await reporting.once('POST', '/activity', {})).status, 204)
  assert.equal((await reporting.once('POST', '/activity', { data: 'all' })).status, 422)
})

test('reports about the server of another connection are a 404 (hardening 7)', async () => {
  const foreign = (await issue(other.body.id, { machine: 'foreign' })).token
  const daemon = scriptedDaemon({ remote, token: foreign })
  const before = await reportOf(running)
  assert.equal((await daemon.endInstall(running.uuid, true)).status, 404)
  assert.equal((await daemon.activity([entry(900)])).status, 204)
  assert.deepEqual(await reportOf(running), before)
  assert.ok(!(await activityOfRunning()).some(({ metadata }) => metadata.command === 'say 900'))
})

async function panelUser(id: number): Promise<{ username: string }> {
  return (await onPanel.get(`/api/application/users/${id}`)).body.attributes
}

async function ownerLogin(): Promise<string> {
  const servers = await onPanel.get('/api/application/servers?per_page=500')
  const { attributes } = servers.body.data.find((it: Body) => it.attributes.uuid === running.uuid)
  return `${(await panelUser(attributes.user)).username}.${running.uuid.slice(0, 8)}`
}

test('sftp: success for the owner, and for a username with dots; wrong password and foreign node are a 403', async () => {
  const login = await ownerLogin()
  const { daemon } = running
  const welcome = await daemon.signIn(login, SFTP_PASSWORD)
  assert.deepEqual([welcome.status, welcome.body.server], [200, running.uuid], welcome.text)
  assert.equal((await daemon.signIn(login, 'a guess')).status, 403)
  const foreign = daemon === wings[1] ? wings[2] : wings[1]
  assert.equal((await foreign.signIn(login, SFTP_PASSWORD)).status, 403)
  const made = await onPanel.post('/api/application/users', {
    ...{ email: 'dots@example.org', username: 'ann.b.c', first_name: 'A', last_name: 'B' },
    root_admin: true,
  })
  assert.equal(made.status, 201, made.text)
  const dotted = await daemon.signIn(`ann.b.c.${running.uuid.slice(0, 8)}`, SFTP_PASSWORD)
  assert.equal(dotted.status, 200, dotted.text)
})

test('sftp: a member without the right to files is refused whatever the panel still thinks', async () => {
  const friend = await person(app)
  const invited = { email: friend.email, permissions: ['files'] }
  const path = `/v1/services/${running.id}/invitations`
  const { token } = (await running.ada.post(path, invited)).body
  assert.equal((await friend.post(`/v1/invitations/${token}/accept`)).status, 200)
  const subuser = await until('the panel knows them', async () => {
    const row = await db
      .selectFrom('services.panel_subusers')
      .select('subuserUuid')
      .where('userId', '=', friend.userId)
      .executeTakeFirst()
    return row?.subuserUuid
  })
  const users = (await onPanel.get('/api/application/users?per_page=100')).body.data
  const { username } = users.find((it: Body) => it.attributes.uuid === subuser).attributes
  const login = `${username}.${running.uuid.slice(0, 8)}`
  assert.equal((await running.daemon.signIn(login, SFTP_PASSWORD)).status, 200)
  await app.deps.database.execute(
    `update services.members set permissions = '{view,power}' where user_id = $1`,
    [friend.userId],
  )
  const refused = await running.daemon.signIn(login, SFTP_PASSWORD)
  assert.equal(refused.status, 403)
  assert.match(refused.body.errors[0].detail, /permission to access SFTP/)
})

test('sftp: suspended here is a 409 before the panel has heard of it; the report of one is a 204', async () => {
  const set = (reasons: string) =>
    app.deps.database.execute(
      `update services.services set suspend_reasons = '${reasons}' where id = $1`,
      [running.id],
    )
  await set('{unpaid}')
  const login = await ownerLogin()
  const { status, body } = await running.daemon.signIn(login, SFTP_PASSWORD)
  assert.deepEqual([status, body.errors[0].code], [409, 'ConflictHttpException'])
  assert.equal((await running.daemon.signIn(login, 'a guess')).status, 403)
  assert.equal((await running.daemon.endInstall(running.uuid, true, true)).status, 204)
  assert.equal((await reportOf(running)).installSuccessful, true)
  await set('{}')
})

test('relay: status and body are byte-identical, and so is what was asked', async () => {
  const heard: { method?: string; url?: string; body: string; auth?: string }[] = []
  const bytes = `{ "errors" : [ {"code":"X","status":"418","detail":"é\\u00e9"} ] }\n`
  script = (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk
    })
    request.on('end', () => {
      const { method, url, headers } = request
      heard.push({ method, url, body, auth: headers.authorization } as never)
      const type = { 'content-type': 'application/vnd.api+json', 'retry-after': '7' }
      response.writeHead(418, type).end(bytes)
    })
  }
  const raw = '{"data" : null }'
  const { status, text, headers } = await clientFor(app.url, {
    ...{ authorization: `Bearer ${scriptedToken}`, 'content-type': 'text/plain' },
  }).request('POST', '/v1/panel//api/remote/some/thing%20new?x=1&y=%2F&x=2', undefined, { raw })
  assert.deepEqual([status, text], [418, bytes])
  assert.deepEqual(
    [headers['content-type'], headers['retry-after']],
    ['application/vnd.api+json', '7'],
  )
  const url = '/api/remote/some/thing%20new?x=1&y=%2F&x=2'
  assert.deepEqual(heard, [{ method: 'POST', url, body: raw, auth: `Bearer ${scriptedToken}` }])
})

test('relay: a daemon learns from the panel where the parts of a backup go', async () => {
  const answer = { parts: ['https://objects.example/backup?part=1'], part_size: 5_368_709_120 }
  script = ({ url }, response) => {
    assert.equal(url, '/api/remote/backups/0199a000-0000-4000-8000-000000000001?size=1048576')
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }
  const path = '/backups/0199a000-0000-4000-8000-000000000001?size=1048576'
  const { status, body } = await scripted.once('GET', path)
  assert.deepEqual([status, body], [200, answer])
})

test('relay: a throttle of the panel reaches the daemon as it is', async () => {
  script = (_request, response) =>
    response.writeHead(429, { 'retry-after': '60' }).end('{"errors":[]}')
  const { status, headers } = await scripted.signIn('ann.1a7ce997', 'x')
  assert.deepEqual([status, headers['retry-after']], [429, '60'])
})

test('relay: nothing leaves the remote API, however the path is written', async () => {
  let asked = 0
  script = (_request, response) => {
    asked += 1
    response.writeHead(200).end()
  }
  for (const path of [
    ...['/../application/users', '/%2e%2e/application/users', '/x/..%2f..%2fapplication'],
    ...['/x\\..\\..\\application', '/./servers'],
  ]) {
    assert.equal((await scripted.once('GET', path)).status, 404, path)
  }
  assert.equal(asked, 0)
})

test('relay: panel down is a 502 that the daemon comes again after, until it is up', async () => {
  let left = 3
  script = (request, response) => {
    left -= 1
    if (left >= 0) request.socket.destroy()
    else response.writeHead(204).end()
  }
  const down = await scripted.once('POST', `/servers/${UNKNOWN}/archive`, { successful: true })
  assert.deepEqual([down.status, down.body.errors[0].code], [502, 'BadGatewayHttpException'])
  const up = await scripted.say('POST', `/servers/${UNKNOWN}/archive`, { successful: true })
  assert.equal(up.status, 204)
})

test('relay: a panel that sends elsewhere is a 502, for the daemon would come back without its report', async () => {
  script = (_request, response) => response.writeHead(301, { location: 'https://x.test/' }).end()
  assert.equal((await scripted.once('POST', '/servers/reset', null)).status, 502)
})

test('relay: a slow panel keeps its daemon waiting and nobody else; too much at once is a 503', async () => {
  const waiting: ServerResponse[] = []
  script = (_request, response) => waiting.push(response)
  const many = Array.from({ length: 140 }, () => scripted.once('POST', '/servers/reset', null))
  let refused = 0
  for (const answer of many) {
    void answer.then(({ status, headers }) => {
      if (status === 503 && headers['retry-after'] === '1') refused += 1
    })
  }
  await until('the others wait', () => waiting.length === 128 && refused === 12)
  assert.equal((await wings[1].once('GET', '/servers?page=0')).status, 200)
  for (const response of waiting) response.writeHead(204).end()
  const statuses = (await Promise.all(many)).map(({ status }) => status)
  assert.equal(statuses.filter((it) => it === 204).length, 128)
})

test('relay: large bodies pass in both directions without being held', async () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'x')
  let received = 0
  script = async (request, response) => {
    for await (const chunk of request) received += (chunk as Buffer).length
    response.writeHead(200, { 'content-type': 'text/plain' })
    for (let count = 0; count < 24; count += 1) {
      if (!response.write(megabyte)) await new Promise((done) => response.once('drain', done))
    }
    response.end()
  }
  const { status, text } = await clientFor(app.url, {
    authorization: `Bearer ${scriptedToken}`,
  }).request('POST', '/v1/panel/api/remote/large', undefined, { raw: Buffer.alloc(12e6, ' ') })
  assert.deepEqual([status, received, text.length], [200, 12e6, 24 * megabyte.length])
})

test('daemons are exempt from the general quota', async () => {
  const before = (await app.get('/v1/nowhere')).headers['x-ratelimit-remaining']
  for (let count = 0; count < 5; count += 1) await wings[1].once('GET', '/servers?page=0')
  const left = (await app.get('/v1/nowhere')).headers['x-ratelimit-remaining']
  assert.ok(Number(before) - Number(left) <= 1)
})

test('a connection that leads to another host passes no token of its daemons on', async () => {
  let asked = 0
  script = (_request, response) => {
    asked += 1
    response.writeHead(204).end()
  }
  assert.equal((await scripted.once('POST', '/servers/reset', null)).status, 204)
  const path = `/v1/admin/nodes/${other.body.id}`
  const moved = {
    url: `http://${upstreamHost.replace('127.0.0.1', 'localhost')}`,
    apiKey: 'ptla_y',
  }
  const { status, text } = await admin.patch(path, moved)
  assert.equal(status, 200, text)
  assert.equal((await scripted.once('POST', '/servers/reset', null)).status, 403)
  assert.equal(asked, 1)
})

test('what people did is forgotten after thirty days, and with a connection its tokens end', async () => {
  await app.advance(31 * 24 * 3600)
  await app.eventually('it is forgotten', async () => {
    const rows = await db.selectFrom('panel.activity').select('id').execute()
    return rows.length === 0
  })
  const { status } = await admin.delete(`/v1/admin/nodes/${other.body.id}`)
  assert.equal(status, 200)
  const tokens = await db
    .selectFrom('panel.daemon_tokens')
    .select('id')
    .where('nodeId', '=', other.body.id)
    .execute()
  assert.deepEqual(tokens, [])
})

test('its owner hears of a crash once in eight hours, however often it crashes', async () => {
  const { ada, uuid, daemon } = running
  const told = async (): Promise<number> => {
    const { data } = (await ada.get('/v1/notifications')).body
    return data.filter((it: { kind: string }) => it.kind === 'server_crashed').length
  }
  const crash = async () => {
    await daemon.becomes(uuid, 'starting', 'running')
    assert.equal((await daemon.becomes(uuid, 'running', 'offline')).status, 200)
  }
  await until('the crash before is told', async () => (await told()) > 0)
  app.deps.clock.advance(8 * 3_600_000)
  const before = await told()
  await crash()
  await until('it is told', async () => (await told()) > before)
  await crash()
  await crash()
  app.deps.clock.advance(8 * 3_600_000)
  await crash()
  await until('it is told again', async () => (await told()) > before + 1)
  assert.equal(await told(), before + 2)
})
