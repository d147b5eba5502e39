import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import * as openid from 'openid-client'
import { enrolPasskey, enrolTotp } from '#test/accounts.ts'
import { testApp, until } from '#test/app.ts'
import { clientFor } from '#test/client.ts'
import { apiKey, otherTenant, person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'
import {
  allow,
  authorization,
  Browser,
  member,
  PASSWORD,
  REDIRECT,
  register,
  relyingParty,
  signInFor,
} from '#test/relying-party.ts'

const port = await freePort()
const app = await testApp(null, { config: { port, publicUrl: `http://127.0.0.1:${port}` } })
const origin = `http://127.0.0.1:${port}`
const issuer = `${origin}/v1/oidc`
const admin = await apiKey(app, await person(app, { admin: true }), { permission: 'read-write' })
const client = await register(admin)
const forum = await relyingParty(app, client)

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

function post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const raw = new URLSearchParams(fields).toString()
  return app.request('POST', path, undefined, { raw, headers: { ...FORM, ...headers } })
}

async function isOpen(accessToken: string): Promise<boolean> {
  return (await app.as(accessToken).get('/v1/oidc/userinfo')).status === 200
}

/** A code that the application has not exchanged yet, and what it needs to do so. */
async function codeOf(email: string) {
  const { url, verifier } = await authorization(forum)
  const back = await allow(new Browser(app), url, email)
  const exchange = () =>
    post('/v1/oidc/token', {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT,
      code_verifier: verifier,
      client_id: client.clientId,
      client_secret: client.clientSecret ?? '',
    })
  return { back, verifier, exchange }
}

const redirects = [
  ['another host that begins alike', `${REDIRECT}.evil`],
  ['a host that is only a prefix', 'https://forum.example.org.evil/callback'],
  ['no scheme', '//evil.example/callback'],
  ['a backslash', '\\evil.example'],
  ['a backslash in the host', 'https://forum.example.org\\@evil.example/callback'],
  ['a user in the host', 'https://forum.example.org@evil.example/callback'],
  ['another path', 'https://forum.example.org/other'],
  ['a path that climbs', `${REDIRECT}/../other`],
  ['an extra slash', `${REDIRECT}/`],
  ['an extra query', `${REDIRECT}?next=https://evil.example`],
  ['a fragment', `${REDIRECT}#part`],
  ['another scheme', 'http://forum.example.org/callback'],
  ['another port', 'https://forum.example.org:8443/callback'],
  ['other letters', 'https://FORUM.example.org/callback'],
  ['a script', 'javascript:alert(1)'],
] as const

for (const [what, redirectUri] of redirects) {
  test(`open redirect: a redirect address with ${what} gets an error page, and no redirect (hardening 19)`, async () => {
    const { url } = await authorization(forum, { redirect_uri: redirectUri })
    const headers = { accept: 'text/html' }
    const page = await app.get(url.slice(origin.length), { headers })
    assert.equal(page.status, 400)
    assert.equal(page.headers.location, undefined)
    assert.match(page.headers['content-type'] ?? '', /^text\/html/)
    assert.doesNotMatch(page.text, /href="(?!\/[\w"])|<form/)
    const { status, body, headers: answered } = await app.get(url.slice(origin.length))
    assert.equal(status, 400)
    assert.equal(answered.location, undefined)
    assert.deepEqual([body.statusCode, body.error], [400, 'invalid_redirect_uri'])
  })
}

test('a missing or repeated redirect address is no redirect either (hardening 19)', async () => {
  const { url } = await authorization(forum)
  const without = new URL(url)
  without.searchParams.delete('redirect_uri')
  const twice = new URL(url)
  twice.searchParams.append('redirect_uri', 'https://evil.example/')
  for (const it of [without, twice]) {
    const { status, headers } = await app.get(it.pathname + it.search)
    assert.deepEqual([status, headers.location], [400, undefined])
  }
})

const downgrades = [
  ['a plain challenge', { code_challenge_method: 'plain' }],
  ['a challenge without its method', { code_challenge_method: '' }],
  ['no challenge', { code_challenge: '', code_challenge_method: '' }],
  ['a challenge of another length', { code_challenge: 'short' }],
] as const

