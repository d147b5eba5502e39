import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { setUp, setupEnd, setupLink } from './actions.ts'

const account = { email: 'first@example.org', password: 'correct horse battery', name: 'First' }

test('the printed token makes the first administrator, once', async (t) => {
  const app = await testApp(t)
  const old = await setupLink(app.deps)
  const link = await setupLink(app.deps)
  assert.ok(old && link && old !== link)
  const token = new URL(link).hash.slice(1)
  const stale = new URL(old).hash.slice(1)
  assert.equal((await app.post('/v1/setup', { ...account, token: stale })).status, 401)
  const { tenantId } = app
  const late = { tenantId, token, email: account.email, passwordHash: 'none', name: 'Late' }
  const end = setupEnd(app.deps.clock.now())
  const tooLate = transact(app.deps.database.of(tenantId), (tx) => setUp(tx, late, end))
  await assert.rejects(tooLate, { statusCode: 410 })
  const answers = await Promise.all([
    app.post('/v1/setup', { ...account, token }),
    app.post('/v1/setup', { ...account, token, email: 'second@example.org' }),
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 404])
  const made = answers.find(({ status }) => status === 201)
  assert.deepEqual(
    made?.body.user.roles.map((role: { name: string }) => role.name),
    ['Owner'],
  )
  const first = app.as(made?.body.accessToken)
  assert.equal((await first.get('/v1/admin/rbac/roles')).status, 200)
  assert.equal((await app.post('/v1/setup', { ...account, token })).status, 404)
  assert.equal(await setupLink(app.deps), null)
})

test('whether a shop is yet to be set up, and whether a token would do, can be asked', async (t) => {
  const app = await testApp(t)
  const asked = async (query = '') => (await app.get(`/v1/setup${query}`)).body
  assert.deepEqual(await asked(), { needed: true, tokenValid: null })
  const link = (await setupLink(app.deps)) ?? ''
  const token = new URL(link).hash.slice(1)
  assert.deepEqual(await asked(`?token=${token}`), { needed: true, tokenValid: true })
  assert.deepEqual(await asked('?token=wrong'), { needed: true, tokenValid: false })
  assert.equal((await app.post('/v1/setup', { ...account, token })).status, 201)
  assert.deepEqual(await asked(`?token=${token}`), { needed: false, tokenValid: false })
})

test('the configured administrator is there at the start, and no link is', async (t) => {
  const admin = { email: 'boss@example.org', password: 'correct horse battery' }
  const app = await testApp(t, { config: { admin } })
  const { status, body } = await app.post('/v1/auth/login', admin)
  assert.equal(status, 200)
  assert.equal(body.user.roles[0].name, 'Owner')
  assert.equal(await setupLink(app.deps), null)
})
