import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hash } from '@node-rs/argon2'
import { areas } from '#app/areas.ts'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { hearLinks } from '#test/links.ts'
import { apiKey, person } from '#test/people.ts'
import { setPassword } from './actions.ts'

const links = hearLinks()
const app = await testApp(null, { areas: [...areas, links.area] })
const PASSWORD = 'correct horse battery'
const UNKNOWN_TOKEN = 'x'.repeat(43)
let made = 0

function address(): string {
  made += 1
  return `ada${made}@example.org`
}

async function registered(email = address()) {
  const { status, body } = await app.post('/v1/auth/register', {
    ...{ email, password: PASSWORD, name: 'Ada Lovelace', country: 'FR' },
  })
  assert.equal(status, 201)
  return { email, me: app.as(body.accessToken), ...body }
}

function login(email: string, password = PASSWORD) {
  return app.post('/v1/auth/login', { email, password })
}

test('who registers is signed in, with an address that is not confirmed', async () => {
  const { me, expiresIn, user } = await registered('Grace@Example.org')
  assert.equal(expiresIn, 900)
  assert.equal(user.email, 'grace@example.org')
  assert.equal(user.emailVerifiedAt, null)
  assert.equal(user.status, 'active')
  assert.deepEqual(user.roles, [])
  assert.deepEqual((await me.get('/v1/users/me')).body, user)
})

test('a taken address is a 409 that does not say so, in any case of its letters', async () => {
  const { email } = await registered()
  const wanted = { email: email.toUpperCase(), password: PASSWORD, name: 'Eve' }
  const { status, body } = await app.post('/v1/auth/register', wanted)
  assert.equal(status, 409)
  assert.equal(body.message, 'An account cannot be opened with this address.')
})

const WEAK = [
  ['short', 400],
  ['password123', 422],
  ['weak@example.org', 422],
] as const

for (const [password, expected] of WEAK) {
  test(`the password ${password} is refused with ${expected}`, async () => {
    const wanted = { email: 'weak@example.org', password, name: 'Eve' }
    assert.equal((await app.post('/v1/auth/register', wanted)).status, expected)
  })
}

const eve = await person(app)
const FORGED = [
  ...['role', 'isAdmin', 'tenantId', 'status', 'emailVerifiedAt', 'credits', 'roles'],
  ...['mfaEnabled', 'mfaEnabledAt', 'passwordHash', 'pendingEmail', 'id', 'suspendedAt'],
]

for (const field of FORGED) {
  test(`mass assignment: registering and changing the profile refuse the field ${field} (hardening 5)`, async () => {
    const wanted = { email: address(), password: PASSWORD, name: 'Eve', [field]: 'admin' }
    assert.equal((await app.post('/v1/auth/register', wanted)).status, 400)
    assert.equal((await eve.patch('/v1/users/me', { [field]: 'admin' })).status, 400)
  })
}

test('enumeration: an unknown address and a wrong password get the same answer (hardening 14)', async () => {
  const { email } = await registered()
  const wrong = await login(email, 'not the password')
  const unknown = await login('nobody@example.org', 'not the password')
  assert.equal(wrong.status, 401)
  assert.deepEqual(unknown.body, wrong.body)
})

test('a password hashed with less work than today is hashed again at the login', async () => {
  const { email, user } = await registered()
  const weak = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
  const db = app.deps.database.of(app.tenantId)
  const key = { tenantId: app.tenantId, userId: user.id }
  const now = app.deps.clock.now()
  await transact(db, (tx) => setPassword(tx, { ...key, passwordHash: weak }, now))
  assert.equal((await login(email)).status, 200)
  const { passwordHash } = await db
    .selectFrom('users.users')
    .select('passwordHash')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  assert.match(String(passwordHash), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.equal((await login(email)).status, 200)
})

test('refresh reuse: a refresh token works once, and its return ends the whole session (hardening 17)', async () => {
  const { refreshToken, me } = await registered()
  const second = await app.post('/v1/auth/refresh', { refreshToken })
  assert.equal(second.status, 200)
  const stolen = await app.post('/v1/auth/refresh', { refreshToken })
  assert.equal(stolen.status, 401)
  const next = { refreshToken: second.body.refreshToken }
  assert.equal((await app.post('/v1/auth/refresh', next)).status, 401)
  assert.equal((await me.get('/v1/users/me')).status, 401)
  assert.equal((await app.as(second.body.accessToken).get('/v1/users/me')).status, 401)
})

test('refreshes that arrive together all get a token of one session (hardening 17)', async () => {
  const { refreshToken } = await registered()
  const five = <T>(send: () => Promise<T>) => Promise.all(Array.from({ length: 5 }, send))
  // What has to open a connection first arrives later, on a slow machine too late.
  await five(() => app.get('/v1/health/live'))
  const answers = await five(() => app.post('/v1/auth/refresh', { refreshToken }))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  )
  for (const { body } of answers) {
    const next = await app.post('/v1/auth/refresh', { refreshToken: body.refreshToken })
    assert.equal(next.status, 200)
  }
})

test('an access token ends after 15 minutes, and the refresh token goes on', async () => {
  const { refreshToken, me } = await registered()
  await app.advance(890)
  assert.equal((await me.get('/v1/users/me')).status, 200)
  await app.advance(10)
  assert.equal((await me.get('/v1/users/me')).status, 401)
  const fresh = await app.post('/v1/auth/refresh', { refreshToken })
  assert.equal(fresh.status, 200)
  assert.equal((await app.as(fresh.body.accessToken).get('/v1/users/me')).status, 200)
})

