import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { until } from '#test/app.ts'
import { testDatabase } from '#test/database.ts'
import { EVERY_TENANT } from './driver.ts'
import { isDatabaseAway, NOBODY_LISTENS, transact } from './index.ts'
import { openServer } from './open.ts'

const ME = 'select pg_backend_pid() as pid'

/** A database, and its owner, who looks from outside. */
async function opened(t: TestContext) {
  const made = await testDatabase()
  const database = openServer(made.url ?? '', NOBODY_LISTENS)
  const owner = new pg.Client({ connectionString: made.url ?? '' })
  await owner.connect()
  t.after(async () => {
    await Promise.all([database.close(), owner.end()])
    await made.drop()
  })
  async function isGone(pid: unknown): Promise<void> {
    await until('it is gone', async () => {
      const there = await owner.query('select from pg_stat_activity where pid = $1', [pid])
      return there.rowCount === 0
    })
  }
  return { database, owner, isGone }
}

test('a connection that is cut in a transaction costs that transaction, and not the process', async (t) => {
  const { database, owner, isGone } = await opened(t)
  const work = transact(database.of(EVERY_TENANT), async (tx) => {
    const { rows } = await sql<{ pid: number }>`${sql.raw(ME)}`.execute(tx)
    await owner.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    // It ends while nobody asks anything on it.
    await isGone(rows[0]?.pid)
    await sql.raw(ME).execute(tx)
  })
  await assert.rejects(work, isDatabaseAway)
  assert.equal((await database.execute(ME)).rows.length, 1)
})

test('who says nothing in the middle of a transaction loses it, and what it locked is free (hardening 50)', async (t) => {
  const { database, isGone } = await opened(t)
  const { rows: limits } = await database.execute(
    `select current_setting('idle_in_transaction_session_timeout') as silence`,
  )
  assert.deepEqual(limits, [{ silence: '30s' }])
  const work = transact(database.of(EVERY_TENANT), async (tx) => {
    // Nobody waits for half a minute here.
    await sql.raw(`set local idle_in_transaction_session_timeout = 50`).execute(tx)
    const { rows } = await sql<{ pid: number }>`${sql.raw(ME)}`.execute(tx)
    await isGone(rows[0]?.pid)
    await sql.raw(ME).execute(tx)
  })
  await assert.rejects(work, isDatabaseAway)
  assert.equal((await database.execute(ME)).rows.length, 1)
})
