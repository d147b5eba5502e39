import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { testApp } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { apiKey, person } from '#test/people.ts'

/** Waits for a window that is long enough for a test. */
async function freshWindow(t: TestContext, limits: { general: number; auth: number }) {
  const app = await testApp(t, { config: { rateLimits: limits } })
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 5000) await new Promise((resolve) => setTimeout(resolve, left))
  return app
}

function assertRefused({ status, headers, body }: Answer): void {
  assert.equal(status, 429)
  assert.equal(body.statusCode, 429)
  assert.equal(headers['retry-after'], headers['x-ratelimit-reset'])
  assert.ok(Number(headers['retry-after']) >= 1 && Number(headers['retry-after']) <= 60)
}

test('the request after the last one is a 429, and every answer counts down', async (t) => {
  const app = await freshWindow(t, { general: 5, auth: 100 })
  const paths = ['/v1/nowhere', '/v1/users/me', '/v1/admin/users', '/v1/nowhere', '/v1/users/me']
  for (const [index, path] of paths.entries()) {
    const { status, headers } = await app.get(path)
    assert.notEqual(status, 429)
    assert.equal(headers['x-ratelimit-limit'], '5')
    assert.equal(headers['x-ratelimit-remaining'], String(4 - index))
  }
  const refused = await app.get('/v1/nowhere')
  assertRefused(refused)
  assert.equal(refused.headers['x-ratelimit-remaining'], '0')
})

test('keys are counted on their own, sessions with their address', async (t) => {
  const app = await freshWindow(t, { general: 4, auth: 100 })
  const ada = await person(app)
  const [one, other] = [
    await apiKey(app, ada, { permission: 'read' }),
    await apiKey(app, ada, { permission: 'read' }),
  ]
  for (let count = 0; count < 4; count += 1) {
    assert.equal((await one.get('/v1/users/me')).status, 200)
  }
  assertRefused(await one.get('/v1/users/me'))
  assert.equal((await other.get('/v1/users/me')).headers['x-ratelimit-remaining'], '3')
  const session = await ada.get('/v1/users/me')
  assert.equal(session.headers['x-ratelimit-remaining'], '3')
  assert.equal((await app.get('/v1/nowhere')).headers['x-ratelimit-remaining'], '2')
})

const SIGN_IN = [
  ['/v1/auth/register', { email: 'a@example.org', password: 'short', name: 'A' }],
  ['/v1/auth/login', { email: 'a@example.org', password: 'wrong' }],
  ['/v1/auth/refresh', { refreshToken: 'x' }],
  ['/v1/auth/logout', { refreshToken: 'x' }],
  ['/v1/auth/email/verify', { token: 'x' }],
  ['/v1/auth/email/resend', { email: 'a@example.org' }],
  ['/v1/auth/password/forgot', { email: 'a@example.org' }],
  ['/v1/auth/password/reset', { token: 'x', password: 'correct horse' }],
  ['/v1/setup', { token: 'x', email: 'a@example.org', password: 'correct horse', name: 'A' }],
] as const

test('every way to sign in spends the one quota of its address, and no header changes that', async (t) => {
  const app = await freshWindow(t, { general: 1000, auth: SIGN_IN.length })
  for (const [index, [path, body]] of SIGN_IN.entries()) {
    const headers = { 'x-forwarded-for': `192.0.2.${index}`, forwarded: `for=192.0.2.${index}` }
    const answer = await app.post(path, body, { headers })
    assert.notEqual(answer.status, 429, path)
    const left = String(SIGN_IN.length - index - 1)
    assert.equal(answer.headers['x-ratelimit-remaining-auth'], left, path)
  }
  const headers = { 'x-forwarded-for': '198.51.100.1' }
  for (const [path, body] of SIGN_IN) assertRefused(await app.post(path, body, { headers }))
  assert.equal((await app.get('/v1/nowhere')).status, 404)
})

test('a proxy that is trusted says whose request it is', async (t) => {
  const app = await testApp(t, {
    config: { rateLimits: { general: 100, auth: 1 }, trustProxy: ['127.0.0.1'] },
  })
  const login = { email: 'a@example.org', password: 'wrong' }
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  assert.equal((await app.post('/v1/auth/login', login, from('192.0.2.1'))).status, 401)
  assert.equal((await app.post('/v1/auth/login', login, from('192.0.2.1'))).status, 429)
  assert.equal((await app.post('/v1/auth/login', login, from('192.0.2.2'))).status, 401)
})
