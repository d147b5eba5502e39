import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Config } from '#platform/config.ts'
import { testApp } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { dereferenced } from '#test/document.ts'
import { apiKey, person } from '#test/people.ts'

const PLENTY: Config['rateLimits'] = { general: 100, auth: 100, person: 1000 }

/** Waits for a window that is long enough for a test. */
async function freshWindow(t: TestContext, limits: Partial<Config['rateLimits']>) {
  const app = await testApp(t, { config: { rateLimits: { ...PLENTY, ...limits } } })
  await windowOpens()
  return app
}

async function windowOpens(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 5000) await new Promise((resolve) => setTimeout(resolve, left))
}

/** Does what takes a while as often as it takes until no new window has opened meanwhile. */
async function inOneWindow<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    await windowOpens()
    const window = Math.floor(Date.now() / 60_000)
    const done = await work()
    if (Math.floor(Date.now() / 60_000) === window) return done
  }
}

function assertRefused({ status, headers, body }: Answer): void {
  assert.equal(status, 429)
  assert.equal(body.statusCode, 429)
  const [retry, reset] = [Number(headers['retry-after']), Number(headers['x-ratelimit-reset'])]
  assert.ok(retry >= 1 && retry <= 60)
  // The quotas are looked at when the answer is sent: a second may have passed since the refusal.
  assert.ok(retry - reset === 0 || retry - reset === 1, `${retry} and ${reset}`)
}

test('the request after the last one is a 429, and every answer counts down (hardening 56)', async (t) => {
  const app = await freshWindow(t, { general: 5, auth: 100 })
  const paths = ['/v1/nowhere', '/v1/users/me', '/v1/admin/users', '/v1/nowhere', '/v1/users/me']
  for (const [index, path] of paths.entries()) {
    const { status, headers } = await app.get(path, { headers: spoofed(index) })
    assert.notEqual(status, 429)
    assert.equal(headers['x-ratelimit-limit'], '5')
    assert.equal(headers['x-ratelimit-remaining'], String(4 - index))
  }
  const refused = await app.get('/v1/nowhere')
  assertRefused(refused)
  assert.equal(refused.headers['x-ratelimit-remaining'], '0')
})

