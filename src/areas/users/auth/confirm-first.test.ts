import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import { DAY_MS, SECOND_MS } from '#lib/time.ts'
import { account, confirmAddress, PASSWORD } from '#test/accounts.ts'
import { testApp, until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { hearLinks } from '#test/links.ts'
import { apiKey, person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'

// A shop that gives no session before the address of an account is confirmed.

const links = hearLinks()
const app = await testApp(null, {
  areas: [...areas, links.area],
  config: { trustProxy: ['127.0.0.1'] },
})
const admin = await apiKey(app, await person(app, { admin: true }), { permission: 'read' })
const known = await account(app)
const unproven = await account(app, { verified: false })
await keepSettings(app, 'registration', { confirmBeforeSession: true })
let made = 0

function freeAddress(): string {
  made += 1
  return `first${made}@example.org`
}

let networks = 0
function register(email: string, more: object = {}, network?: string) {
  networks += 1
  const wanted = { email, password: PASSWORD, name: 'Eve', ...more }
  const from = network ?? `192.0.2.${networks}`
  const headers = { 'x-forwarded-for': from, origin: app.url }
  return app.post('/v1/auth/register', wanted, { headers })
}

function login(email: string, password = PASSWORD) {
  return app.post('/v1/auth/login', { email, password })
}

/** An answer as its caller sees it, without what is different in each one. */
function shown({ status, headers, text }: Answer) {
  const { date: _date, 'x-ratelimit-reset': _seconds, 'x-request-id': id, ...rest } = headers
  return { status, headers: rest, text: text.replaceAll(String(id), 'the request') }
}

async function jobsOpened(): Promise<void> {
  await until('registrations are done', async () => {
    const { rows } = await app.deps.database.execute(
      `select count(*)::int as count from jobs.job
       where name = 'users.open-requested-account' and state in ('created', 'active', 'retry')`,
    )
    return Number(rows[0]?.count) === 0
  })
}

/** Registers a free address, and answers the token of its mail. */
async function applied(more: object = {}): Promise<{ email: string; token: string }> {
  const email = freeAddress()
  assert.equal((await register(email, more)).status, 202)
  return { email, token: await links.newest(app, 'verify', email) }
}

test('a free, a taken and an unconfirmed address get the same answer byte for byte, and no cookie', async () => {
  const answers = [
    await register(freeAddress(), { transport: 'cookie' }),
    await register(known.email, { transport: 'cookie' }),
    await register(unproven.email, { transport: 'cookie' }),
  ]
  const [free, taken, waiting] = answers.map(shown)
  assert.deepEqual([free?.status, free?.text], [202, '{"accepted":true}'])
  assert.deepEqual(taken, free)
  assert.deepEqual(waiting, free)
  assert.equal(free?.headers['set-cookie'], undefined)
  assert.equal((await app.get('/v1/meta')).body.confirmBeforeSession, true)
})

test('a network that registers taken addresses is refused no sooner than one that registers free ones', async () => {
  const LIMITS = { registrationsPerNetwork: 6, takenAddressesPerNetwork: 2 }
  await keepSettings(app, 'limits', LIMITS)
  for (let n = 0; n < LIMITS.registrationsPerNetwork; n += 1) {
    assert.equal((await register(known.email, {}, '198.51.100.1')).status, 202)
    assert.equal((await register(freeAddress(), {}, '198.51.100.2')).status, 202)
  }
  const [taken, free] = [
    await register(known.email, {}, '198.51.100.1'),
    await register(freeAddress(), {}, '198.51.100.2'),
  ]
  assert.deepEqual([taken.status, taken.body.code], [429, 'limit_reached'])
  assert.deepEqual(shown(taken).text, shown(free).text)
  await keepSettings(app, 'limits', {})
})

test('signing in with the password of a registration does not tell whether the address was free', async () => {
  const { email } = await applied({ password: 'the password of the attacker' })
  await register(known.email, { password: 'the password of the attacker' })
  await jobsOpened()
  const answers = [
    await login(email, 'the password of the attacker'),
    await login(known.email, 'the password of the attacker'),
    await login(freeAddress(), 'the password of the attacker'),
    await login(email, 'another password altogether'),
  ].map(shown)
  assert.equal(answers[0]?.status, 401)
  assert.equal(JSON.parse(answers[0]?.text ?? '').code, 'sign_in_failed')
  // Each sign-in counts against one quota.
  const same = answers.map(({ status, text }) => ({ status, text }))
  for (const answer of same) assert.deepEqual(answer, same[0])
})

test('the link and the password confirm the address and open the session, once', async () => {
  const { email, token } = await applied({ name: 'Ada', country: 'FR', state: 'cart of Ada' })
  const link = await app.post('/v1/auth/links/check', { token })
  assert.deepEqual([link.body.email, link.body.passwordNeeded], [email, true])
  for (const body of [{ token }, { token, password: 'not this one at all' }]) {
    const refused = await app.post('/v1/auth/email/verify', body)
    assert.deepEqual([refused.status, refused.body.code], [403, 'password_required'])
  }
  assert.equal((await login(email)).status, 401)
  const { status, body, text } = await app.post('/v1/auth/email/verify', {
    ...{ token, password: PASSWORD },
  })
  assert.equal(status, 200, text)
  assert.deepEqual([body.verified, body.state], [true, 'cart of Ada'])
  const me = (await app.as(body.signIn.accessToken).get('/v1/users/me')).body
  assert.deepEqual([me.email, me.name, me.country], [email, 'Ada', 'FR'])
  assert.ok(me.emailVerifiedAt)
  assert.equal(body.signIn.user.id, me.id)
  assert.ok(body.signIn.refreshToken)
  const again = await app.post('/v1/auth/email/verify', { token, password: PASSWORD })
  assert.equal(again.status, 410)
  assert.equal((await login(email)).status, 200)
  const { rows } = await app.deps.database.execute(
    'select registration_state from users.users where id = $1',
    [me.id],
  )
  assert.deepEqual(rows, [{ registration_state: null }])
})

test('a browser gets its session cookie with the confirmation', async () => {
  const { token } = await applied()
  const body = { token, password: PASSWORD, transport: 'cookie' }
  const foreign = await app.post('/v1/auth/email/verify', body, {
    headers: { origin: 'https://evil.example' },
  })
  assert.equal(foreign.status, 403)
  const answer = await app.post('/v1/auth/email/verify', body, { headers: { origin: app.url } })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.signIn.refreshToken, null)
  assert.match(String(answer.headers['set-cookie']), /^moorage=[^;]+;.*HttpOnly/)
})

test('the owner of an address whose account another person opened gets in with a new password, and the other does not', async () => {
  const { email } = await applied({ password: 'the password of the attacker', state: 'theirs' })
  await app.post('/v1/auth/password/forgot', { email })
  const token = await links.newest(app, 'reset', email)
  const reset = await app.post('/v1/auth/password/reset', { token, password: PASSWORD })
  assert.equal(reset.status, 200, reset.text)
  assert.equal((await login(email, 'the password of the attacker')).status, 401)
  assert.equal((await login(email)).status, 200)
  const { rows } = await app.deps.database.execute(
    'select registration_state from users.users where email = $1',
    [email],
  )
  assert.deepEqual(rows, [{ registration_state: null }])
})

test('an account that waits for its confirmation gets the link again, with a second registration or on request', async () => {
  const { email, token } = await applied()
  await register(email)
  const second = await links.newest(app, 'verify', email, token)
  assert.equal((await app.post('/v1/auth/email/resend', { email })).status, 202)
  const third = await links.newest(app, 'verify', email, second)
  const body = { token: third, password: PASSWORD }
  assert.equal((await app.post('/v1/auth/email/verify', body)).status, 200)
})

test('the owner of a taken address is mailed once a day', async () => {
  const { email } = await account2()
  const mails = async () => {
    const path = `/v1/admin/mails?kind=registration_attempted&recipient=${encodeURIComponent(email)}`
    return (await admin.get(path)).body.data.length
  }
  await register(email)
  await until('the mail', async () => (await mails()) === 1)
  await register(email)
  await jobsOpened()
  assert.equal(await mails(), 1)
  await app.advance(DAY_MS / SECOND_MS + 1)
  await register(email)
  await until('another mail a day later', async () => (await mails()) === 2)
})

/** An account with a confirmed address, made here. */
async function account2(): Promise<{ email: string }> {
  const { email, token } = await applied()
  await app.post('/v1/auth/email/verify', { token, password: PASSWORD })
  return { email }
}

test('accounts from before the setting sign in when their address is confirmed, and keep their sessions', async () => {
  await app.advance(60)
  assert.equal((await login(unproven.email)).status, 401)
  const refreshed = await app.post('/v1/auth/refresh', { refreshToken: unproven.refreshToken })
  assert.equal(refreshed.status, 200, refreshed.text)
  await confirmAddress(app, unproven.userId)
  assert.equal((await login(unproven.email)).status, 200)
  assert.equal((await login(known.email)).status, 200)
})

test('a job that runs twice opens one account and notifies nobody', async () => {
  const { email } = await applied()
  await jobsOpened()
  const { rows } = await app.deps.database.execute(
    `select data from jobs.job where name = 'users.open-requested-account'
     and data::text like $1 limit 1`,
    [`%${email}%`],
  )
  assert.equal(rows.length, 1)
  const sent = links.asked.length
  await app.deps.database.execute(
    `update jobs.job set state = 'created', completed_on = null, started_on = null
     where name = 'users.open-requested-account' and data::text like $1`,
    [`%${email}%`],
  )
  await jobsOpened()
  const { body } = await admin.get(`/v1/admin/mails?recipient=${encodeURIComponent(email)}`)
  const kinds = body.data.map(({ kind }: { kind: string }) => kind)
  assert.ok(!kinds.includes('registration_attempted'), String(kinds))
  assert.equal(links.asked.length, sent)
})
