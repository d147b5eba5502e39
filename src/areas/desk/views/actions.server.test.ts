import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { person } from '#test/people.ts'
import { lockUser } from '#users'
import { insertView } from './queries.ts'

test('saving a view waits for another request of the same person, and counts its view', async (t) => {
  const app = await testApp(t)
  const lea = await person(app, { admin: true })
  const { tenantId, userId } = lea
  const { database, clock } = app.deps
  const db = database.of(tenantId)
  const view = { screen: 'invoices', query: '', hiddenColumns: [] }
  const insert = (tx: Parameters<typeof insertView>[0], name: string) => {
    const row = { ...view, tenantId, userId, id: newId(), shared: false, createdAt: clock.now() }
    return insertView(tx, { ...row, name })
  }
  await transact(db, async (tx) => {
    for (let index = 0; index < 49; index += 1) await insert(tx, `View ${index}`)
  })
  const { request } = await transact(db, async (tx) => {
    await lockUser(tx, lea)
    await insert(tx, 'The last one')
    const saving = lea.post('/v1/admin/views', { ...view, name: 'One more' })
    await until('the request waits', async () => {
      const { rows } = await database.execute(
        `select from pg_locks join pg_stat_activity using (pid)
         where not granted and datname = current_database()`,
      )
      return rows.length > 0
    })
    return { request: saving }
  })
  const { status, body } = await request
  assert.deepEqual([status, body.code], [422, 'too_many_views'])
})
