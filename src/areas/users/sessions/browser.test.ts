import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, enrolPasskey, enrolTotp, PASSWORD, passkeySignIn } from '#test/accounts.ts'
import { type TestApp, testApp } from '#test/app.ts'
import type { Answer } from '#test/client.ts'

const app = await testApp(null)
const ME = '/v1/users/me'
const ORIGIN = { origin: app.url, 'sec-fetch-site': 'same-origin' }
const COOKIE = { transport: 'cookie' }

/** The cookie that an answer sets, and what it says of it. */
function cookieOf({ headers }: Answer): { pair: string; attributes: string } {
  const lines = headers['set-cookie'] ?? []
  assert.equal(lines.length, 1, 'one cookie is set')
  const [pair = '', ...attributes] = (lines[0] ?? '').split('; ')
  return { pair, attributes: attributes.join('; ') }
}

/** A page of the shop in a browser that holds a cookie. */
function pageOf(pair: string, of: TestApp = app) {
  const headers = { ...ORIGIN, origin: of.url, cookie: pair }
  return {
    refresh: (more = {}) => of.post('/v1/auth/refresh', {}, { headers: { ...headers, ...more } }),
    signOut: (more = {}) => of.post('/v1/auth/logout', {}, { headers: { ...headers, ...more } }),
    open: (path: string) => of.get(path, { headers }),
  }
}

/** Somebody who signed in on a page of the application. */
async function inBrowser() {
  const ada = await account(app)
  const body = { ...COOKIE, email: ada.email, password: PASSWORD }
  const answer = await app.post('/v1/auth/login', body, { headers: ORIGIN })
  assert.equal(answer.status, 200, answer.text)
  const { pair } = cookieOf(answer)
  return { ...ada, answer, pair, page: pageOf(pair) }
}

test('each way to sign in puts the refresh token into the cookie, and not into its answer', async () => {
  const headers = ORIGIN
  const email = 'cookie@example.org'
  const registered = await app.post(
    '/v1/auth/register',
    { ...COOKIE, email, password: PASSWORD, name: 'Ada' },
    { headers },
  )
  assert.equal(registered.status, 201, registered.text)
  const ada = await account(app)
  const login = { ...COOKIE, email: ada.email, password: PASSWORD }
  const signedIn = await app.post('/v1/auth/login', login, { headers })
  const mary = await account(app)
  const changed = await mary.me.post(
    `${ME}/password`,
    { ...COOKIE, currentPassword: PASSWORD, newPassword: 'another horse battery' },
    { headers },
  )
  const eve = await account(app)
  const { code } = await enrolTotp(app, eve.me)
  const { mfaToken } = (await eve.login()).body
  const second = await app.post(
    '/v1/auth/login/mfa',
    { ...COOKIE, mfaToken, code: code(30) },
    { headers },
  )
  const grace = await account(app)
  const { device } = await enrolPasskey(grace.me, 'http://shop.test')
  const asked = await app.post('/v1/auth/passkeys/options', {})
  const byPasskey = await app.post(
    '/v1/auth/passkeys/verify',
    { ...COOKIE, response: device.get(asked.body) },
    { headers },
  )
  for (const answer of [registered, signedIn, changed, second, byPasskey]) {
    assert.ok(answer.status < 300, answer.text)
    assert.equal(answer.body.refreshToken, null)
    const { pair, attributes } = cookieOf(answer)
    assert.match(pair, /^moorage=[\w-]{40,}$/)
    assert.equal(attributes, 'Path=/; HttpOnly; SameSite=Lax; Max-Age=15552000')
    const { status, body } = await pageOf(pair).refresh()
    assert.equal(status, 200)
    assert.equal(body.user.id, answer.body.user.id)
  }
  const plain = await passkeySignIn(app, device)
  assert.equal(typeof plain.body.refreshToken, 'string')
  assert.equal(plain.headers['set-cookie'], undefined)
})

test('over https the cookie is bound to its host', async (t) => {
  const secure = await testApp(t, { config: { trustProxy: ['127.0.0.1'] } })
  const headers = { origin: secure.url, 'x-forwarded-proto': 'https' }
  const wanted = { ...COOKIE, email: 'ada@example.org', password: PASSWORD, name: 'Ada' }
  const { pair, attributes } = cookieOf(await secure.post('/v1/auth/register', wanted, { headers }))
  assert.match(pair, /^__Host-moorage=/)
  assert.match(attributes, /^Path=\/; HttpOnly; .*; Secure$/)
  const page = pageOf(pair, secure)
  assert.equal((await page.refresh({ 'x-forwarded-proto': 'https' })).status, 200)
  assert.equal((await page.refresh()).status, 401, 'over http it is another cookie')
  const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' }
  const there = { ...proxied, origin: 'https://shop.example' }
  assert.equal((await page.refresh(there)).status, 200, 'the proxy says which host was asked')
  assert.equal((await page.refresh(proxied)).status, 403)
})

