import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS, later } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { apiKey, person } from '#test/people.ts'
import { publishDue } from './actions.ts'

const app = await testApp(null)
const { database, clock } = app.deps
const staff = await person(app, { permissions: ['announcements:read', 'announcements:write'] })
// Sessions end while the clock is advanced, keys do not.
const admin = await apiKey(app, staff, { permission: 'read-write' })
const url = '/v1/admin/announcements'
const texts = { en: { title: 'Planned', body: 'Tonight.' } }

async function due(): Promise<string> {
  const publishAt = later(clock.now(), HOUR_MS)
  const { status, body, text } = await admin.post(url, { texts, publishAt })
  assert.equal(status, 201, text)
  clock.advance(2 * HOUR_MS)
  return body.id
}

const publish = (fails = false) =>
  transact(database.everywhere, async (tx) => {
    const count = await publishDue(tx, clock.now(), 10)
    if (fails) throw new Error('It dies here')
    return count
  })

test('of two processes at once, and after one that died, only one publishes a scheduled announcement', async () => {
  const id = await due()
  await assert.rejects(publish(true), /dies here/)
  assert.equal((await admin.get(`${url}/${id}`)).body.status, 'scheduled')
  const counts = await transact(database.everywhere, async (tx) => {
    const first = await publishDue(tx, clock.now(), 10)
    return [first, await publish()]
  })
  assert.deepEqual([...counts, await publish()], [1, 0, 0])
  const { told } = await until('it has reached everybody', async () => {
    const { body } = await admin.get(`${url}/${id}`)
    return body.finishedAt && body
  })
  assert.equal(told, 1)
})

test('a deletion that waits for the publication is refused', async () => {
  const id = await due()
  const second = await transact(database.everywhere, async (tx) => {
    assert.equal(await publishDue(tx, clock.now(), 10), 1)
    const request = admin.delete(`${url}/${id}`)
    await until('the deletion waits', async () => {
      const { rows } = await database.execute(
        `select from pg_locks join pg_stat_activity using (pid)
         where not granted and datname = current_database()`,
      )
      return rows.length > 0
    })
    return { request }
  })
  const { status, body } = await second.request
  assert.deepEqual([status, body.code], [409, 'announcement_published'])
})
