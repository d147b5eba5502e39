import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { areas } from '#app/areas.ts'
import { startService } from '#platform/start.ts'
import { clientFor } from '#test/client.ts'
import { person } from '#test/people.ts'
import { openStream } from '#test/stream.ts'
import { world } from '#test/world.ts'

const { app, owner } = await world()
const URL = '/v1/admin/presence'
const OBJECT = { kind: 'user', id: owner.userId }
const permissions = ['users:read']

test('staff on two processes see each other, and are notified across them', async (t) => {
  const other = await startService({ ...app.deps.config, port: 0 }, areas, {
    migrating: false,
    log: pino({ level: 'silent' }),
  })
  t.after(() => other.stop())
  const [lea, tom] = [await person(app, { permissions }), await person(app, { permissions })]
  const there = clientFor(other.url ?? '', { authorization: `Bearer ${tom.token}` })
  const stream = await openStream({ url: app.url, token: lea.token })
  await stream.heard('unread')
  assert.deepEqual((await lea.put(URL, OBJECT)).body.others, [])
  const { body } = await there.put(URL, { ...OBJECT, writing: true })
  assert.deepEqual(body.others, [{ id: lea.userId, name: lea.name, writing: false }])
  assert.deepEqual((await stream.heard('presence'))[0]?.data, OBJECT)
  const seen = (await lea.put(URL, OBJECT)).body.others
  assert.deepEqual(seen, [{ id: tom.userId, name: tom.name, writing: true }])
  await there.delete(`${URL}?kind=user&id=${owner.userId}`)
  await stream.heard('presence', 2)
  assert.deepEqual((await lea.put(URL, OBJECT)).body.others, [])
  stream.close()
})

test('of staff who open an object at the same time, everybody but the first sees others at once', async () => {
  const staff = await Promise.all(Array.from({ length: 6 }, () => person(app, { permissions })))
  const answers = await Promise.all(staff.map((it) => it.put(URL, OBJECT)))
  const seen = answers.map(({ status, body }) => {
    assert.equal(status, 200)
    return body.others.filter(({ id }: { id: string }) => staff.some((it) => it.userId === id))
      .length
  })
  assert.deepEqual(seen.toSorted(), [0, 1, 2, 3, 4, 5])
})