test('tabs share the cookie: however many refresh at once, and pages read it besides', async () => {
  const { page, pair } = await inBrowser()
  const tabs = await Promise.all([1, 2, 3, 4].map(() => page.refresh()))
  for (const { status, body, headers } of tabs) {
    assert.equal(status, 200)
    assert.equal(body.refreshToken, null)
    assert.equal(headers['set-cookie'], undefined)
    assert.equal((await app.as(body.accessToken).get(ME)).status, 200)
  }
  const shown = await page.open('/sign-in')
  assert.equal(shown.status, 303, 'a page of the shop knows the session')
  assert.equal((await pageOf(pair).refresh()).status, 200)
})

test('a refresh prolongs the session of a browser, and it ends 180 days after the sign-in', async () => {
  const { page } = await inBrowser()
  const days = 24 * 3600
  for (let passed = 0; passed < 160; passed += 20) {
    await app.advance(20 * days)
    assert.equal((await page.refresh()).status, 200, `after ${passed + 20} days`)
  }
  await app.advance(20 * days)
  assert.equal((await page.refresh()).status, 401)
})

test('a cookie whose token was exchanged elsewhere is a stolen one: the session ends for both', async () => {
  const { page, pair } = await inBrowser()
  const refreshToken = pair.slice(pair.indexOf('=') + 1)
  const stolen = await app.post('/v1/auth/refresh', { refreshToken })
  assert.equal(stolen.status, 200)
  assert.equal((await page.refresh()).status, 401)
  const again = { refreshToken: stolen.body.refreshToken }
  assert.equal((await app.post('/v1/auth/refresh', again)).status, 401)
  assert.equal((await app.as(stolen.body.accessToken).get(ME)).status, 401)
})

const FOREIGN = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
]

test('pages of other origins neither sign in by cookie nor use one', async () => {
  const { email, page } = await inBrowser()
  for (const foreign of FOREIGN) {
    const headers = { ...ORIGIN, ...foreign }
    const wanted = { ...COOKIE, email, password: PASSWORD }
    const login = await app.post('/v1/auth/login', wanted, { headers })
    assert.equal(login.status, 403)
    assert.equal(login.body.code, 'foreign_origin')
    assert.equal(login.headers['set-cookie'], undefined)
    assert.equal((await page.refresh(foreign)).status, 403)
    assert.equal((await page.signOut(foreign)).status, 403)
  }
  const unknown = await app.post('/v1/auth/login', { ...COOKIE, email, password: PASSWORD })
  assert.equal(unknown.status, 403, 'a caller without an origin is no browser')
  assert.equal((await page.refresh()).status, 200)
})

test('signing out removes the cookie and ends the session, its access tokens too', async () => {
  const { answer, page } = await inBrowser()
  const out = await page.signOut()
  assert.deepEqual([out.status, out.body], [200, { ended: true }])
  assert.match(cookieOf(out).attributes, /Max-Age=0/)
  assert.equal((await page.refresh()).status, 401)
  assert.equal((await app.as(answer.body.accessToken).get(ME)).status, 401)
  const nobody = await app.post('/v1/auth/logout', {}, { headers: ORIGIN })
  assert.deepEqual([nobody.status, nobody.body], [200, { ended: true }])
})

test('the cookie opens no other route of the API', async () => {
  const { pair } = await inBrowser()
  const headers = { ...ORIGIN, cookie: pair }
  for (const path of [ME, '/v1/services', '/v1/cart', '/v1/admin/users']) {
    assert.equal((await app.get(path, { headers })).status, 401, path)
  }
  assert.equal((await app.post('/v1/api-keys', { permission: 'read' }, { headers })).status, 401)
})

test('without a cookie and without a token there is nothing to refresh', async () => {
  assert.equal((await app.post('/v1/auth/refresh', {}, { headers: ORIGIN })).status, 401)
  const broken = pageOf('moorage=%E0%A4%A')
  assert.equal((await broken.refresh()).status, 401)
})
