import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { testApp } from '#test/app.ts'
import { compiled } from './compiled.ts'
import { transact } from './index.ts'

const app = await testApp(null)
const { databaseUrl, tenantId } = app
const db = app.deps.database.of(tenantId)
assert.ok(databaseUrl)

/** What a newer version does to the tables that this process reads with `select *`. */
async function migrate(column: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl ?? '' })
  await client.connect()
  await client.query(`alter table tenants.settings add column ${column} integer`)
  await client.end()
}

const all = compiled((handle, values: { tenantId: string }) =>
  handle.selectFrom('tenants.settings').selectAll().where('tenantId', '=', values.tenantId),
)

const AT_ONCE = 100

/** More at once than go together on all connections, so that each of them knows the statement. */
function everywhere<T>(read: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, read))
}

const built = () =>
  db.selectFrom('tenants.settings').selectAll().where('tenantId', '=', tenantId).execute()

const reads = [
  ['that is built for each request', 'one', built],
  ['that is compiled once', 'two', () => all(db, { tenantId })],
] as const

for (const [what, column, read] of reads) {
  test(`a read ${what} goes on when another process has added a column (hardening 52)`, async () => {
    await everywhere(read)
    await migrate(column)
    await everywhere(read)
  })
}

test('a transaction begins anew when another process has added a column', async () => {
  let tries = 0
  const work = () =>
    transact(db, async (tx) => {
      tries += 1
      const text = sql`select * from tenants.settings where section = ${String(tries)}`
      await text.execute(tx)
      return tx.selectFrom('tenants.settings').selectAll().execute()
    })
  await everywhere(work)
  await migrate('three')
  tries = 0
  await everywhere(work)
  assert.ok(tries > AT_ONCE, `${tries} tries`)
})
