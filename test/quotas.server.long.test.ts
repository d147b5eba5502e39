import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { type Answer, clientFor } from '#test/client.ts'
import { privateRedis, redisProgram } from '#test/private-servers.ts'
import { several } from '#test/several.ts'
import { openStream } from '#test/stream.ts'

const SCALE = Number(process.env.SCALE ?? 1)
const LIMIT = 300
const MORE = 100
const ROUNDS = Math.ceil(10 * SCALE)
const WINDOW_MS = 60_000
const AT_ONCE = 16
const PATIENCE = { waitMs: 120_000 }
const ALERT = /"up":false.*shared rate limit counters/

const program = redisProgram()
const skip = program === null && 'redis-server and valkey-server are not installed'
const all = skip ? null : await started(program ?? '')

async function started(redisServer: string) {
  const redis = await privateRedis(redisServer)
  const shop = await several({
    REDIS_URL: redis.url,
    RATE_LIMIT_GENERAL: String(LIMIT),
    RATE_LIMIT_AUTH: '1000',
  })
  const apis = shop.apis.map((it) => ({ ...it, client: clientFor(it.url) }))
  async function storeIs(state: 'up' | 'local'): Promise<void> {
    await until(`both count ${state}`, async () => {
      const answers = await Promise.all(apis.map(({ client }) => client.get('/v1/health')))
      return answers.every(({ body }) => body.checks.rateLimitStore === state)
    })
  }
  return { redis, shop, apis, storeIs }
}

function installation() {
  assert.ok(all)
  return all
}

/** An address nobody else has: what is counted for it is ours. */
function address(): Record<string, string> {
  return { 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}` }
}

/** Waits until a minute has begun in which everything has room. */
async function minuteWith(roomMs: number): Promise<void> {
  await until('there is room', () => Date.now() % WINDOW_MS < WINDOW_MS - roomMs, PATIENCE)
}

/** Sends so many requests, some at once, to one process after the other. */
async function send(count: number, headers: Record<string, string>): Promise<Answer[]> {
  const { apis } = installation()
  const answers: Answer[] = []
  let sent = 0
  async function go(): Promise<void> {
    while (sent < count) {
      const api = apis[sent++ % apis.length]
      assert.ok(api)
      answers.push(await api.client.get('/v1/meta', { headers }))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, go))
  return answers
}

function allowed(answers: readonly Answer[]): number {
  assert.deepEqual(
    answers.filter(({ status }) => status !== 200 && status !== 429).map(({ text }) => text),
    [],
  )
  return answers.filter(({ status }) => status === 200).length
}

for (let round = 1; round <= ROUNDS; round += 1) {
  test(`two processes let through what one would, to the request (${round})`, {
    skip,
  }, async () => {
    await minuteWith(20_000)
    const headers = address()
    const [one, two] = installation().apis
    // Until now the second has heard nothing of them.
    for (let count = 0; count < LIMIT / 2; count += 1)
      await one?.client.get('/v1/meta', { headers })
    const first = await two?.client.get('/v1/meta', { headers })
    assert.equal(first?.headers['x-ratelimit-remaining'], String(LIMIT / 2 - 1))
    const answers = await send(LIMIT / 2 - 1 + MORE, headers)
    assert.equal(allowed(answers), LIMIT / 2 - 1)
    const places = answers.filter(({ status }) => status === 200)
    const remaining = new Set(places.map((it) => it.headers['x-ratelimit-remaining']))
    assert.ok(remaining.has('0'), 'the last one was told so')
  })
}

test('with Redis gone requests are served within limits, and with it back the quota is one again (hardening 46)', {
  skip,
}, async () => {
  const { redis, apis, storeIs } = installation()
  await minuteWith(40_000)
  const headers = address()
  assert.equal(allowed(await send(40, headers)), 40)
  const login = { email: 'visitor@example.com', password: 'a long enough password' }
  const [one, two] = apis
  assert.ok(one && two)
  const signedIn = await one.client.post('/v1/auth/register', { ...login, name: 'Ada' })
  assert.equal(signedIn.status, 201, signedIn.text)
  const alerts = () => apis.map(({ lines }) => lines.filter((it) => ALERT.test(it)).length)
  const before = alerts()
  await redis.stop()
  // Nobody counts for the other now: each lets through what is left as far as it knows.
  const alone = await send(40, headers)
  assert.equal(allowed(alone), 40)
  await storeIs('local')
  assert.ok(alone.every((it) => it.headers['x-ratelimit-limit'] === String(LIMIT)))
  // Whoever is signed in stays so, at any process, and others sign in.
  const authorization = `Bearer ${signedIn.body.accessToken}`
  assert.equal((await two.client.get('/v1/users/me', { headers: { authorization } })).status, 200)
  assert.equal((await two.client.post('/v1/auth/login', login)).status, 200)
  assert.deepEqual(
    alerts(),
    before.map((count) => count + 1),
    'each says it once',
  )
  await redis.start()
  await storeIs('up')
  // It came back empty, and both have told it what they counted, before and meanwhile.
  assert.equal(allowed(await send(LIMIT, headers)), LIMIT - 80)
})

test('a Redis that hangs holds nobody up for long (hardening 46)', { skip }, async () => {
  const { redis, storeIs } = installation()
  await minuteWith(40_000)
  const headers = address()
  redis.freeze()
  const startMs = performance.now()
  assert.equal(allowed(await send(100, headers)), 100)
  const tookMs = performance.now() - startMs
  await storeIs('local')
  redis.thaw()
  assert.ok(tookMs < 10_000, `100 requests took ${Math.round(tookMs)} ms`)
  await storeIs('up')
  assert.equal(allowed(await send(LIMIT, headers)), LIMIT - 100)
})

test('what one process writes a stream at the other one tells', { skip }, async () => {
  const { shop } = installation()
  const [one, two] = shop.apis
  const admin = shop.admin(one.url)
  const login = { email: 'reader@example.com', password: 'a long enough password' }
  const wanted = { ...login, name: 'Ada Lovelace', country: 'FR' }
  await clientFor(one.url).post('/v1/auth/register', wanted)
  const { body } = await clientFor(two.url).post('/v1/auth/login', login)
  const stream = await openStream({ url: two.url, token: body.accessToken })
  await stream.heard('unread')
  // A worker writes it, and then one process that its reader has seen it.
  const texts = { en: { title: 'Maintenance', body: 'At night.' } }
  const made = await admin.post('/v1/admin/announcements', { texts })
  assert.equal(made.status, 201, made.text)
  const [told] = await stream.heard('notification')
  const reader = clientFor(one.url, { authorization: `Bearer ${body.accessToken}` })
  const read = await reader.post(`/v1/notifications/${told?.id}/read`)
  assert.equal(read.status, 200, read.text)
  await until('it counts as read', () => stream.events.at(-1)?.data.count === 0)
  stream.close()
})