for (const [what, parameters] of downgrades) {
  test(`PKCE downgrade: a sign-in with ${what} is refused, of a confidential application too (hardening 19)`, async () => {
    const { url } = await authorization(forum)
    const changed = new URL(url)
    for (const [name, value] of Object.entries(parameters)) {
      if (value === '') changed.searchParams.delete(name)
      else changed.searchParams.set(name, value)
    }
    const browser = new Browser(app)
    await browser.open(changed.href)
    assert.equal(browser.returned.get('error'), 'invalid_request')
    assert.equal(browser.returned.get('code'), null)
  })
}

test('PKCE downgrade: a code without its verifier, or with another one, is refused (hardening 19)', async () => {
  const { email } = await member(app)
  for (const verifier of [undefined, 'x'.repeat(43)]) {
    const { back } = await codeOf(email)
    const answer = await post('/v1/oidc/token', {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT,
      client_id: client.clientId,
      client_secret: client.clientSecret ?? '',
      ...(verifier && { code_verifier: verifier }),
    })
    assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_grant'])
  }
})

test('other response types and ways to answer are refused', async () => {
  const { url } = await authorization(forum)
  for (const [name, value] of [
    ['response_type', 'token'],
    ['response_type', 'code id_token'],
    ['response_mode', 'fragment'],
    ['response_mode', 'form_post'],
    ['request', 'eyJhbGciOiJub25lIn0.e30.'],
    ['request_uri', 'https://evil.example/request'],
  ] as const) {
    const changed = new URL(url)
    changed.searchParams.set(name, value)
    const { status, headers, text } = await app.get(changed.pathname + changed.search)
    const { location = '' } = headers
    assert.ok(status === 400 || /^https:\/\/forum\..*[?#&]error=/.test(location), location)
    assert.doesNotMatch(location, /code=|token=/)
    assert.doesNotMatch(text, /<script/)
  }
})

test('code reuse: a code works once, the second time is refused and ends the tokens of the first (hardening 19)', async () => {
  const { exchange } = await codeOf((await member(app)).email)
  const first = await exchange()
  assert.equal(first.status, 200, first.text)
  assert.equal(await isOpen(first.body.access_token), true)
  const second = await exchange()
  assert.deepEqual([second.status, second.body.error], [400, 'invalid_grant'])
  assert.equal(await isOpen(first.body.access_token), false)
  const refreshed = await post('/v1/oidc/token', {
    grant_type: 'refresh_token',
    refresh_token: String(first.body.refresh_token),
    client_id: client.clientId,
    client_secret: client.clientSecret ?? '',
  })
  assert.ok(first.body.refresh_token)
  assert.deepEqual([refreshed.status, refreshed.body.error], [400, 'invalid_grant'])
})

test('a code of one application is nothing to another', async () => {
  const { back, verifier } = await codeOf((await member(app)).email)
  const other = await register(admin)
  const answer = await post('/v1/oidc/token', {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    redirect_uri: REDIRECT,
    code_verifier: verifier,
    client_id: other.clientId,
    client_secret: other.clientSecret ?? '',
  })
  assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_grant'])
})

test('a code ends after a minute', async () => {
  const { exchange } = await codeOf((await member(app)).email)
  await app.advance(60)
  assert.deepEqual((await exchange()).body.error, 'invalid_grant')
})

test('token confusion: what this provider hands out opens nothing of the API (hardening 12)', async () => {
  const ada = await member(app)
  const tokens = await signInFor(forum, new Browser(app), ada.email)
  const { id_token: idToken = '', access_token, refresh_token = '' } = tokens
  for (const token of [access_token, idToken, refresh_token]) {
    for (const path of ['/v1/users/me', '/v1/services', '/v1/admin/users']) {
      assert.equal((await app.as(token).get(path)).status, 401, path)
    }
  }
  const session = await member(app)
  const key = await apiKey(app, session, { permission: 'read-write' })
  for (const token of [idToken, refresh_token, session.token, key.key]) {
    const { status, body } = await app.as(token).get('/v1/oidc/userinfo')
    assert.deepEqual([status, body.error], [401, 'invalid_token'])
  }
})

test('a client is known by its secret, presented in one way', async () => {
  const fields = { grant_type: 'refresh_token', refresh_token: 'x' }
  const basic = (id: string, secret: string) =>
    `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const right = client.clientSecret ?? ''
  const wrong = [
    [{ client_id: client.clientId, client_secret: 'wrong' }, {}],
    [{ client_id: client.clientId, client_secret: 'kept as its hash' }, {}],
    [{ client_id: client.clientId }, {}],
    [{ client_id: 'constructor', client_secret: right }, {}],
    [{}, { authorization: basic(client.clientId, 'wrong') }],
    [{}, { authorization: basic("' or 1=1--", right) }],
  ] as const
  for (const [body, headers] of wrong) {
    const answer = await post('/v1/oidc/token', { ...fields, ...body }, headers)
    assert.deepEqual([answer.status, answer.body.error], [401, 'invalid_client'], answer.text)
    assert.equal(answer.body.statusCode, 401)
  }
  const both = await post(
    '/v1/oidc/token',
    { ...fields, client_id: client.clientId, client_secret: right },
    { authorization: basic(client.clientId, right) },
  )
  assert.equal(both.body.error, 'invalid_request')
})

test('a public application shows no secret, and a confidential one cannot pose as public', async () => {
  const spa = await register(admin, { type: 'public' })
  const fields = { grant_type: 'refresh_token', refresh_token: 'x', client_id: spa.clientId }
  const known = await post('/v1/oidc/token', fields)
  assert.equal(known.body.error, 'invalid_grant')
  const posing = await post('/v1/oidc/token', { ...fields, client_secret: 'kept as its hash' })
  assert.equal(posing.body.error, 'invalid_client')
})

const hosts = ['evil.example', 'evil.example:1234', '127.0.0.1.evil.example']

for (const host of hosts) {
  test(`host header spoofing: ${host} stands in no address`, async () => {
    const spoofed = clientFor(app.url, {
      host,
      'x-forwarded-host': host,
      forwarded: `host=${host}`,
    })
    const discovery = await spoofed.get('/v1/oidc/.well-known/openid-configuration')
    assert.equal(discovery.body.issuer, issuer)
    assert.ok(!discovery.text.includes('evil'))
    const { url } = await authorization(forum)
    const sent = await spoofed.get(url.slice(origin.length))
    assert.equal(sent.status, 303)
    assert.ok(!(sent.headers.location ?? '').includes('evil'))
    assert.ok(!String(sent.headers['set-cookie']).includes('evil'))
  })
}

test('each tenant is an issuer of its own, and what one hands out is nothing to the other', async () => {
  const tenantId = await otherTenant(app, 'games.example')
  const there = clientFor(app.url, { host: 'games.example' })
  const { body } = await there.get('/v1/oidc/.well-known/openid-configuration')
  assert.equal(body.issuer, `http://games.example:${port}/v1/oidc`)
  assert.equal(body.token_endpoint, `http://games.example:${port}/v1/oidc/token`)
  const keysOf = async (by: typeof there) => (await by.get('/v1/oidc/jwks')).body.keys[0].kid
  assert.notEqual(await keysOf(there), await keysOf(app))
  const { access_token } = await signInFor(forum, new Browser(app), (await member(app)).email)
  const bearer = { authorization: `Bearer ${access_token}` }
  assert.equal((await there.get('/v1/oidc/userinfo', { headers: bearer })).status, 401)
  const { url } = await authorization(forum)
  const page = await there.get(url.slice(origin.length))
  assert.deepEqual([page.status, page.body.error], [400, 'invalid_client'])
  const stranger = await person(app, { tenantId })
  assert.deepEqual((await stranger.get('/v1/users/me/consents')).body.data, [])
})

test('row-level security alone hides what another tenant handed out', async () => {
  const tenantId = await otherTenant(app, 'hidden.example')
  await signInFor(forum, new Browser(app), (await member(app)).email)
  const db = app.deps.database.of(tenantId)
  for (const table of ['artifacts', 'grants', 'sign_ins', 'signing_keys'] as const) {
    const rows = await db.selectFrom(`oidc.${table}`).select('tenantId').execute()
    assert.ok(
      rows.every((row) => row.tenantId === tenantId),
      table,
    )
  }
})

test('CSRF: a form that another site sends is refused with 403, on every page (hardening 22)', async () => {
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `${origin}.evil.example` },
    { origin: '', 'sec-fetch-site': 'cross-site' },
    { origin, 'sec-fetch-site': 'same-site' },
  ]
  const ada = await member(app)
  const browser = new Browser(app)
  const { url } = await authorization(forum)
  await browser.open(url)
  const login = browser.answer
  for (const headers of foreign) {
    browser.answer = login
    const fields = { email: ada.email, password: PASSWORD }
    const answer = await browser.submit('/login', fields, headers)
    assert.equal(answer.status, 403, JSON.stringify(headers))
    browser.answer = login
    assert.equal((await browser.submit('/passkey', { response: '{}' }, headers)).status, 403)
    browser.answer = login
    assert.equal((await browser.submit('/cancel', {}, headers)).status, 403)
  }
  browser.answer = login
  await browser.submit('/login', { email: ada.email, password: PASSWORD })
  const consent = browser.answer
  for (const headers of foreign) {
    browser.answer = consent
    assert.equal((await browser.submit('/consent', {}, headers)).status, 403)
  }
  browser.answer = consent
  await browser.submit('/consent')
  assert.ok(browser.returned.get('code'))
  const logout = await browser.open(`${issuer}/logout`)
  for (const headers of foreign) {
    browser.answer = logout
    const answer = await browser.submit('/logout/confirm', { logout: 'yes' }, headers)
    assert.equal(answer.status, 403)
  }
})

