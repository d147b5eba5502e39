import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { person } from '#test/people.ts'
import { lockUser } from '#users'

test('saving a view waits for another request of the same person, so that both count', async (t) => {
  const app = await testApp(t)
  const lea = await person(app, { admin: true })
  const { database } = app.deps
  const { request } = await transact(database.of(app.tenantId), async (tx) => {
    await lockUser(tx, lea)
    const view = { screen: 'invoices', name: 'Late', query: '', hiddenColumns: [] }
    const saving = lea.post('/v1/admin/views', view)
    await until('the request waits', async () => {
      const { rows } = await database.execute(
        `select from pg_locks join pg_stat_activity using (pid)
         where not granted and datname = current_database()`,
      )
      return rows.length > 0
    })
    return { request: saving }
  })
  assert.equal((await request).status, 201)
})
