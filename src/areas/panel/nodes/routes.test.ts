import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { newId } from '#lib/id.ts'
import { testApp } from '#test/app.ts'
import { panelShop } from '#test/panel-shop.ts'
import { otherTenant, person } from '#test/people.ts'
import { receiver } from '#test/receiver.ts'

const { app, panel, admin, addNode } = await panelShop()

const NODES = '/v1/admin/nodes'
const KEY = 'ptla_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'

test('a connection is added, listed, read, changed and deleted, and is a 404 from then on', async () => {
  const added = await admin.post(NODES, {
    name: 'Frankfurt',
    url: `${panel.url}/`,
    apiKey: KEY,
    clientApiKey: null,
  })
  assert.equal(added.status, 201)
  const { id, createdAt, ...rest } = added.body
  assert.deepEqual(rest, {
    name: 'Frankfurt',
    url: panel.url,
    type: 'auto',
    detectedType: null,
    apiKey: '••••DEFG',
    clientApiKey: null,
    status: 'unknown',
    testedAt: null,
    serviceCount: 0,
    signOnUrl: null,
  })
  assert.ok(createdAt)
  const list = await admin.get(NODES)
  assert.deepEqual(list.body.data[0], added.body)
  assert.deepEqual((await admin.get(`${NODES}/${id}`)).body, added.body)

  const changed = await admin.patch(`${NODES}/${id}`, { name: 'Berlin', clientApiKey: 'short' })
  assert.equal(changed.status, 200)
  assert.deepEqual(changed.body, { ...added.body, name: 'Berlin', clientApiKey: '••••' })
  const same = await admin.patch(`${NODES}/${id}`, {})
  assert.deepEqual([same.status, same.body], [200, changed.body])

  const deleted = await admin.delete(`${NODES}/${id}`)
  assert.deepEqual([deleted.status, deleted.body], [200, { id, deleted: true }])
  for (const answer of [
    await admin.get(`${NODES}/${id}`),
    await admin.patch(`${NODES}/${id}`, { name: 'x' }),
    await admin.delete(`${NODES}/${id}`),
    await admin.post(`${NODES}/${id}/test`),
    await admin.post(`${NODES}/${id}/sync-eggs`),
  ]) {
    assert.equal(answer.status, 404)
  }
  const after = await admin.get(NODES)
  assert.ok(after.body.data.every((node: { id: string }) => node.id !== id))
})

test('a deleted connection keeps its row and loses its keys', async () => {
  const { id } = await addNode({ clientApiKey: KEY })
  await admin.delete(`${NODES}/${id}`)
  const row = await app.deps.database.everywhere
    .selectFrom('panel.nodes')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.ok(row.deletedAt)
  assert.equal(row.sealedApiKey ?? row.sealedClientApiKey ?? row.maskedApiKey, null)
})

test('an unknown id is a 404 before a wrong body is a 400', async () => {
  const { id } = await addNode()
  assert.equal((await admin.patch(`${NODES}/${newId()}`, { role: 'x' })).status, 404)
  assert.equal((await admin.patch(`${NODES}/${id}`, { role: 'x' })).status, 400)
  assert.equal((await admin.patch(`${NODES}/${id}`, { status: 'ok' })).status, 400)
})

const refusedUrls = [
  'http://127.0.0.1',
  'http://127.0.0.1:22',
  'http://[::1]',
  'http://169.254.169.254/latest',
  'http://0x7f000001',
  'http://2130706433',
  'http://localhost',
  'http://a.localtest.me',
  'http://panel.localhost',
  'http://10.0.0.1',
  'http://[::ffff:127.0.0.1]',
  'https://example.org:22',
  'https://user:secret@example.org',
  'https://example.org/?a=b',
  'https://example.org/#a',
  'file:///etc/passwd',
  'gopher://example.org',
  'panel',
]

for (const url of refusedUrls) {
  test(`the address ${url} is refused at save (hardening 28)`, async () => {
    const added = await admin.post(NODES, { name: 'x', url, apiKey: KEY })
    assert.deepEqual([added.status, added.body.code], [422, 'address_not_allowed'])
    const { id } = await addNode()
    const changed = await admin.patch(`${NODES}/${id}`, { url, apiKey: KEY })
    assert.deepEqual([changed.status, changed.body.code], [422, 'address_not_allowed'])
  })
}