test('a form counts only in the browser whose sign-in it is, whatever one knows of it (hardening 22)', async () => {
  const ada = await member(app)
  const victim = new Browser(app)
  await victim.open((await authorization(forum)).url)
  const path = new URL(victim.location).pathname
  const fields = { email: ada.email, password: PASSWORD }
  assert.equal((await app.get(path)).status, 410)
  assert.equal((await post(`${path}/login`, fields)).status, 410)
  for (const value of ['', 'forged']) {
    const cookie = `moorage_oidc_sign_in=${path.split('/').at(-1)}; moorage_oidc_sign_in.sig=${value}`
    assert.equal((await post(`${path}/login`, fields, { cookie })).status, 410)
  }
})

test('cookies are for these pages alone: signed, out of reach of scripts and of other sites (hardening 22)', async () => {
  const { url } = await authorization(forum)
  const { headers } = await app.get(url.slice(origin.length))
  const cookies = headers['set-cookie'] ?? []
  assert.ok(cookies.length >= 4)
  assert.ok(cookies.some((it) => it.includes('.sig=')))
  for (const cookie of cookies) {
    assert.match(cookie, /path=\/v1\/oidc\//)
    assert.match(cookie, /samesite=lax/)
    assert.match(cookie, /httponly/)
  }
})

test('open redirect: no parameter of the sign-in page leads anywhere (hardening 19)', async () => {
  const ada = await member(app)
  const browser = new Browser(app)
  await browser.open((await authorization(forum)).url)
  const page = browser.location
  for (const next of ['https://evil.example', '//evil.example', '/\\evil.example']) {
    const query = `?next=${encodeURIComponent(next)}&returnTo=${encodeURIComponent(next)}`
    const answer = await browser.open(page + query)
    assert.equal(answer.status, 200)
    assert.ok(!answer.text.includes('evil'))
  }
  const extra = { email: ada.email, password: PASSWORD, next: 'https://evil.example' }
  assert.equal((await browser.submit('/login', extra)).status, 400)
  await browser.open(page)
  await browser.submit('/login', { email: ada.email, password: PASSWORD })
  assert.ok(browser.location.startsWith(`${issuer}/interaction/`), browser.location)
})

test('open redirect: a logout leads to no address that was not registered (hardening 19)', async () => {
  const { id_token = '' } = await signInFor(forum, new Browser(app), (await member(app)).email)
  for (const address of ['https://evil.example/', 'https://forum.example.org/bye/../x']) {
    const query = new URLSearchParams({
      id_token_hint: id_token,
      post_logout_redirect_uri: address,
    })
    const { status, body } = await app.get(`/v1/oidc/logout?${query}`)
    assert.deepEqual([status, body.error], [400, 'invalid_request'])
  }
  const browser = new Browser(app)
  await browser.open(`${issuer}/logout?post_logout_redirect_uri=https://evil.example/`)
  await browser.submit('/logout/confirm', { logout: 'yes' })
  assert.equal(browser.location, `${issuer}/logout/success`)
})

test('a wrong password, a suspended and an unknown account are told on the page, and go nowhere', async () => {
  const ada = await member(app)
  const eve = await member(app)
  assert.equal((await admin.post(`/v1/admin/users/${eve.userId}/suspend`)).status, 200)
  const browser = new Browser(app)
  await browser.open((await authorization(forum)).url)
  const wrong = await browser.submit('/login', { email: ada.email, password: 'not it at all' })
  assert.equal(wrong.status, 401)
  assert.match(wrong.text, /The e-mail address or the password is wrong\./)
  const typed = 'nobody@example.org'
  const unknown = await browser.submit('/login', { email: typed, password: PASSWORD })
  assert.equal(unknown.status, 401)
  const same = (text: string, email: string) => text.replaceAll(email, '')
  assert.equal(same(unknown.text, typed), same(wrong.text, ada.email))
  const suspended = await browser.submit('/login', { email: eve.email, password: PASSWORD })
  assert.equal(suspended.status, 401)
  assert.match(suspended.text, /This account is suspended\./)
  await browser.submit('/login', { email: ada.email, password: PASSWORD })
  assert.match(browser.answer?.text ?? '', /Forum wants to know who you are/)
})

/** A browser in which somebody has shown the password, and nothing more. */
async function afterPassword(email: string): Promise<Browser> {
  const browser = new Browser(app)
  await browser.open((await authorization(forum)).url)
  await browser.submit('/login', { email, password: PASSWORD })
  return browser
}

test('who has a second factor is asked for it: the password alone leads nowhere (hardening 16)', async () => {
  const ada = await member(app)
  const phone = await enrolTotp(app, ada)
  const browser = await afterPassword(ada.email)
  assert.match(browser.answer?.text ?? '', /Enter the code of your authenticator app/)
  const wrong = await browser.submit('/code', { code: '000000' })
  assert.equal(wrong.status, 401)
  assert.match(wrong.text, /This code is wrong/)
  const resume = browser.location.replace(/interaction\/([^/]+)\/code/, 'auth/$1')
  const skipping = new Browser(app)
  await skipping.open(resume)
  assert.equal(skipping.answer?.status, 400)
  const code = phone.code(30)
  await browser.submit('/code', { code })
  assert.match(browser.answer?.text ?? '', /Forum wants to know who you are/)
  await browser.submit('/consent')
  assert.ok(browser.returned.get('code'))

  const thief = await afterPassword(ada.email)
  assert.equal((await thief.submit('/code', { code })).status, 401)
  const [recoveryCode = ''] = phone.recoveryCodes
  await thief.submit('/code', { code: recoveryCode })
  assert.match(thief.answer?.text ?? '', /Forum wants to know who you are/)
  const again = await afterPassword(ada.email)
  assert.equal((await again.submit('/code', { code: recoveryCode })).status, 401)
})

test('who has nothing but a passkey beside the password is not let in without it (hardening 16)', async () => {
  const ada = await member(app)
  await enrolPasskey(ada, origin)
  const before = await afterPassword(ada.email)
  assert.doesNotMatch(before.answer?.text ?? '', /wants to know who you are/)
  assert.ok(!before.location.includes('/auth/'))
})

test('a sign-in that waits for its second factor opens nothing (hardening 16)', async () => {
  const ada = await member(app)
  await enrolTotp(app, ada)
  const browser = await afterPassword(ada.email)
  const [, token = ''] = /name="mfaToken" value="([^"]+)"/.exec(browser.answer?.text ?? '') ?? []
  assert.ok(token)
  for (const path of ['/v1/users/me', '/v1/oidc/userinfo']) {
    assert.equal((await app.as(token).get(path)).status, 401)
  }
})

