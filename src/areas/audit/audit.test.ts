import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import type { Area } from '#platform/area.ts'
import { testApp, until } from '#test/app.ts'
import { person } from '#test/people.ts'

/** A route whose process dies between the change and the answer, as far as anybody can tell. */
const dying: Area = {
  name: 'dying',
  routes: [
    (app) => {
      app.route({
        method: 'POST',
        url: '/v1/test/die',
        config: { access: 'user', hidden: true },
        async handler({ transact, raw }) {
          await transact(async () => {})
          raw.socket.destroy()
          died()
          return new Promise(() => {})
        },
      })
    },
  ],
}

let died = () => {}
const app = await testApp(null, { areas: [...areas, dying] })
const owner = await person(app, { admin: true })
const LOGS = '/v1/admin/audit-logs'
const db = app.deps.database

async function entriesOf(query: string) {
  return (await owner.get(`${LOGS}?${query}`)).body.data
}

async function everythingChained(): Promise<void> {
  await until('the chain to hold everything', async () => {
    const { rows } = await db.execute('select count(*)::int as left from audit.pending')
    if (rows[0]?.left === 0) return true
    await app.deps.queue.runSchedules()
    return false
  })
}

test('a change has an entry with its actor, its object, its route and its status', async () => {
  const ada = await person(app)
  await owner.post(`/v1/admin/users/${ada.userId}/suspend`)
  const [entry] = await entriesOf(`objectId=${ada.userId}`)
  assert.equal(entry.actorId, owner.userId)
  assert.equal(entry.credentialId, owner.sessionId)
  assert.equal(entry.route, '/v1/admin/users/:id/suspend')
  assert.equal(entry.statusCode, 200)
  assert.equal(entry.changed, true)
  assert.equal(entry.address, '127.0.0.1')
})

test('a refused change has an entry, and what it would have changed has none', async () => {
  const refused = await owner.post(`/v1/admin/users/${owner.userId}/suspend`)
  assert.equal(refused.status, 409)
  const [entry] = await entriesOf(`objectId=${owner.userId}`)
  assert.equal(entry.statusCode, 409)
  assert.equal(entry.changed, false)
})

test('the entry of a look at what is unknown to the caller does not name it', async () => {
  const id = '01900000-0000-7000-8000-000000000000'
  await owner.get(`/v1/admin/users/${id}`)
  assert.deepEqual(await entriesOf(`objectId=${id}`), [])
  const [entry] = await entriesOf('route=/v1/admin/users/:id')
  assert.equal(entry.statusCode, 404)
})

test('a guess at a password has an entry without an actor', async () => {
  await app.post('/v1/auth/login', { email: owner.email, password: 'not the password' })
  const [entry] = await entriesOf('route=/v1/auth/login')
  assert.equal(entry.statusCode, 401)
  assert.equal(entry.actorId, null)
})

test('a sign-in has an entry with who it turned out to be', async () => {
  const login = { email: 'signs-in@example.org', password: 'correct horse battery' }
  const { body } = await app.post('/v1/auth/register', { ...login, name: 'Ada' })
  await app.post('/v1/auth/login', login)
  const entries = await entriesOf(`actorId=${body.user.id}`)
  assert.deepEqual(
    entries.map(({ route }: { route: string }) => route),
    ['/v1/auth/login', '/v1/auth/register'],
  )
})

test('what an administrator looks at has an entry; what people read of their own has none', async () => {
  const ada = await person(app)
  await owner.get(`/v1/admin/users/${ada.userId}`)
  assert.equal((await entriesOf(`objectId=${ada.userId}`)).length, 1)
  await ada.get('/v1/users/me')
  await ada.get('/v1/users/me/sessions')
  assert.deepEqual(await entriesOf(`actorId=${ada.userId}`), [])
})

test('requests at the same time have an entry each', async () => {
  const ada = await person(app)
  const looks = Array.from({ length: 20 }, () => owner.get(`/v1/admin/users/${ada.userId}`))
  const statuses = (await Promise.all(looks)).map(({ status }) => status)
  assert.deepEqual(new Set(statuses), new Set([200]))
  const entries = await entriesOf(`objectId=${ada.userId}`)
  assert.equal(entries.length, looks.length)
  assert.equal(new Set(entries.map((it: { id: string }) => it.id)).size, looks.length)
})

test('a change whose process died before the answer has an entry without a status', async () => {
  const ada = await person(app)
  const dead = new Promise<void>((resolve) => {
    died = resolve
  })
  void ada.post('/v1/test/die').catch(() => {})
  await dead
  const [entry] = await entriesOf(`actorId=${ada.userId}`)
  assert.equal(entry.statusCode, null)
  await app.advance(11 * 60)
  await everythingChained()
  const fresh = await person(app, { admin: true })
  const chained = (await fresh.get(`${LOGS}?actorId=${ada.userId}`)).body.data
  assert.equal(chained[0].statusCode, null)
  assert.ok(chained[0].sequence > 0)
})
