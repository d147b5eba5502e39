import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { testApp, until } from '#test/app.ts'
import { otherTenant, person } from '#test/people.ts'

const ME = '/v1/users/me'
const WAITING = `
  select count(*)::int as count from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

test('20 slow requests of one person keep no other tenant waiting (hardening 56)', async (t) => {
  const app = await testApp(t)
  const ada = await person(app)
  const stranger = await person(app, { tenantId: await otherTenant(app, 'other.test') })
  const holder = new pg.Client({ connectionString: app.databaseUrl ?? '' })
  await holder.connect()
  const waiting = async () => Number((await holder.query(WAITING)).rows[0]?.count)
  try {
    await holder.query('begin')
    await holder.query('select from users.users where id = $1 for update', [ada.userId])
    const slow = Array.from({ length: 20 }, (_, n) => ada.patch(ME, { name: `Ada ${n}` }))
    await until('they wait for each other', async () => (await waiting()) > 1, {
      waitMs: 10_000,
    })
    for (let round = 0; round < 5; round += 1) {
      assert.equal((await stranger.patch(ME, { name: `Eve ${round}` })).status, 200)
      assert.equal((await stranger.get(ME)).body.name, `Eve ${round}`)
      // Whoever asks for something that does not wait is not kept by what they asked for before.
      assert.equal((await ada.get(ME)).status, 200)
    }
    await holder.query('rollback')
    const answers = await Promise.all(slow)
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  } finally {
    await holder.end()
  }
})
