import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { until } from '#test/app.ts'
import { testDatabase } from '#test/database.ts'
import { EVERY_TENANT } from './driver.ts'
import { isDatabaseAway, NOBODY_LISTENS, transact } from './index.ts'
import { openServer } from './open.ts'

const ME = 'select pg_backend_pid() as pid'

test('a connection that is cut in a transaction costs that transaction, and not the process', async (t) => {
  const made = await testDatabase()
  const database = openServer(made.url ?? '', NOBODY_LISTENS)
  const owner = new pg.Client({ connectionString: made.url ?? '' })
  await owner.connect()
  t.after(async () => {
    await Promise.all([database.close(), owner.end()])
    await made.drop()
  })
  const work = transact(database.of(EVERY_TENANT), async (tx) => {
    const { rows } = await sql<{ pid: number }>`${sql.raw(ME)}`.execute(tx)
    await owner.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    // It ends while nobody asks anything on it.
    await until('it is gone', async () => {
      const there = await owner.query('select from pg_stat_activity where pid = $1', [rows[0]?.pid])
      return there.rowCount === 0
    })
    await sql.raw(ME).execute(tx)
  })
  await assert.rejects(work, isDatabaseAway)
  assert.equal((await database.execute(ME)).rows.length, 1)
})