/** What ends with a person's sign-in. */
async function signedIn() {
  const ada = await member(app)
  const browser = new Browser(app)
  const tokens = await signInFor(forum, browser, ada.email)
  return { ada, browser, tokens }
}

async function assertEnded({ browser, tokens }: Awaited<ReturnType<typeof signedIn>>) {
  assert.equal(await isOpen(tokens.access_token), false, 'the access token')
  const seen = await openid.tokenIntrospection(forum, tokens.access_token)
  assert.equal(seen.active, false)
  await assert.rejects(openid.refreshTokenGrant(forum, tokens.refresh_token ?? ''))
  await browser.open((await authorization(forum, { scope: 'openid', prompt: 'none' })).url)
  assert.equal(browser.returned.get('error'), 'login_required')
}

test('a suspension ends everything with its own answer, and it stays ended (hardening 18)', async () => {
  const it = await signedIn()
  await admin.post(`/v1/admin/users/${it.ada.userId}/suspend`)
  await assertEnded(it)
  await until('it is forgotten', async () => (await grantsOf(it.ada.userId)) === 0)
  await admin.post(`/v1/admin/users/${it.ada.userId}/unsuspend`)
  await assertEnded(it)
})

test('a changed password ends everything with its own answer (hardening 18)', async () => {
  const it = await signedIn()
  const body = { currentPassword: PASSWORD, newPassword: 'another long password' }
  const { status, text } = await it.ada.post('/v1/users/me/password', body)
  assert.equal(status, 200, text)
  await assertEnded(it)
  await until('it is forgotten', async () => (await grantsOf(it.ada.userId)) === 0)
})

