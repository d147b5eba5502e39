import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { areas } from '#app/areas.ts'
import { startService } from '#platform/start.ts'
import { testApp, until } from '#test/app.ts'
import { clientFor } from '#test/client.ts'
import { person } from '#test/people.ts'

const BELIEVED_MS = 1000

test('what one process says of a shop holds on another within a second', async (t) => {
  const app = await testApp(t)
  const other = await startService({ ...app.deps.config, port: 0 }, areas, {
    migrating: false,
    log: pino({ level: 'silent' }),
  })
  t.after(() => other.stop())
  const admin = await person(app, { admin: true })
  const made = await admin.post('/v1/admin/tenants', { name: 'One', domains: ['one.example'] })
  assert.equal(made.status, 201, made.text)
  const path = `/v1/admin/tenants/${made.body.id}`
  const at = (host: string) => clientFor(other.url ?? '', { host })
  const metaAt = async (host: string) => (await at(host).get('/v1/meta')).body

  async function changed(change: object, what: string, look: () => Promise<boolean>) {
    assert.equal((await admin.patch(path, change)).status, 200)
    const changedMs = performance.now()
    await until(what, look)
    assert.ok(performance.now() - changedMs < BELIEVED_MS + 500, what)
  }

  assert.equal((await metaAt('one.example')).brand.name, 'One')
  assert.equal((await metaAt('two.example')).brand.name, 'Moorage')
  await changed({ domains: ['two.example'] }, 'the new host', async () => {
    return (await metaAt('two.example')).brand.name === 'One'
  })
  await changed({ status: 'suspended' }, 'the suspension', async () => {
    return (await at('two.example').get('/v1/store/products')).status === 503
  })
  await changed({ status: 'closed' }, 'the end', async () => {
    return (await at('two.example').get('/v1/meta')).status === 404
  })
})

test('two tenants that want one domain at once: one gets it, the other is refused', async (t) => {
  const app = await testApp(t)
  const admin = await person(app, { admin: true })
  const answers = await Promise.all(
    ['One', 'Two', 'Three'].map((name) =>
      admin.post('/v1/admin/tenants', { name, domains: ['wanted.example', `${name}.example`] }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
  const { body } = await admin.get('/v1/admin/tenants')
  assert.equal(body.data.length, 2, 'the default one and the winner')
})
