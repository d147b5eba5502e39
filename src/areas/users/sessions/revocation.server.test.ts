import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { areas } from '#app/areas.ts'
import { startService } from '#platform/start.ts'
import { testApp, until } from '#test/app.ts'
import { clientFor } from '#test/client.ts'
import { apiKey, person } from '#test/people.ts'

const app = await testApp(null)
const other = await startService({ ...app.deps.config, port: 0 }, areas, {
  migrating: false,
  log: pino({ level: 'silent' }),
})
const BELIEVED_MS = 1000

test('what one process ends has ended on another within a second (hardening 18)', async (t) => {
  t.after(() => other.stop())
  const admin = await person(app, { admin: true })
  const ada = await person(app)
  const { key } = await apiKey(app, ada, { permission: 'read' })
  const elsewhere = [ada.token, key].map((token) =>
    clientFor(other.url ?? '', { authorization: `Bearer ${token}` }),
  )
  for (const client of elsewhere) assert.equal((await client.get('/v1/users/me')).status, 200)
  await admin.post(`/v1/admin/users/${ada.userId}/suspend`)
  const endedMs = performance.now()
  for (const client of elsewhere) {
    await until('the end', async () => (await client.get('/v1/users/me')).status === 401)
  }
  assert.ok(performance.now() - endedMs < BELIEVED_MS + 500)
})