test('a session that nobody refreshes ends after 30 days', async () => {
  const { refreshToken } = await registered()
  await app.advance(30 * 24 * 3600 + 1)
  assert.equal((await app.post('/v1/auth/refresh', { refreshToken })).status, 401)
})

test('signing out ends the session at once, and is the same for an unknown token', async () => {
  const { refreshToken, me } = await registered()
  assert.equal((await me.get('/v1/users/me')).status, 200)
  const answer = await app.post('/v1/auth/logout', { refreshToken })
  assert.equal(answer.status, 200)
  assert.equal((await me.get('/v1/users/me')).status, 401)
  const unknown = await app.post('/v1/auth/logout', { refreshToken: UNKNOWN_TOKEN })
  assert.deepEqual(unknown.body, answer.body)
})

test('a link confirms the address once', async () => {
  const { email, me } = await registered()
  const token = await links.newest(app, 'verify', email)
  assert.equal((await app.post('/v1/auth/email/verify', { token })).status, 200)
  assert.notEqual((await me.get('/v1/users/me')).body.emailVerifiedAt, null)
  assert.equal((await app.post('/v1/auth/email/verify', { token })).status, 410)
  const unknown = { token: UNKNOWN_TOKEN }
  assert.equal((await app.post('/v1/auth/email/verify', unknown)).status, 404)
})

test('an expired link is refused with 410, and another one can be sent', async () => {
  const { email } = await registered()
  const old = await links.newest(app, 'verify', email)
  await app.advance(3 * 24 * 3600 + 1)
  assert.equal((await app.post('/v1/auth/email/verify', { token: old })).status, 410)
  assert.equal((await app.post('/v1/auth/email/resend', { email })).status, 202)
  const token = await links.newest(app, 'verify', email, old)
  assert.equal((await app.post('/v1/auth/email/verify', { token })).status, 200)
})

test('only the hash of a link is in the database', async () => {
  const { email } = await registered()
  const token = await links.newest(app, 'verify', email)
  const { rows } = await app.deps.database.execute(
    `select (select count(*) from users.email_tokens t where t::text like $1)
          + (select count(*) from jobs.job j where j::text like $1) as found`,
    [`%${token}%`],
  )
  assert.deepEqual(rows, [{ found: 0 }])
})

test('a forgotten password gets the same answer for a known and an unknown address (hardening 14)', async () => {
  const { email } = await registered()
  const known = await app.post('/v1/auth/password/forgot', { email })
  const unknown = await app.post('/v1/auth/password/forgot', { email: 'nobody@example.org' })
  assert.equal(known.status, 202)
  assert.deepEqual(unknown.body, known.body)
})

test('a reset sets the password once, and ends sessions and keys (hardening 18)', async () => {
  const { email, me, user, refreshToken } = await registered()
  const key = await apiKey(app, { tenantId: app.tenantId, userId: user.id }, { permission: 'read' })
  assert.equal((await key.get('/v1/users/me')).status, 200)
  await app.post('/v1/auth/password/forgot', { email })
  const token = await links.newest(app, 'reset', email)
  const password = 'another horse battery'
  assert.equal((await app.post('/v1/auth/password/reset', { token, password })).status, 200)
  assert.equal((await me.get('/v1/users/me')).status, 401)
  assert.equal((await key.get('/v1/users/me')).status, 401)
  assert.equal((await app.post('/v1/auth/refresh', { refreshToken })).status, 401)
  assert.equal((await login(email)).status, 401)
  const again = await login(email, password)
  assert.notEqual(again.body.user.emailVerifiedAt, null)
  assert.equal((await app.post('/v1/auth/password/reset', { token, password })).status, 410)
})

test('nobody gets more than five links of one kind in an hour', async () => {
  const { email, user } = await registered()
  const before = links.asked.length
  for (let count = 0; count < 7; count += 1) {
    await app.post('/v1/auth/password/forgot', { email })
    await app.advance(1)
  }
  const marker = await registered()
  await links.newest(app, 'verify', marker.email)
  await app.post('/v1/auth/password/forgot', { email: marker.email })
  await links.newest(app, 'reset', marker.email)
  const sent = links.asked.slice(before).filter(({ userId }) => userId === user.id)
  assert.equal(sent.filter(({ purpose }) => purpose === 'reset').length, 5)
})

test('a link can be looked at before its form, as often as wanted, until it is used or over', async () => {
  const { email } = await registered()
  const look = (token: string) => app.post('/v1/auth/links/check', { token })
  const verify = await links.newest(app, 'verify', email)
  const { status, body, text } = await look(verify)
  assert.equal(status, 200, text)
  assert.deepEqual([body.purpose, body.email], ['verify', email])
  assert.equal((await look(verify)).status, 200)
  assert.equal((await app.post('/v1/auth/email/verify', { token: verify })).status, 200)
  assert.equal((await look(verify)).status, 410)
  await app.post('/v1/auth/password/forgot', { email })
  const reset = await links.newest(app, 'reset', email)
  assert.equal((await look(reset)).body.purpose, 'reset')
  app.deps.clock.advance(3600_000)
  assert.equal((await look(reset)).status, 410)
  app.deps.clock.advance(-3600_000)
  assert.equal((await look(UNKNOWN_TOKEN)).status, 404)
})
