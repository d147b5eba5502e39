import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'

test('while the database answers nobody, health says so, and a process counts as alive', async (t) => {
  const app = await testApp(t)
  const customer = await person(app)
  const { pool } = app.deps.database
  const all = await Promise.all(
    Array.from({ length: pool.options.max ?? 10 }, () => pool.connect()),
  )
  try {
    // Whose shop a name is that nobody has called yet has to be looked up.
    const from = { headers: { host: 'elsewhere.example' } }
    const [health, live, signedIn] = await Promise.all([
      app.get('/v1/health', from),
      app.get('/v1/health/live', from),
      customer.get('/v1/health/live', from),
    ])
    assert.deepEqual([health.status, health.body.checks.database], [503, 'down'])
    assert.deepEqual(health.body.checks.clock, { status: 'unknown', skewSeconds: null })
    assert.deepEqual([live.status, live.body], [200, { status: 'up' }])
    assert.equal(signedIn.status, 200)
    assert.ok(health.headers['x-ratelimit-limit'])
  } finally {
    for (const client of all) client.release()
  }
  const { status, body } = await app.get('/v1/health')
  assert.deepEqual([status, body.status, body.checks.clock.status], [200, 'up', 'right'])
  // The embedded database has no clock of its own.
  if (app.deps.database.embedded) assert.equal(body.checks.clock.skewSeconds, 0)
})