test('who signs out everywhere else ends this too', async () => {
  const it = await signedIn()
  await it.ada.delete('/v1/users/me/sessions')
  await assertEnded(it)
})

async function grantsOf(userId: string): Promise<number> {
  const { rows } = await app.deps.database.execute(
    'select count(*)::int as count from oidc.grants where user_id = $1',
    [userId],
  )
  return Number(rows[0]?.count)
}

test('text that cannot be kept is refused, in addresses and in forms', async () => {
  const { url } = await authorization(forum, { state: 'x' })
  const path = url.slice(origin.length)
  for (const tail of ['&login_hint=%00', '&login_hint=%00%zz', '&nonce=a%00b']) {
    assert.equal((await app.get(path + tail)).status, 400, tail)
  }
  const browser = new Browser(app)
  await browser.open(url)
  const answer = await browser.submit('/login', { email: 'a\0b', password: PASSWORD })
  assert.ok(answer.status === 400 || answer.status === 401, String(answer.status))
})

test('names and addresses are shown as text (hardening 30)', async () => {
  const evil = '"><img src=x onerror=alert(1)>{{7*7}}'
  const nasty = await relyingParty(app, await register(admin, { name: evil }))
  const { url } = await authorization(nasty, { login_hint: evil })
  const page = await new Browser(app).open(url)
  assert.equal(page.status, 200)
  assert.ok(!page.text.includes('<img'))
  assert.ok(page.text.includes('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;{{7*7}}'))
})

