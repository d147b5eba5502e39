import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { notifyAll } from '#notifications'
import { transact } from '#platform/database/index.ts'
import { type TestApp, testApp, until } from '#test/app.ts'
import { apiKey, otherTenant, type Person, person } from '#test/people.ts'
import { openStream } from '#test/stream.ts'

const app = await testApp(null)

function tell({ tenantId, userId }: Person, names: readonly string[], at: TestApp = app) {
  const notices = names.map((name) => {
    return { userId, kind: 'service_active' as const, data: { name, address: null } }
  })
  return transact(at.deps.database.of(tenantId), (tx) =>
    notifyAll(tx, tenantId, notices, at.deps.clock.now()),
  )
}

const open = (who: { token: string }, options = {}, at: TestApp = app) =>
  openStream({ url: at.url, token: who.token }, options)

test('what is new is told as in the list, with its id, and then how many are unread', async () => {
  const ada = await person(app)
  const stream = await open(ada, { headers: { origin: 'https://panel.example' } })
  assert.equal(stream.status, 200)
  const { headers } = stream
  assert.equal(headers['content-type'], 'text/event-stream')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['x-accel-buffering'], 'no')
  assert.equal(headers['access-control-allow-origin'], '*')
  for (const name of ['limit', 'remaining', 'reset', 'limit-auth', 'remaining-auth']) {
    assert.ok(headers[`x-ratelimit-${name}`], name)
  }
  assert.deepEqual((await stream.heard('unread'))[0]?.data, { count: 0 })
  const [id] = await tell(ada, ['Survival'])
  const [told] = await stream.heard('notification')
  const [listed] = (await ada.get('/v1/notifications')).body.data
  assert.deepEqual(told, { id, event: 'notification', data: listed })
  assert.deepEqual((await stream.heard('unread', 2))[1]?.data, { count: 1 })
  await ada.post(`/v1/notifications/${id}/read`)
  assert.deepEqual((await stream.heard('unread', 3))[2]?.data, { count: 0 })
  await tell(ada, ['One', 'Two'])
  await stream.heard('notification', 3)
  await ada.post('/v1/notifications/read-all')
  await until('all is read', () => stream.events.at(-1)?.data.count === 0)
  stream.close()
})

test('somebody else hears nothing of it', async () => {
  const [ada, eve] = [await person(app), await person(app)]
  const [stream, other] = [await open(ada), await open(eve)]
  await other.heard('unread')
  await tell(ada, ['Survival'])
  await stream.heard('notification')
  await tell(eve, ['Creative'])
  const [own] = await other.heard('notification')
  assert.match(String(own?.data.title), /Creative/)
  assert.equal(other.told().length, 1)
  for (const it of [stream, other]) it.close()
})

test('who comes back is told what they missed, in order, by header or by query', async () => {
  const ada = await person(app)
  const first = await open(ada)
  await first.heard('unread')
  // Nothing was ever told, and still the first notification cannot be missed.
  first.close()
  const ids = await tell(ada, ['One', 'Two', 'Three'])
  const second = await open(ada, { headers: { 'last-event-id': String(first.lastId) } })
  await second.heard('unread')
  assert.deepEqual(second.told(), ids)
  second.close()
  const third = await open(ada, { query: `?lastEventId=${ids[0]}` })
  await third.heard('unread')
  assert.deepEqual(third.told(), ids.slice(1))
  const both = { query: `?lastEventId=${ids[0]}`, headers: { 'last-event-id': String(ids[1]) } }
  const fourth = await open(ada, both)
  await fourth.heard('unread')
  assert.deepEqual(fourth.told(), ids.slice(2))
  for (const it of [third, fourth]) it.close()
})

test('an id that is not theirs, or too long ago, tells the reader to read the list again', async () => {
  const [ada, eve] = [await person(app), await person(app)]
  const [foreign] = await tell(eve, ['Creative'])
  const [first] = await tell(ada, ['First'])
  const names = Array.from({ length: 201 }, (_, index) => `Server ${index}`)
  const ids = await tell(ada, names)
  for (const id of [String(foreign), newId(), 'nonsense', String(first)]) {
    const stream = await open(ada, { headers: { 'last-event-id': id } })
    await stream.heard('unread')
    assert.deepEqual(
      stream.events.map(({ event }) => event),
      ['reset', 'unread'],
      id,
    )
    assert.equal(stream.lastId, ids.at(-1), 'from there it goes on')
    stream.close()
  }
  const stream = await open(ada, { headers: { 'last-event-id': String(ids[0]) } })
  await stream.heard('unread')
  assert.deepEqual(stream.told(), ids.slice(1), 'the most that is told again')
  stream.close()
})

