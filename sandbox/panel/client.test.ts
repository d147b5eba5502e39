import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { assertError, failures, rows, testPanel } from './testing.ts'

/** A panel with one installed server of its own user, and a key of a stranger. */
async function withServer(t: TestContext) {
  const panel = await testPanel(t)
  const user = await panel.newUser('ann')
  const made = await panel.newServer({ user, allocation: { default: 1, additional: [2] } })
  const identifier = made.fields.text('attributes.identifier')
  const keyOf = async (userId: number) =>
    (await panel.control('POST', '/keys', { kind: 'account', userId })).fields.text('token')
  const owner = panel.as(await keyOf(user))
  const pass = (advanceSeconds: number) => panel.control('POST', '/clock', { advanceSeconds })
  await pass(61)
  return { panel, owner, keyOf, pass, url: `/api/client/servers/${identifier}`, made }
}

test('an owner and an admin see a server; for a stranger there is none', async (t) => {
  const { panel, owner, keyOf, url, made } = await withServer(t)
  const seen = await owner('GET', url)
  assert.partialDeepStrictEqual(seen.body, {
    object: 'server',
    attributes: {
      server_owner: true,
      internal_id: 1,
      uuid: made.fields.text('attributes.uuid'),
      node: 'fra-01',
      sftp_details: { ip: 'fra-01.example.net', port: 2022 },
      invocation: 'java -jar server.jar',
      egg_features: ['eula', 'java_version', 'pid_limit'],
      status: null,
      is_suspended: false,
      is_installing: false,
      relationships: { allocations: { object: 'list' }, variables: { object: 'list' } },
    },
    meta: { is_server_owner: true, user_permissions: ['*'] },
  })
  const allocations = rows(seen.fields.record('attributes.relationships.allocations'))
  assert.deepEqual(
    allocations.map((it) => it.is_default),
    [true, false],
  )
  const byAdmin = await panel.as(panel.clientKey)('GET', url)
  assert.partialDeepStrictEqual(byAdmin.body, { attributes: { server_owner: false } })
  const stranger = panel.as(await keyOf(await panel.newUser()))
  assertError(await stranger('GET', url), 404, 'NotFoundHttpException')
  assert.deepEqual((await stranger('GET', '/api/client')).body.data, [])
  assert.equal(rows((await owner('GET', '/api/client')).body).length, 1)
  assert.equal(rows((await panel.client('GET', '/client')).body).length, 0)
  assert.equal(rows((await panel.client('GET', '/client?type=admin-all')).body).length, 1)
})

test('a server starts and stops by signals; its figures are twenty seconds behind', async (t) => {
  const { panel, owner, pass, url } = await withServer(t)
  const state = async () => {
    const { fields } = await owner('GET', `${url}/resources`)
    return fields.text('attributes.current_state')
  }
  assert.equal(await state(), 'offline')
  const command = { command: 'say hi' }
  assertError(
    await owner('POST', `${url}/command`, command),
    502,
    'HttpException',
    /must be online/,
  )
  assert.equal((await owner('POST', `${url}/power`, { signal: 'start' })).status, 204)
  assert.equal(await state(), 'offline')
  await pass(21)
  assert.equal(await state(), 'running')
  assert.equal((await owner('POST', `${url}/command`, command)).status, 204)
  assert.deepEqual(failures(await owner('POST', `${url}/power`, { signal: 'explode' })), [
    'signal/in',
  ])
  await panel.control('POST', '/wings', { nodeId: 1, down: true })
  assertError(
    await owner('POST', `${url}/power`, { signal: 'stop' }),
    504,
    'DaemonConnectionException',
  )
})

test('a suspended or installing server can be viewed, and little else', async (t) => {
  const { panel, owner, url } = await withServer(t)
  const admin = panel.as(panel.clientKey)
  const start = { signal: 'start' }
  await panel.app('POST', '/servers/1/suspend')
  const suspended = /^This server is currently suspended/
  const refused = await owner('POST', `${url}/power`, start)
  assertError(refused, 409, 'ServerStateConflictException', suspended)
  assertError(
    await admin('GET', `${url}/websocket`),
    409,
    'ServerStateConflictException',
    suspended,
  )
  assert.equal((await owner('GET', url)).fields.flag('attributes.is_suspended', false), true)
  await panel.app('POST', '/servers/1/unsuspend')
  await panel.app('POST', '/servers/1/reinstall')
  const installing = /^This server has not yet completed its installation/
  assertError(
    await admin('POST', `${url}/power`, start),
    409,
    'ServerStateConflictException',
    installing,
  )
  assert.equal((await admin('GET', `${url}/websocket`)).status, 200)
  assert.equal((await owner('GET', `${url}/websocket`)).status, 409)
})

test('a websocket comes with a token signed by the secret of the node', async (t) => {
  const { panel, owner, url, made } = await withServer(t)
  const { body, fields } = await owner('GET', `${url}/websocket`)
  assert.equal(body.object, undefined)
  const uuid = made.fields.text('attributes.uuid')
  const socket = `wss://fra-01.example.net:8080/api/servers/${uuid}/ws`
  assert.equal(fields.text('data.socket'), socket)
  const [header, payload, signature] = fields.text('data.token').split('.')
  const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())
  assert.partialDeepStrictEqual(claims, { server_uuid: uuid, permissions: ['*'] })
  assert.equal(claims.exp - claims.iat, 600)
  const { fields: node } = await panel.app('GET', '/nodes/1/configuration')
  const expected = createHmac('sha256', node.text('token')).update(`${header}.${payload}`)
  assert.equal(signature, expected.digest('base64url'))
})

test('a subuser is made with an account if need be, and may do what was granted', async (t) => {
  const { panel, owner, keyOf, url } = await withServer(t)
  const permissions = ['control.start', 'nonsense.x']
  const made = await owner('POST', `${url}/users`, { email: 'bob@example.com', permissions })
  assert.equal(made.status, 200)
  assert.partialDeepStrictEqual(made.body, {
    object: 'server_subuser',
    attributes: { email: 'bob@example.com', permissions: ['control.start', 'websocket.connect'] },
  })
  const again = await owner('POST', `${url}/users`, { email: 'BOB@example.com', permissions })
  assertError(again, 400, 'ServerSubuserExistsException')
  const self = await owner('POST', `${url}/users`, { email: 'ann@example.com', permissions })
  assertError(self, 400, 'UserIsServerOwnerException')

  const { body } = await panel.app('GET', '/users?filter[email]=bob@example.com')
  const [account] = rows(body)
  assert.partialDeepStrictEqual(account, { first_name: 'Server', last_name: 'Subuser' })
  const subuser = panel.as(await keyOf(Number(account?.id)))
  assert.equal((await subuser('POST', `${url}/power`, { signal: 'start' })).status, 204)
  assertError(
    await subuser('POST', `${url}/power`, { signal: 'kill' }),
    403,
    'AccessDeniedHttpException',
  )
  assertError(await subuser('GET', `${url}/users`), 403, 'AccessDeniedHttpException')

  const one = `${url}/users/${made.fields.text('attributes.uuid')}`
  const changed = await owner('POST', one, { permissions: ['user.read'] })
  assert.deepEqual(changed.fields.texts('attributes.permissions'), [
    'user.read',
    'websocket.connect',
  ])
  assert.equal(rows((await subuser('GET', `${url}/users`)).body).length, 1)
  assert.equal((await owner('DELETE', one)).status, 204)
  assert.equal((await owner('GET', one)).status, 404)
  assert.equal((await subuser('GET', url)).status, 404)
})
