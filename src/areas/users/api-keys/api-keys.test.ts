import assert from 'node:assert/strict'
import crypto, { createHash } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { test } from 'node:test'
import { testApp, until } from '#test/app.ts'
import { asOwner } from '#test/owner.ts'
import { apiKey, person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'
import { isAddressRange, isAllowedFrom } from './addresses.ts'

const app = await testApp(null)
const ME = '/v1/users/me'

test('a key is shown once, and its list shows how it begins', async () => {
  const ada = await person(app)
  const made = await ada.post('/v1/api-keys', { name: 'bot', permission: 'read' })
  assert.equal(made.status, 201)
  assert.match(made.body.key, /^moor_[\w-]{40,}$/)
  const { data } = (await ada.get('/v1/api-keys')).body
  const { key, ...shown } = made.body
  assert.deepEqual(data, [shown])
  assert.ok(key.startsWith(shown.prefix))
  assert.equal((await app.as(key).get(ME)).status, 200)
})

test('the database knows the hash of a key only (hardening 13)', async () => {
  const ada = await person(app)
  const { id, key } = await apiKey(app, ada, { permission: 'read' })
  const { rows: tables } = await app.deps.database.execute(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  for (const { name } of tables) {
    const holding = `select from ${name} t where t::text like $1`
    const { rows } = await asOwner(app.deps.database, holding, [`%${key}%`])
    assert.equal(rows.length, 0, String(name))
  }
  const { rows } = await app.deps.database.execute(
    `select encode(hash, 'hex') as hash from users.api_keys where id = $1`,
    [id],
  )
  assert.deepEqual(rows, [{ hash: createHash('sha256').update(key).digest('hex') }])
})

test('a key is found by its whole digest, which is compared in constant time (hardening 13)', async (t) => {
  const ada = await person(app)
  const { id, key } = await apiKey(app, ada, { permission: 'read' })
  const compare = t.mock.method(crypto, 'timingSafeEqual')
  syncBuiltinESMExports()
  t.after(() => {
    compare.mock.restore()
    syncBuiltinESMExports()
  })
  const digest = createHash('sha256').update(key).digest()
  const compared = () =>
    compare.mock.calls.filter(({ arguments: [, right] }) => digest.equals(right as Buffer)).length
  // What begins alike, and is shown so in the list, is looked for by nobody.
  const prefix = key.slice(0, 12)
  for (const other of [prefix, prefix.padEnd(key.length, 'A'), `${key}A`, key.slice(0, -1)]) {
    assert.equal((await app.as(other).get(ME)).status, 401)
  }
  assert.equal(compared(), 0)
  const almost = Buffer.from(digest)
  almost[31] = (almost[31] ?? 0) ^ 1
  const store = (hash: Buffer) =>
    app.deps.database.execute('update users.api_keys set hash = $1 where id = $2', [hash, id])
  await store(almost)
  assert.equal((await app.as(key).get(ME)).status, 401)
  await store(digest)
  assert.equal((await app.as(key).get(ME)).status, 200)
  assert.equal(compared(), 1)
})

test('a key counts neither after it was revoked, nor after its end, nor with a character changed (hardening 13)', async () => {
  const ada = await person(app)
  const revoked = await apiKey(app, ada, { permission: 'read' })
  assert.equal((await revoked.get(ME)).status, 200)
  assert.equal((await ada.delete(`/v1/api-keys/${revoked.id}`)).status, 200)
  assert.equal((await revoked.get(ME)).status, 401)
  assert.equal((await ada.delete(`/v1/api-keys/${revoked.id}`)).status, 404)
  const endsAt = new Date(Date.parse(app.deps.clock.now()) + 60_000).toISOString()
  const ending = await apiKey(app, ada, { permission: 'read', expiresAt: endsAt })
  const last = ending.key.endsWith('A') ? 'B' : 'A'
  assert.equal((await app.as(ending.key.slice(0, -1) + last).get(ME)).status, 401)
  for (const name of ['api_key', 'apiKey', 'key', 'access_token', 'token', 'authorization']) {
    assert.equal((await app.get(`${ME}?${name}=${ending.key}`)).status, 401, name)
  }
  assert.equal((await ending.get(ME)).status, 200)
  await app.advance(61)
  assert.equal((await ending.get(ME)).status, 401)
})

const WRONG = [
  [{ permission: 'admin' }, 400],
  [{}, 400],
  [{ permission: 'read', expiresAt: '2020-01-01T00:00:00Z' }, 422],
  [{ permission: 'read', expiresAt: '2030-12-31T23:59:60Z' }, 400],
  [{ permission: 'read', allowedIps: ['example.org'] }, 422],
  [{ permission: 'read', userId: '01900000-0000-7000-8000-000000000000' }, 400],
] as const

for (const [body, expected] of WRONG) {
  test(`making a key of ${JSON.stringify(body)} is a ${expected}`, async () => {
    const ada = await person(app)
    assert.equal((await ada.post('/v1/api-keys', body)).status, expected)
  })
}

test('a read key reads by GET and HEAD, and no header makes more of either (hardening 6)', async () => {
  const ada = await person(app)
  const key = await apiKey(app, ada, { permission: 'read' })
  const headers = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE' }
  for (const method of ['GET', 'HEAD']) {
    const path = `/v1/api-keys/${key.id}`
    assert.equal((await key.request(method, path, undefined, { headers })).status, 200)
  }
  for (const method of ['POST', 'PATCH', 'DELETE', 'PUT']) {
    const { status } = await key.request(method, ME, {}, { headers })
    assert.ok(status === 403 || status === 404, `${method} answers ${status}`)
  }
  assert.equal((await key.delete(`/v1/api-keys/${key.id}`)).body.code, 'read_only_key')
  assert.equal((await key.get(ME)).status, 200)
})

test('a key made with a key ends with it, and never later, also where that one made it in turn', async () => {
  const ada = await person(app)
  const expiresAt = new Date(Date.parse(app.deps.clock.now()) + 3_600_000).toISOString()
  const wanted = { permission: 'read-write', expiresAt } as const
  const parent = await apiKey(app, ada, wanted)
  const made = await parent.post('/v1/api-keys', { permission: 'read-write' })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual([made.body.expiresAt, made.body.parentId], [expiresAt, parent.id])
  const child = app.as(made.body.key)
  const grandchild = app.as((await child.post('/v1/api-keys', { permission: 'read' })).body.key)
  assert.equal((await grandchild.get(ME)).status, 200)
  const longer = { permission: 'read', expiresAt: '2090-01-01T00:00:00.000Z' }
  const refused = await parent.post('/v1/api-keys', longer)
  assert.deepEqual([refused.status, refused.body.code], [422, 'expires_after_parent'])
  assert.equal((await ada.delete(`/v1/api-keys/${parent.id}`)).status, 200)
  assert.equal((await child.get(ME)).status, 401)
  assert.equal((await grandchild.get(ME)).status, 401)
})

test('a key made with a key is used from the addresses of that one at most, and a read key makes none', async () => {
  const ada = await person(app)
  const parent = await apiKey(app, ada, { permission: 'read-write', allowedIps: ['127.0.0.0/8'] })
  const post = (allowedIps: string[]) =>
    parent.post('/v1/api-keys', { permission: 'read', allowedIps })
  assert.deepEqual((await post([])).body.allowedIps, ['127.0.0.0/8'])
  assert.deepEqual((await post(['127.0.0.1'])).body.allowedIps, ['127.0.0.1'])
  for (const range of ['0.0.0.0/0', '127.0.0.0/7', '192.0.2.1', '::/0']) {
    assert.equal((await post([range])).status, 422, range)
  }
  const reading = await apiKey(app, ada, { permission: 'read' })
  assert.equal((await reading.post('/v1/api-keys', { permission: 'read' })).status, 403)
})

test("somebody else's key can neither be seen nor revoked", async () => {
  const key = await apiKey(app, await person(app), { permission: 'read' })
  const eve = await person(app)
  assert.equal((await eve.get(`/v1/api-keys/${key.id}`)).status, 404)
  assert.equal((await eve.delete(`/v1/api-keys/${key.id}`)).status, 404)
  assert.equal((await key.get(ME)).status, 200)
})

test('a key that is held to other addresses is a 401', async () => {
  const ada = await person(app)
  const here = await apiKey(app, ada, { permission: 'read', allowedIps: ['127.0.0.0/8'] })
  const elsewhere = await apiKey(app, ada, { permission: 'read', allowedIps: ['192.0.2.0/24'] })
  assert.equal((await here.get(ME)).status, 200)
  assert.equal((await elsewhere.get(ME)).status, 401)
})

test('a key that is held to an address is not remembered for another one', async (t) => {
  const behind = await testApp(t, { config: { trustProxy: ['127.0.0.1'] } })
  const ada = await person(behind)
  const key = await apiKey(behind, ada, { permission: 'read', allowedIps: ['192.0.2.1'] })
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  assert.equal((await key.get(ME, from('192.0.2.1'))).status, 200)
  assert.equal((await key.get(ME, from('192.0.2.2'))).status, 401)
})

test('when a key was used is noted, without the request waiting for it', async () => {
  const ada = await person(app)
  const key = await apiKey(app, ada, { permission: 'read' })
  await key.get(ME)
  const used = await until('the use to be noted', async () => {
    const { body } = await ada.get(`/v1/api-keys/${key.id}`)
    return body.lastUsedAt
  })
  assert.match(used, /Z$/)
})

const RANGES = [
  ['192.0.2.7', '192.0.2.7', true],
  ['192.0.2.8', '192.0.2.7', false],
  ['192.0.2.8', '192.0.2.0/24', true],
  ['::ffff:192.0.2.8', '192.0.2.0/24', true],
  ['2001:db8::1', '2001:db8::/32', true],
  ['2001:db9::1', '2001:db8::/32', false],
  ['2001:db8::1', '0.0.0.0/0', false],
] as const

for (const [address, range, allowed] of RANGES) {
  test(`${address} is ${allowed ? '' : 'not '}in ${range}`, () => {
    assert.equal(isAllowedFrom(address, [range]), allowed)
  })
}

for (const text of ['', '192.0.2', '192.0.2.7/33', '192.0.2.7/', '1.2.3.4/8/8', 'fe80::1%eth0']) {
  test(`"${text}" is no range of addresses`, () => {
    assert.equal(isAddressRange(text), false)
  })
}

test('a person has as many keys as the shop allows, 25 unless it says otherwise', async (t) => {
  const shop = await testApp(t)
  const ada = await person(shop)
  for (let count = 0; count < 25; count += 1) await apiKey(shop, ada, { permission: 'read' })
  const refused = await ada.post('/v1/api-keys', { permission: 'read' })
  assert.deepEqual([refused.status, refused.body.code], [422, 'too_many_api_keys'])
  await keepSettings(shop, 'security', { apiKeysPerPerson: 26 })
  assert.equal((await ada.post('/v1/api-keys', { permission: 'read' })).status, 201)
})

test('keys that are created and revoked in turn are limited per person and day, because their rows stay', async () => {
  const ada = await person(app)
  for (let n = 0; n < 100; n += 1) {
    const { status, body } = await ada.post('/v1/api-keys', { permission: 'read' })
    assert.equal(status, 201)
    await ada.delete(`/v1/api-keys/${body.id}`)
  }
  const refused = await ada.post('/v1/api-keys', { permission: 'read' })
  assert.deepEqual([refused.status, refused.body.code], [429, 'limit_reached'])
  const other = await person(app)
  assert.equal((await other.post('/v1/api-keys', { permission: 'read' })).status, 201)
})
