import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, until } from '#test/app.ts'
import { botOf } from '#test/bot.ts'
import { apiKey, otherTenant, person } from '#test/people.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })
const PATH = '/v1/admin/bot-tokens'
const FEED = '/v1/bot/role-changes'
const MEMBER = '/v1/bot/users/800000000000000009'

test('a token is shown once, the list shows how it begins, and the database has its hash only', async () => {
  const made = await admin.post(PATH, { name: 'Guild', scopes: ['roles:read'] })
  assert.equal(made.status, 201, made.text)
  assert.match(made.body.token, /^moorbot_[\w-]{43}$/)
  const { token, ...shown } = made.body
  const { data } = (await admin.get(PATH)).body
  assert.deepEqual(data, [shown])
  assert.deepEqual((await admin.get(`${PATH}/${shown.id}`)).body, shown)
  assert.ok(token.startsWith(shown.prefix))
  const { rows } = await app.deps.database.execute(
    'select count(*)::int as found from bot.tokens t where t::text like $1',
    [`%${token.slice(shown.prefix.length)}%`],
  )
  assert.deepEqual(rows, [{ found: 0 }])
})

test('a bot gets in with its token and no other credential, and its token gets in nowhere else', async () => {
  const bot = await botOf(app, admin)
  assert.equal((await bot.get(FEED)).status, 200)
  const last = bot.token.endsWith('A') ? 'B' : 'A'
  assert.equal((await app.as(bot.token.slice(0, -1) + last).get(FEED)).status, 401)
  assert.equal((await app.get(FEED)).status, 401)
  const key = await apiKey(app, admin, { permission: 'read-write' })
  for (const client of [admin, key]) assert.equal((await client.get(FEED)).status, 403)
  for (const path of ['/v1/users/me', '/v1/admin/users', '/v1/notifications', '/v1/admin/none']) {
    assert.equal((await bot.get(path)).status, 403, path)
  }
  assert.equal((await bot.get('/v1/bot/none')).status, 404)
})

test('a token does what its scopes name', async () => {
  const bot = await botOf(app, admin, { scopes: ['users:read'] })
  assert.equal((await bot.get(MEMBER)).status, 200)
  for (const path of [FEED, '/v1/bot/members', `${MEMBER}/roles`, '/v1/bot/notifications']) {
    const { status, body } = await bot.get(path)
    assert.deepEqual([status, body.code], [403, 'permission_missing'], path)
  }
  const change = { scopes: ['roles:read'], name: 'Roles' }
  const { status, body } = await admin.patch(`${PATH}/${bot.id}`, change)
  assert.deepEqual([status, body.name, body.scopes], [200, 'Roles', ['roles:read']])
  assert.equal((await bot.get(FEED)).status, 200)
  assert.equal((await bot.get(MEMBER)).status, 403)
})

test('a token ends when it is revoked, when its time is over, and does not count from elsewhere', async () => {
  const revoked = await botOf(app, admin)
  assert.equal((await revoked.get(FEED)).status, 200)
  assert.equal((await admin.delete(`${PATH}/${revoked.id}`)).status, 200)
  assert.equal((await revoked.get(FEED)).status, 401)
  assert.equal((await admin.delete(`${PATH}/${revoked.id}`)).status, 404)
  assert.equal((await admin.patch(`${PATH}/${revoked.id}`, { name: 'Back' })).status, 404)
  const elsewhere = await botOf(app, admin, { allowedIps: ['192.0.2.0/24'] })
  assert.equal((await elsewhere.get(FEED)).status, 401)
  assert.equal((await admin.patch(`${PATH}/${elsewhere.id}`, { allowedIps: [] })).status, 200)
  assert.equal((await elsewhere.get(FEED)).status, 200)
  const expiresAt = new Date(Date.parse(app.deps.clock.now()) + 60_000).toISOString()
  const ending = await botOf(app, admin, { expiresAt })
  assert.equal((await ending.get(FEED)).status, 200)
  await app.advance(61)
  await until('it has ended', async () => (await ending.get(FEED)).status === 401)
})

const WRONG = [
  [{ name: 'x' }, 400],
  [{ name: 'x', scopes: [] }, 400],
  [{ name: 'x', scopes: ['billing:read'] }, 400],
  [{ name: 'x', scopes: ['users:read'], expiresAt: '2020-01-01T00:00:00Z' }, 422],
  [{ name: 'x', scopes: ['users:read'], allowedIps: ['example.org'] }, 422],
] as const

for (const [body, expected] of WRONG) {
  test(`a token of ${JSON.stringify(body)} is a ${expected}`, async () => {
    assert.equal((await admin.post(PATH, body)).status, expected)
  })
}

test('tokens take the permission to see them, or to change them, and are of one tenant', async () => {
  const bot = await botOf(app, admin)
  const reader = await person(app, { permissions: ['bot:read'] })
  assert.equal((await reader.get(PATH)).status, 200)
  assert.equal((await reader.post(PATH, { name: 'x', scopes: ['users:read'] })).status, 403)
  assert.equal(
    (await person(app, { permissions: ['users:*'] }).then((it) => it.get(PATH))).status,
    403,
  )
  const tenantId = await otherTenant(app, 'bots.test')
  const foreigner = await person(app, { tenantId, admin: true })
  assert.equal((await foreigner.get(`${PATH}/${bot.id}`)).status, 404)
  assert.equal((await foreigner.delete(`${PATH}/${bot.id}`)).status, 404)
  const { status } = await bot.get(FEED, { headers: { host: 'bots.test' } })
  assert.equal(status, 401)
})

test('when a token was used is noted, and each is counted on its own', async () => {
  const [one, other] = [await botOf(app, admin), await botOf(app, admin)]
  const before = (await one.get(FEED)).headers['x-ratelimit-remaining']
  await one.get(FEED)
  assert.equal((await other.get(FEED)).headers['x-ratelimit-remaining'], before)
  const used = await until('the use to be noted', async () => {
    return (await admin.get(`${PATH}/${one.id}`)).body.lastUsedAt
  })
  assert.match(used, /Z$/)
})

test('a repeat with the same key is answered as the first time', async () => {
  const bot = await botOf(app, admin)
  const headers = { 'idempotency-key': 'ack-1' }
  const first = await bot.post(`${FEED}/ack`, { cursor: '0' }, { headers })
  const second = await bot.post(`${FEED}/ack`, { cursor: '0' }, { headers })
  assert.deepEqual([first.status, second.status], [200, 200], first.text)
  assert.equal(second.headers['idempotency-replayed'], 'true')
})

test('a shop that is suspended serves its bots, and shows them no more than visitors elsewhere', async () => {
  const tenantId = await otherTenant(app, 'closing.test')
  const owner = await person(app, { tenantId, admin: true })
  const bot = await botOf(app, owner)
  const { status } = await admin.patch(`/v1/admin/tenants/${tenantId}`, { status: 'suspended' })
  assert.equal(status, 200)
  await until('it is suspended', async () => (await bot.get('/v1/store/products')).status === 503)
  assert.equal((await bot.get(FEED)).status, 200)
})