// A panel has no query and no fragment; what else is refused is refused by the client of all calls.
const refusedCalls = refusedUrls.filter((url) => !/[?#]/.test(url))

for (const url of [...refusedCalls, `http://127.0.0.1:${panel.port + 1}`]) {
  test(`the address ${url} is refused at every call, however it came to be kept (hardening 28)`, async () => {
    const { id } = await addNode()
    await app.deps.database.pool.query('update panel.nodes set url = $1 where id = $2', [url, id])
    const tested = await admin.post(`${NODES}/${id}/test`)
    assert.deepEqual([tested.status, tested.body.ok], [200, false])
    const refused = await admin.post(NODES, { name: 'x', url, apiKey: KEY })
    assert.equal(refused.body.message, `This address may not be used. ${tested.body.message}`)
    assert.equal((await admin.post(`${NODES}/${id}/sync-eggs`)).status, 502)
  })
}

test('a panel that leads elsewhere is not followed, and its words are not repeated (hardening 28)', async (t) => {
  const inside = await receiver(t)
  const location = `${inside.url}/latest/meta-data`
  const url = await serverFor(t, (_request, response) => {
    response.writeHead(302, { location }).end('<a href>secret page</a>')
  })
  const privateHosts = [new URL(url).host, inside.place.replace('webhook', 'panel')]
  const lone = await testApp(t, { config: { privateHosts } })
  const owner = await person(lone, { admin: true })
  for (const type of ['pterodactyl', 'pelican', 'auto']) {
    const { body } = await owner.post(NODES, { name: 'Elsewhere', url, apiKey: KEY, type })
    const tested = await owner.post(`${NODES}/${body.id}/test`)
    assert.deepEqual([tested.status, tested.body.ok], [200, false])
    const synced = await owner.post(`${NODES}/${body.id}/sync-eggs`)
    assert.equal(synced.status, 502)
    for (const { text } of [tested, synced]) assert.doesNotMatch(text, /secret page|meta-data/)
  }
  assert.deepEqual(inside.received, [])
})

test('a stored key goes to no other host, and stays for another path', async () => {
  const { id } = await addNode({ clientApiKey: KEY })
  const url = 'https://panel.example.org'
  const moved = await admin.patch(`${NODES}/${id}`, { url })
  assert.deepEqual([moved.status, moved.body.code], [422, 'api_key_required'])
  const paths = moved.body.details.map((it: { path: string }) => it.path)
  assert.deepEqual(paths, ['apiKey', 'clientApiKey'])
  const inside = await admin.patch(`${NODES}/${id}`, { url: `${panel.url}/sub` })
  assert.equal(inside.status, 200)
  const typed = await admin.patch(`${NODES}/${id}`, { url, apiKey: KEY, clientApiKey: null })
  assert.deepEqual([typed.status, typed.body.url, typed.body.clientApiKey], [200, url, null])
})

test('what must not be a key is refused', async () => {
  for (const apiKey of ['', 'with blank', 'line\nbreak', '••••DEFG', null, 7]) {
    const { status } = await admin.post(NODES, { name: 'x', url: panel.url, apiKey })
    assert.equal(status, 400, String(apiKey))
  }
})

test('reading and writing are permissions of their own', async () => {
  const { id } = await addNode()
  const reader = await person(app, { permissions: ['nodes:read'] })
  assert.equal((await reader.get(`${NODES}/${id}`)).status, 200)
  for (const answer of [
    await reader.post(NODES, { name: 'x', url: panel.url, apiKey: KEY }),
    await reader.patch(`${NODES}/${id}`, { name: 'x' }),
    await reader.delete(`${NODES}/${id}`),
    await reader.post(`${NODES}/${id}/test`),
    await reader.post(`${NODES}/${id}/sync-eggs`),
    await reader.post('/v1/admin/eggs/import', { file: '{}' }),
  ]) {
    assert.equal(answer.status, 403)
  }
  const other = await person(app, { permissions: ['store:*'] })
  assert.equal((await other.get(NODES)).status, 403)
})

test("another tenant's connection is a 404, and in no list", async () => {
  const { id } = await addNode()
  const tenantId = await otherTenant(app, 'other.test')
  const stranger = await person(app, { tenantId, admin: true })
  for (const answer of [
    await stranger.get(`${NODES}/${id}`),
    await stranger.patch(`${NODES}/${id}`, { name: 'mine' }),
    await stranger.delete(`${NODES}/${id}`),
    await stranger.post(`${NODES}/${id}/test`),
    await stranger.post(`${NODES}/${id}/sync-eggs`),
  ]) {
    assert.equal(answer.status, 404)
  }
  assert.deepEqual((await stranger.get(NODES)).body.data, [])
  assert.equal((await admin.get(`${NODES}/${id}`)).body.name, 'Panel')
})

test('a test names locations and panel type, and its result is kept', async () => {
  const { id } = await addNode({ type: 'auto', clientApiKey: panel.clientKey })
  const { status, body } = await admin.post(`${NODES}/${id}/test`)
  assert.equal(status, 200)
  const { latencyMs, locations, ...rest } = body
  const fine = { ok: true, type: 'pterodactyl', missingPermissions: [], message: null }
  assert.deepEqual(rest, { ...fine, rateLimit: 240 })
  assert.ok(Number.isInteger(latencyMs))
  assert.equal(locations.length, 2)
  assert.deepEqual(Object.keys(locations[0]).sort(), ['id', 'name'])
  const node = (await admin.get(`${NODES}/${id}`)).body
  assert.deepEqual([node.status, node.detectedType, node.type], ['ok', 'pterodactyl', 'auto'])
  assert.ok(node.testedAt)
})

test('a test names the permissions a key lacks', async () => {
  const permissions = { users: 3, servers: 1, allocations: 1, nodes: 1, nests: 1, eggs: 1 }
  const { token } = (await panel.post('keys', { permissions })) as { token: string }
  const { id } = await addNode({ apiKey: token })
  const { body } = await admin.post(`${NODES}/${id}/test`)
  assert.equal(body.ok, false)
  assert.deepEqual(body.missingPermissions, ['servers:write', 'locations:read'])
  assert.match(body.message, /servers:write/)
  assert.equal((await admin.get(`${NODES}/${id}`)).body.status, 'unauthorized')
})

test('a test with a key the panel does not know says so', async () => {
  const { id } = await addNode({ apiKey: KEY })
  const { body } = await admin.post(`${NODES}/${id}/test`)
  assert.deepEqual([body.ok, body.message], [false, 'The panel does not know this key.'])
  assert.equal((await admin.get(`${NODES}/${id}`)).body.status, 'unauthorized')
})

test('a proxy that answers for the panel makes it unreachable', async () => {
  const { id } = await addNode({ type: 'auto' })
  await panel.fault('GET /api/application/*', 'html-502', { n: 1 })
  const proxied = await admin.post(`${NODES}/${id}/test`)
  assert.equal(proxied.body.ok, false)
  assert.match(proxied.body.message, /not the panel/)
  assert.doesNotMatch(proxied.text, /nginx|html/i)
  assert.equal((await admin.get(`${NODES}/${id}`)).body.status, 'unreachable')
})

test('a page that is no panel, and a closed port, are unreachable and not repeated (hardening 28)', async (t) => {
  const url = await serverFor(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>secret page</h1>')
  })
  const privateHosts = [new URL(url).host, '127.0.0.1:9']
  const lone = await testApp(t, { config: { privateHosts } })
  const owner = await person(lone, { admin: true })
  for (const address of [url, 'http://127.0.0.1:9']) {
    const body = { name: 'Page', url: address, apiKey: KEY, type: 'pterodactyl' }
    const { id } = (await owner.post(NODES, body)).body
    const tested = await owner.post(`${NODES}/${id}/test`)
    assert.equal(tested.status, 200)
    assert.deepEqual([tested.body.ok, tested.body.missingPermissions], [false, []])
    assert.doesNotMatch(tested.text, /secret page/)
    assert.equal((await owner.get(`${NODES}/${id}`)).body.status, 'unreachable')
  }
})

test('a busy panel counts as one that answers', async () => {
  const { id } = await addNode()
  await panel.fault('GET /api/application/users', '429', { n: 3, retryAfter: 0 })
  const { body } = await admin.post(`${NODES}/${id}/test`)
  assert.equal(body.ok, true)
  assert.match(body.message, /busy/)
  assert.equal((await admin.get(`${NODES}/${id}`)).body.status, 'ok')
})

test('no key stands in any answer or log line, though the panel sends it back', async (t) => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const url = await serverFor(t, ({ headers }, response) => {
    const errors = [{ code: 'AccessDeniedHttpException', detail: `No: ${headers.authorization}` }]
    response.writeHead(403, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ errors }))
  })
  const lone = await testApp(t, { config: { privateHosts: [new URL(url).host] }, log })
  const owner = await person(lone, { admin: true })
  const added = await owner.post(NODES, { name: 'Echo', url, apiKey: KEY, clientApiKey: KEY })
  const node = `${NODES}/${added.body.id}`
  const answers = [
    added,
    await owner.post(`${node}/test`),
    await owner.post(`${node}/sync-eggs`),
    await owner.get(node),
    await owner.get(NODES),
    await owner.patch(node, { apiKey: `${KEY}=`, clientApiKey: KEY }),
    await owner.patch(node, { apiKey: `${KEY} ` }),
    await owner.delete(node),
  ]
  for (const { text } of answers) assert.ok(!text.includes(KEY), text)
  assert.ok(lines.length >= answers.length)
  for (const line of lines) assert.ok(!line.includes(KEY), line)
})

/** Listens for one test, and gives the address. */
async function serverFor(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
