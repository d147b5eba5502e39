import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { person } from '#test/people.ts'
import { changeSettings } from './actions.ts'

test('two changes of one section at once wait for each other, and both hold', async (t) => {
  const app = await testApp(t)
  const admin = await person(app, { admin: true })
  const { database, secrets, areas, clock } = app.deps
  const sections = areas.flatMap((area) => area.settings ?? [])
  const { tenantId } = app
  const change = { billing: { unpaidHours: 48 } }
  // The section has its row already: nobody waits for somebody else to insert it.
  await admin.patch('/v1/admin/settings', { billing: { creditNoteSeries: 'C' } })
  const second = await transact(database.of(tenantId), async (tx) => {
    await changeSettings(tx, { secrets, sections }, { tenantId, change }, clock.now())
    const other = admin.patch('/v1/admin/settings', { billing: { invoiceSeries: 'R' } })
    await until('the second change waits', async () => {
      const { rows } = await database.execute(
        `select from pg_locks join pg_stat_activity using (pid)
         where not granted and datname = current_database()`,
      )
      return rows.length > 0
    })
    return { other } // Wrapped: awaited in here, it would wait for ever.
  })
  assert.equal((await second.other).status, 200)
  const { billing } = (await admin.get('/v1/admin/settings')).body.values
  const { unpaidHours, invoiceSeries, creditNoteSeries } = billing
  assert.deepEqual([unpaidHours, invoiceSeries, creditNoteSeries], [48, 'R', 'C'])
})
