import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { pino } from 'pino'
import { newId } from '#lib/id.ts'
import { verifyClientSecret } from '#oidc'
import { testApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { asOwner } from '#test/owner.ts'
import { apiKey, otherTenant, person } from '#test/people.ts'

const URL = '/v1/admin/oauth-clients'
const FORUM = { name: 'Forum', redirectUris: ['https://forum.example.org/callback'] }
const MINUTE = 60

const lines: string[] = []
const sink = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})
const app = await testApp(null, { log: pino({ level: 'trace' }, sink) })
const admin = await person(app, { admin: true })

async function create(body: object = {}, by: Client = admin) {
  const answer = await by.post(URL, { ...FORUM, ...body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

function isAccepted(clientId: string, secret: string, tenantId = app.tenantId): Promise<boolean> {
  const { database, clock } = app.deps
  return verifyClientSecret(database.of(tenantId), {
    ...{ tenantId, clientId, secret },
    now: clock.now(),
  })
}

test('a new client has its secret in clear, and the usual scopes', async () => {
  const client = await create()
  assert.match(client.clientSecret, /^[\w-]{43}$/)
  assert.equal(client.clientId, client.id)
  const { id, createdAt, clientId, clientSecret, ...rest } = client
  assert.deepEqual(rest, {
    ...FORUM,
    type: 'confidential',
    postLogoutRedirectUris: [],
    scopes: ['openid', 'profile', 'email'],
    secretOverlapSeconds: 0,
    requireVerifiedEmail: true,
    previousSecretEndsAt: null,
  })
  assert.equal(await isAccepted(id, clientSecret), true)
})

test('after its creation a secret is masked everywhere (hardening 21)', async () => {
  const { id, clientSecret } = await create()
  const masked = `••••${clientSecret.slice(-4)}`
  const one = await admin.get(`${URL}/${id}`)
  const all = await admin.get(URL)
  const changed = await admin.patch(`${URL}/${id}`, { name: 'Board' })
  assert.equal(one.body.clientSecret, masked)
  assert.equal(all.body.data[0].clientSecret, masked)
  assert.equal(changed.body.clientSecret, masked)
  for (const { text } of [one, all, changed]) assert.ok(!text.includes(clientSecret))
})

test('a public client has no secret, and none can be made', async () => {
  const { id, clientSecret } = await create({ type: 'public' })
  assert.equal(clientSecret, null)
  const { status, body } = await admin.post(`${URL}/${id}/rotate-secret`)
  assert.deepEqual([status, body.code], [422, 'public_client'])
  assert.equal(await isAccepted(id, ''), false)
})

const bodies = [
  ['no content type and no body', undefined, {}],
  ['JSON and nothing behind it', undefined, { headers: { 'content-type': 'application/json' } }],
  ['an empty object', {}, {}],
] as const

for (const [what, body, options] of bodies) {
  test(`a rotation with ${what} answers the new secret, and ends the old one at once (hardening 21)`, async () => {
    const { id, clientSecret: old } = await create()
    const { status, body: client } = await admin.post(`${URL}/${id}/rotate-secret`, body, options)
    assert.equal(status, 200)
    assert.deepEqual([client.id, client.clientId, client.previousSecretEndsAt], [id, id, null])
    assert.match(client.clientSecret, /^[\w-]{43}$/)
    assert.equal(await isAccepted(id, client.clientSecret), true)
    assert.equal(await isAccepted(id, old), false)
  })
}

test('a rotation with fields in its body is refused', async () => {
  const { id, clientSecret } = await create()
  const { status } = await admin.post(`${URL}/${id}/rotate-secret`, { clientSecret: 'mine' })
  assert.equal(status, 400)
  assert.equal(await isAccepted(id, clientSecret), true)
})

test('with an overlap the old secret works until its last moment, and not in it (hardening 21)', async () => {
  const { id, clientSecret: old } = await create({ secretOverlapSeconds: MINUTE })
  const { body: client } = await admin.post(`${URL}/${id}/rotate-secret`)
  const { database, clock } = app.deps
  const { tenantId } = app
  const at = (now: string) =>
    verifyClientSecret(database.of(tenantId), {
      ...{ tenantId, clientId: id, secret: old },
      now: now as ReturnType<typeof clock.now>,
    })
  const endsAt = client.previousSecretEndsAt
  assert.equal(await at(new Date(Date.parse(endsAt) - 1).toISOString()), true)
  assert.equal(await at(endsAt), false)
  await app.advance(MINUTE)
  const { body: later } = await admin.get(`${URL}/${id}`)
  assert.equal(later.previousSecretEndsAt, null)
  assert.equal(await isAccepted(id, old), false)
  assert.equal(await isAccepted(id, client.clientSecret), true)
})

test('a second rotation ends the secret before the last, overlap or not', async () => {
  const { id, clientSecret: first } = await create({ secretOverlapSeconds: MINUTE })
  const { body: second } = await admin.post(`${URL}/${id}/rotate-secret`)
  const { body: third } = await admin.post(`${URL}/${id}/rotate-secret`)
  assert.equal(await isAccepted(id, first), false)
  assert.equal(await isAccepted(id, second.clientSecret), true)
  assert.equal(await isAccepted(id, third.clientSecret), true)
})

test('a rotation without overlap also ends what an earlier overlap had kept', async () => {
  const { id, clientSecret: first } = await create({ secretOverlapSeconds: MINUTE })
  const { body: second } = await admin.post(`${URL}/${id}/rotate-secret`)
  await admin.patch(`${URL}/${id}`, { secretOverlapSeconds: 0 })
  assert.equal(await isAccepted(id, first), true)
  await admin.post(`${URL}/${id}/rotate-secret`)
  assert.equal(await isAccepted(id, first), false)
  assert.equal(await isAccepted(id, second.clientSecret), false)
})

test('a repeated rotation with the same Idempotency-Key is 409, and rotates once (hardening 21)', async () => {
  const { id } = await create()
  const headers = { 'idempotency-key': 'rotate-once' }
  const url = `${URL}/${id}/rotate-secret`
  const { body } = await admin.post(url, undefined, { headers })
  const again = await admin.post(url, undefined, { headers })
  assert.deepEqual([again.status, again.body.code], [409, 'already_answered'])
  assert.equal(await isAccepted(id, body.clientSecret), true)
})

test('a change touches only the fields it names, and none when it names none', async () => {
  const client = await create({ scopes: ['openid', 'services'] })
  const change = {
    name: 'Board',
    redirectUris: ['http://localhost:8080/cb', 'https://board.example.org/cb'],
    postLogoutRedirectUris: ['https://board.example.org/'],
    secretOverlapSeconds: 60,
    type: 'confidential',
  }
  const { status, body } = await admin.patch(`${URL}/${client.id}`, change)
  assert.equal(status, 200)
  const masked = `••••${client.clientSecret.slice(-4)}`
  assert.deepEqual(body, { ...client, ...change, clientSecret: masked })
  const nothing = await admin.patch(`${URL}/${client.id}`)
  assert.deepEqual([nothing.status, nothing.body], [200, body])
})

test('the type of a client does not change', async () => {
  const { id } = await create()
  const { status, body } = await admin.patch(`${URL}/${id}`, { type: 'public' })
  assert.deepEqual([status, body.code], [422, 'client_type_fixed'])
})

const refused = [
  ['without a name', { name: undefined }, 'name'],
  ['with an empty name', { name: '' }, 'name'],
  ['without redirect addresses', { redirectUris: undefined }, 'redirectUris'],
  ['with an empty list of addresses', { redirectUris: [] }, 'redirectUris'],
  ['with a wildcard', { redirectUris: ['https://*.example.org/'] }, 'redirectUris.0'],
  ['with a bad logout address', { postLogoutRedirectUris: ['x'] }, 'postLogoutRedirectUris.0'],
  ['with an unknown scope', { scopes: ['openid', 'admin'] }, 'scopes.1'],
  ['with a negative overlap', { secretOverlapSeconds: -1 }, 'secretOverlapSeconds'],
  ['with a secret of its own', { clientSecret: 'mine' }, 'clientSecret'],
] as const

for (const [what, fields, path] of refused) {
  test(`a client ${what} is refused with 400 that names ${path}`, async () => {
    const { status, body } = await admin.post(URL, { ...FORUM, ...fields })
    assert.equal(status, 400)
    assert.equal(body.details[0].path, path)
  })
}

test('a bad address in a change is a 400 for a known client and a 404 for an unknown one', async () => {
  const { id } = await create()
  const change = { redirectUris: ['https://a.example/#'] }
  assert.equal((await admin.patch(`${URL}/${id}`, change)).status, 400)
  assert.equal((await admin.patch(`${URL}/${newId()}`, change)).status, 404)
  assert.equal((await admin.patch(`${URL}/${newId()}`, { nothing: 1 })).status, 404)
})

test('a deleted client is gone: 404 from then on, and its secret does not work', async () => {
  const { id, clientSecret } = await create()
  const { status, body } = await admin.delete(`${URL}/${id}`)
  assert.deepEqual([status, body], [200, { id, deleted: true }])
  assert.equal((await admin.get(`${URL}/${id}`)).status, 404)
  assert.equal((await admin.delete(`${URL}/${id}`)).status, 404)
  assert.equal((await admin.post(`${URL}/${id}/rotate-secret`)).status, 404)
  assert.equal(await isAccepted(id, clientSecret), false)
})

test('a client of another tenant does not exist', async () => {
  const { id, clientSecret } = await create()
  const tenantId = await otherTenant(app, 'other.example')
  const stranger = await person(app, { admin: true, tenantId })
  for (const { status } of [
    await stranger.get(`${URL}/${id}`),
    await stranger.patch(`${URL}/${id}`, { name: 'Mine' }),
    await stranger.post(`${URL}/${id}/rotate-secret`),
    await stranger.delete(`${URL}/${id}`),
  ]) {
    assert.equal(status, 404)
  }
  assert.deepEqual((await stranger.get(URL)).body, { data: [], nextCursor: null })
  assert.equal(await isAccepted(id, clientSecret), true)
  assert.equal(await isAccepted(id, clientSecret, tenantId), false)
})

test('only the permission for it opens clients', async () => {
  const { id } = await create()
  const customer = await person(app)
  const reader = await person(app, { permissions: ['oauth:read'] })
  const stranger = await person(app, { permissions: ['store:*'] })
  const key = await apiKey(app, admin, { permission: 'read' })
  assert.equal((await app.get(URL)).status, 401)
  assert.equal((await customer.get(URL)).status, 403)
  assert.equal((await stranger.get(URL)).status, 403)
  assert.equal((await reader.get(`${URL}/${id}`)).status, 200)
  assert.equal((await key.get(`${URL}/${id}`)).status, 200)
  for (const by of [customer, stranger, reader, key]) {
    assert.equal((await by.post(URL, FORUM)).status, 403)
    assert.equal((await by.patch(`${URL}/${id}`, {})).status, 403)
    assert.equal((await by.post(`${URL}/${id}/rotate-secret`)).status, 403)
    assert.equal((await by.delete(`${URL}/${id}`)).status, 403)
  }
})

test('a malformed id is a 404, and no client has it', async () => {
  assert.equal((await admin.post(`${URL}/constructor/rotate-secret`)).status, 404)
  for (const clientId of ['constructor', '', "' or 1=1--", 'x'.repeat(5000)]) {
    assert.equal(await isAccepted(clientId, 'secret'), false)
  }
})

test('the list is read page by page, newest first', async () => {
  const made = [await create(), await create(), await create()].map(({ id }) => id).reverse()
  const first = await admin.get(`${URL}?limit=2`)
  const second = await admin.get(`${URL}?limit=2&cursor=${first.body.nextCursor}`)
  const ids = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id)
  assert.deepEqual(ids.slice(0, 3), made)
})

test('no table and no line of the log holds a secret (hardening 21)', async () => {
  const headers = { 'idempotency-key': 'keep-nothing' }
  const { body: created } = await admin.post(URL, FORUM, { headers })
  const { body: rotated } = await admin.post(`${URL}/${created.id}/rotate-secret`)
  await app.eventually('the rotation is in the audit log', async () => {
    const path = `/v1/admin/audit-logs?objectId=${created.id}`
    const { data } = (await admin.get(path)).body
    return data.some(({ route }: { route: string }) => route.endsWith('/rotate-secret'))
  })
  const { database } = app.deps
  const { rows: tables } = await database.execute(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  assert.ok(tables.length > 10, 'the tables were found')
  const secrets = [created.clientSecret, rotated.clientSecret]
  for (const { name } of tables) {
    const holding = `select from ${name} as it where it::text like any ($1)`
    const { rows } = await asOwner(database, holding, [secrets.map((secret) => `%${secret}%`)])
    assert.equal(rows.length, 0, `${name} holds a secret`)
  }
  assert.ok(lines.length > 0, 'the log was heard')
  for (const secret of secrets) assert.ok(!lines.join('').includes(secret))
})