test('every answer has its request id and its quotas, and errors both shapes', async () => {
  const headers = { 'x-request-id': 'seen-again' }
  const answers = [
    await app.get('/v1/oidc/.well-known/openid-configuration', { headers }),
    await app.get('/v1/oidc/auth', { headers }),
    await post('/v1/oidc/token', {}, headers),
    await app.get('/v1/oidc/userinfo', { headers }),
    await app.get('/v1/oidc/interaction/unknown-sign-in', { headers }),
    await app.post('/v1/oidc/token', { grant_type: 'x' }, { headers }),
  ]
  for (const { status, headers: answered, body } of answers) {
    assert.equal(answered['x-request-id'], 'seen-again')
    assert.ok(answered['x-ratelimit-remaining'] && answered['x-ratelimit-remaining-auth'])
    assert.ok(answered['content-security-policy'])
    if (status < 400) continue
    assert.equal(body.statusCode, status)
    assert.equal(typeof body.message, 'string')
  }
})

test('a sign-in for an application stands in the audit log, and begins none by being looked at', async () => {
  await signedIn()
  const { body } = await admin.get('/v1/admin/audit-logs?limit=100')
  const routes = body.data.map(({ route }: { route: string }) => route)
  for (const route of ['/v1/oidc/interaction/:uid/login', '/v1/oidc/interaction/:uid/consent']) {
    assert.ok(routes.includes(route), `${route} in ${routes}`)
  }
  assert.ok(routes.includes('/v1/oidc/token'))
  assert.ok(!routes.includes('/v1/oidc/auth'))
})

test('a challenge of our own making passes, so that refusals above are about what they say', async () => {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const { url } = await authorization(forum, { code_challenge: challenge })
  const back = await allow(new Browser(app), url, (await member(app)).email)
  assert.ok(back.searchParams.get('code'))
  assert.equal(back.searchParams.get('iss'), issuer)
})