test('a stream ends when its session or key does, or its person is suspended (hardening 18)', async () => {
  const admin = await person(app, { admin: true })
  const [ada, bob] = [await person(app), await person(app)]
  const key = await apiKey(app, ada, { permission: 'read' })
  const byKey = await open({ token: key.key })
  const bySession = await open(ada)
  const ofBob = await open(bob)
  await Promise.all([byKey, bySession, ofBob].map((it) => it.heard('unread')))
  assert.equal((await ada.delete(`/v1/api-keys/${key.id}`)).status, 200)
  await until('the stream of the key has ended', () => byKey.ended)
  assert.equal(bySession.ended, false)
  assert.equal((await ada.delete(`/v1/users/me/sessions/${ada.sessionId}`)).status, 200)
  await until('the stream of the session has ended', () => bySession.ended)
  assert.deepEqual(bySession.events.at(-1)?.data, { reason: 'credential' })
  assert.equal(ofBob.ended, false)
  const suspended = await admin.post(`/v1/admin/users/${bob.userId}/suspend`)
  assert.equal(suspended.status, 200, suspended.text)
  await until("bob's stream has ended", () => ofBob.ended)
})

test('a stream says why it ends, and ends within a second when its shop is suspended or closed', async () => {
  const tenantId = await otherTenant(app, 'other.example')
  const host = { headers: { host: 'other.example' } }
  const [ada, staff] = [
    await person(app, { tenantId }),
    await person(app, { tenantId, permissions: ['services:read'] }),
  ]
  const streams = [await open(ada, host), await open(staff, host)] as const
  const [hers, theirs] = streams
  for (const it of streams) await it.heard('unread')
  const set = (column: 'suspended_at' | 'closed_at') =>
    app.deps.database.execute(`update tenants.tenants set ${column} = now() where id = $1`, [
      tenantId,
    ])
  await set('suspended_at')
  await until('the stream of a customer has ended', () => hers.ended)
  assert.deepEqual(hers.events.at(-1), { id: null, event: 'end', data: { reason: 'shop' } })
  assert.equal((await ada.get('/v1/notifications/stream')).status, 503)
  // Who runs the shop goes on being told.
  await tell(staff, ['Survival'])
  await theirs.heard('notification')
  assert.equal(theirs.ended, false)
  await set('closed_at')
  await until('the stream of staff has ended', () => theirs.ended)
  assert.equal(theirs.events.at(-1)?.event, 'end')
})

test('a person has ten streams, and gets another one when one of them ends', async () => {
  const ada = await person(app)
  const streams = await Promise.all(Array.from({ length: 10 }, () => open(ada)))
  assert.ok(streams.every(({ status }) => status === 200))
  const refused = await ada.get('/v1/notifications/stream')
  assert.equal(refused.status, 429)
  assert.equal(refused.body.code, 'too_many_streams')
  streams[0]?.close()
  await until('there is room', async () => {
    return (await ada.get('/v1/notifications/stream')).status === 200
  })
  for (const it of streams) it.close()
})

test('an access token that ends takes its stream along, and HEAD opens none', async (t) => {
  const own = await testApp(t)
  const ada = await person(own)
  const stream = await open(ada, {}, own)
  await stream.heard('unread')
  const head = await ada.request('HEAD', '/v1/notifications/stream')
  assert.equal(head.status, 200)
  const { openStreams } = own.deps.metrics
  assert.equal((await openStreams.get()).values[0]?.value, 1)
  await own.advance(15 * 60)
  await until('the stream has ended', () => stream.ended)
  assert.equal((await openStreams.get()).values[0]?.value, 0)
})

test('who does not read is cut off, and stopping waits for nobody', async (t) => {
  const own = await testApp(t)
  const [ada, bob] = [await person(own), await person(own)]
  const [slow, idle] = [await open(ada, {}, own), await open(bob, {}, own)]
  await Promise.all([slow, idle].map((it) => it.heard('unread')))
  slow.pause()
  const { openStreams } = own.deps.metrics
  const long = 'x'.repeat(20_000)
  let sent = 0
  await until('the slow reader is cut off', async () => {
    sent += 1
    await tell(
      ada,
      Array.from({ length: 40 }, () => long),
      own,
    )
    return (await openStreams.get()).values[0]?.value === 1
  })
  assert.ok(sent < 40, 'what waits for one reader is bounded')
  idle.pause()
  const beganMs = performance.now()
  await own.stop()
  assert.ok(performance.now() - beganMs < 8000)
})