test('keys are counted on their own, sessions with their address (hardening 56)', async (t) => {
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

/** Fields in which somebody could try one secret after the other. */
const TRIED = new Set([
  ...['password', 'currentPassword', 'token', 'refreshToken', 'mfaToken', 'code', 'recoveryCode'],
])
/** Counted only where a secret was really tried: shown below, and for vouchers with their redemption. */
const BY_HAND = [
  'PATCH /v1/users/me',
  'POST /v1/billing/vouchers/redeem',
  'POST /v1/oidc/introspection',
]
/** A code that stands in public links, and is answered the same whether it is known or not. */
const PUBLIC_CODES = ['POST /v1/affiliation/visits']
/** A bearer link in the path: only a miss is a try, and counts. */
const LINKS = [
  '/v1/invitations/:token',
  '/v1/invitations/:token/accept',
  '/v1/invitations/:token/decline',
  '/v1/billing/payment-links/:token',
  '/v1/billing/payment-links/:token/pay',
  '/v1/billing/documents/:token',
  '/v1/support/files/:token',
  // Their pages ask those above.
  '/i/:token',
  '/pay/:token',
  // Pages with a form, which the authentication quota counts as well.
  '/reset/:token',
  '/verify/:token',
]

const SIGN_IN_LIMIT = 60
const signInApp = await testApp(null, {
  config: { rateLimits: { ...PLENTY, general: 1000, auth: SIGN_IN_LIMIT } },
})

test('every route that takes a secret from somebody carries the authentication quota (hardening 15)', async () => {
  const app = signInApp
  const { paths } = dereferenced((await app.get('/v1/openapi.json')).body)
  const trying = app.routes.filter(({ method, url, config }) => {
    // What administrators write is theirs to set: nobody learns anything from the answer.
    if (config.access === 'admin' || config.hidden) return false
    if (PUBLIC_CODES.includes(`${method} ${url}`)) return false
    const path = url.replace(/:(\w+)/g, '{$1}')
    const body = paths[path]?.[method.toLowerCase()]?.requestBody
    const [content] = Object.values<{ schema: object }>(body?.content ?? {})
    const { properties = {} } = { properties: {}, ...content?.schema }
    return Object.keys(properties).some((name) => TRIED.has(name))
  })
  const urls = trying.map(({ url }) => url)
  for (const url of [
    '/v1/auth/login',
    '/v1/auth/password/reset',
    '/v1/users/me/password',
    '/v1/setup',
  ]) {
    assert.ok(urls.includes(url), url)
  }
  const uncounted = trying.filter(({ config }) => config.quota !== 'auth')
  assert.deepEqual(
    uncounted.map(({ method, url }) => `${method} ${url}`),
    BY_HAND,
  )
  const signIn = app.routes.filter(
    ({ url, method }) => url.startsWith('/v1/auth/') && method !== 'HEAD',
  )
  assert.deepEqual(
    signIn.filter(({ config }) => config.quota !== 'auth'),
    [],
  )
  const links = app.routes.filter(({ url }) => url.includes(':token'))
  assert.deepEqual(
    [...new Set(links.map(({ url }) => url))].filter((url) => !LINKS.includes(url)),
    [],
    'a link that nobody counts the guesses of',
  )
})

/** A path with an id of nothing in it. */
function pathOf(url: string): string {
  return url.replace(/:\w+/g, '01900000-0000-7000-8000-000000000000')
}

async function triesLeft(): Promise<number> {
  const { headers } = await signInApp.get('/v1/nowhere')
  return Number(headers['x-ratelimit-remaining-auth'])
}

test('a password that goes with another address is a try too; another change is none (hardening 15)', async () => {
  const ada = await person(signInApp)
  await windowOpens()
  const before = await triesLeft()
  assert.equal((await ada.patch('/v1/users/me', { name: 'Ada' })).status, 200)
  assert.equal(await triesLeft(), before)
  await ada.patch('/v1/users/me', { email: 'new@example.org', currentPassword: 'a guess' })
  assert.equal(await triesLeft(), before - 1)
})

test('a failed guess of a link counts as a try to sign in (hardening 15)', async () => {
  await windowOpens()
  const before = await triesLeft()
  for (const guess of [1, 2, 3]) {
    assert.equal((await signInApp.get(`/v1/invitations/guess${guess}`)).status, 404)
    assert.equal(await triesLeft(), before - guess)
  }
  assert.equal((await signInApp.get('/i/guess')).status, 404)
  assert.equal(await triesLeft(), before - 4, 'on its page, too')
  assert.equal((await signInApp.get('/v1/billing/payment-links/guess')).status, 404)
  assert.equal((await signInApp.get('/pay/guess')).status, 404)
  assert.equal(await triesLeft(), before - 6, 'for links that pay, too')
})

/** Where a sign-in, or a proof of who one is, can be tried. */
const WAYS_IN = [
  ...['/v1/auth/register', '/v1/auth/login', '/v1/auth/login/mfa', '/v1/auth/passkeys/verify'],
  ...['/v1/auth/refresh', '/v1/auth/password/forgot', '/v1/auth/password/reset'],
  ...['/v1/auth/email/verify', '/v1/oidc/token', '/v1/oidc/interaction/:uid/login'],
  ...['/v1/oidc/interaction/:uid/code', '/v1/oidc/interaction/:uid/passkey'],
]

test('every way to sign in spends the one quota of its address, and no header changes that (hardening 15)', async () => {
  const app = signInApp
  await windowOpens()
  const signIn = app.routes.filter(
    ({ method, config }) => config.quota === 'auth' && method !== 'HEAD' && method !== 'OPTIONS',
  )
  const urls = signIn.map(({ url }) => url)
  assert.deepEqual(
    WAYS_IN.filter((url) => !urls.includes(url)),
    [],
  )
  let left = await triesLeft()
  for (const [index, { method, url }] of signIn.entries()) {
    const headers = spoofed(index)
    const answer = await app.request(method, pathOf(url), {}, { headers })
    left -= 1
    assert.equal(answer.headers['x-ratelimit-remaining-auth'], String(left), `${method} ${url}`)
    assert.equal(answer.headers['x-ratelimit-limit-auth'], String(SIGN_IN_LIMIT))
  }
  const [login] = signIn
  assert.ok(login)
  while (left > 0) {
    left -= 1
    await app.request(login.method, pathOf(login.url), {})
  }
  for (const [index, { method, url }] of signIn.entries()) {
    const refused = await app.request(method, pathOf(url), {}, { headers: spoofed(index) })
    // A page says it in words.
    if (url.startsWith('/v1/')) assertRefused(refused)
    else assert.equal(refused.status, 429, url)
  }
  assert.equal((await app.get('/v1/nowhere')).status, 404)
  const link = '/v1/invitations/guessed'
  assertRefused(await app.get(link, { headers: spoofed(1) }))
})

function spoofed(index: number): Record<string, string> {
  const address = `192.0.2.${index}`
  return {
    ...{ 'x-forwarded-for': address, forwarded: `for=${address}`, 'x-real-ip': address },
    ...{ 'cf-connecting-ip': address, 'true-client-ip': address, 'x-client-ip': address },
  }
}

test('a proxy that is trusted says whose request it is (hardening 15)', async (t) => {
  const app = await testApp(t, {
    config: { rateLimits: { ...PLENTY, auth: 1 }, trustProxy: ['127.0.0.1'] },
  })
  const login = { email: 'a@example.org', password: 'wrong' }
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  await windowOpens()
  assert.equal((await app.post('/v1/auth/login', login, from('192.0.2.1'))).status, 401)
  assert.equal((await app.post('/v1/auth/login', login, from('192.0.2.1'))).status, 429)
  assert.equal((await app.post('/v1/auth/login', login, from('192.0.2.2'))).status, 401)
  // What the visitor wrote into the header themselves stands before what the proxy saw.
  for (const forged of ['192.0.2.3, 192.0.2.1', '127.0.0.1, 192.0.2.1', 'x, 192.0.2.1']) {
    assert.equal((await app.post('/v1/auth/login', login, from(forged))).status, 429, forged)
  }
})

test('the addresses of one IPv6 network have one quota, and an IPv4 address one in either form (hardening 15)', async (t) => {
  const app = await testApp(t, {
    config: { rateLimits: { ...PLENTY, auth: 2 }, trustProxy: ['127.0.0.1'] },
  })
  const login = { email: 'a@example.org', password: 'wrong' }
  const tried = async (address: string) =>
    (await app.post('/v1/auth/login', login, { headers: { 'x-forwarded-for': address } })).status
  await windowOpens()
  for (const [last, expected] of [401, 401, 429, 429].entries()) {
    assert.equal(await tried(`2001:db8:1:2:${last}:${last}::${last}`), expected)
    assert.equal(await tried(last % 2 ? '::ffff:192.0.2.1' : '192.0.2.1'), expected)
  }
  const link = await app.get('/v1/invitations/guessed', {
    headers: { 'x-forwarded-for': '2001:db8:1:2::99' },
  })
  assertRefused(link)
  assert.equal(await tried('2001:db8:1:3::1'), 401)
})

test('of 25 sign-ins in a minute the first 20 are tried, the others told when to come again (hardening 15)', async (t) => {
  // What the configuration says when nobody has set it.
  const app = await testApp(t, { config: { rateLimits: { general: 500, auth: 20, person: 2000 } } })
  const answers = await inOneWindow(async () => {
    const all: Answer[] = []
    while (all.length < 25) {
      const headers = spoofed(all.length)
      const login = { email: `guess${all.length}@example.org`, password: 'wrong horse battery' }
      all.push(await app.post('/v1/auth/login', login, { headers }))
    }
    return all
  })
  for (const [index, answer] of answers.entries()) {
    const { headers } = answer
    assert.equal(headers['x-ratelimit-limit'], '500')
    assert.equal(headers['x-ratelimit-remaining'], String(499 - index))
    assert.equal(headers['x-ratelimit-limit-auth'], '20')
    assert.equal(headers['x-ratelimit-remaining-auth'], String(Math.max(19 - index, 0)))
    if (index < 20) assert.equal(answer.status, 401)
    else assertRefused(answer)
  }
})

test('all keys and sessions of a person together have a ceiling, and the headers show the quota of each', async (t) => {
  const app = await freshWindow(t, { general: 10, person: 6 })
  const ada = await person(app)
  const bob = await person(app)
  const keys = await Promise.all([1, 2, 3, 4].map(() => apiKey(app, ada, { permission: 'read' })))
  const others = await apiKey(app, bob, { permission: 'read' })
  const [refused, ...rest] = await inOneWindow(async () => {
    for (const key of keys.slice(0, 3)) {
      assert.equal((await key.get('/v1/users/me')).status, 200)
      const { status, headers } = await key.get('/v1/users/me')
      assert.deepEqual([status, headers['x-ratelimit-remaining']], [200, '8'])
    }
    return [
      await (keys[3] ?? ada).get('/v1/users/me'),
      await ada.get('/v1/users/me'),
      await others.get('/v1/users/me'),
    ]
  })
  assert.deepEqual([refused?.status, refused?.body.code], [429, 'account_quota_exceeded'])
  assert.ok(Number(refused?.headers['retry-after']) >= 1)
  assert.equal(refused?.headers['x-ratelimit-limit'], '10')
  assert.equal(refused?.headers['x-ratelimit-remaining'], '9')
  assert.deepEqual(
    rest.map(({ status }) => status),
    [429, 200],
  )
})

test('a key that was not seen before is counted as itself where its address has used up its quota', async (t) => {
  const app = await freshWindow(t, { general: 5 })
  const ada = await person(app)
  const key = await apiKey(app, ada, { permission: 'read' })
  const [spent, unknown, seen] = await inOneWindow(async () => {
    for (let count = 0; count < 5; count += 1) await app.get('/v1/nowhere')
    return [
      await app.get('/v1/nowhere'),
      await app.as('moor_unknown').get('/v1/users/me'),
      await key.get('/v1/users/me'),
    ]
  })
  assertRefused(spent)
  assertRefused(unknown)
  assert.equal(seen.status, 200)
  assert.equal(seen.headers['x-ratelimit-remaining'], '4')
})
