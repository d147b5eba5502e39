import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { testApp, until } from '#test/app.ts'

const TOKEN = 'a token for metrics'
const app = await testApp(null, { config: { metricsToken: TOKEN } })
const realNow = Date.now
/** The way to a database on this machine is far shorter. */
const EXACT_SECONDS = 2

/** This machine's clock is off by so much for the rest of a test; the database server's is not. */
function clockIsOff(t: TestContext, seconds: number): void {
  t.mock.method(Date, 'now', () => realNow() + seconds * 1000)
}

async function gauge(): Promise<number> {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const { text } = await app.get('/v1/metrics', { headers })
  return Number(/^moorage_clock_skew_seconds (\S+)$/m.exec(text)?.[1])
}

const cases = [
  [0, 'right', 'up'],
  [-28, 'right', 'up'],
  [28, 'right', 'up'],
  [-33, 'wrong', 'degraded'],
  [33, 'wrong', 'degraded'],
  [300, 'wrong', 'degraded'],
  [-3600, 'wrong', 'degraded'],
] as const

for (const [seconds, expected, health] of cases) {
  test(`a clock that is ${seconds} s ahead of the database server’s is ${expected} (hardening 49)`, async (t) => {
    clockIsOff(t, seconds)
    const { status, body } = await app.get('/v1/health')
    const { clock, database } = body.checks
    assert.deepEqual([status, body.status, clock.status, database], [200, health, expected, 'up'])
    assert.ok(Math.abs(clock.skewSeconds - seconds) < EXACT_SECONDS, `${clock.skewSeconds} s`)
    assert.deepEqual((await app.get('/v1/health/live')).body, { status: 'up' })
  })
}

test('the metrics tell how far the clock is off (hardening 49)', async (t) => {
  clockIsOff(t, 90)
  await until('it is told', async () => Math.abs((await gauge()) - 90) < EXACT_SECONDS)
})

test('the clock that tests and the demo move is no wrong one', async () => {
  app.deps.clock.advance(7200_000)
  const { body } = await app.get('/v1/health')
  assert.deepEqual([body.status, body.checks.clock.status], ['up', 'right'])
})
