import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { person } from '#test/people.ts'

test('what an administrator looks at is not answered before its entry is written', async (t) => {
  const app = await testApp(t)
  const owner = await person(app, { admin: true })
  const { database } = app.deps
  let answered = 0
  const { looks } = await transact(database.of(app.tenantId), async (tx) => {
    await sql`lock table audit.pending in exclusive mode`.execute(tx)
    const looks = Array.from({ length: 3 }, () =>
      owner.get(`/v1/admin/users/${owner.userId}`).then(({ status }) => {
        answered += 1
        return status
      }),
    )
    await until('an entry waits for the lock', async () => {
      const { rows } = await database.execute(
        `select from pg_locks join pg_stat_activity using (pid)
         where not granted and datname = current_database()`,
      )
      return rows.length > 0
    })
    // Answers that did not wait would be here by the time that others are.
    for (let asked = 0; asked < 5; asked += 1) await app.get('/v1/meta')
    assert.equal(answered, 0)
    return { looks: Promise.all(looks) } // Wrapped: awaited in here, it would wait for ever.
  })
  assert.deepEqual(await looks, [200, 200, 200])
})
