import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { until } from '#test/app.ts'
import { testDatabase } from '#test/database.ts'
import { type Database, NOBODY_LISTENS } from './index.ts'
import { type Migration, migrate, migrations, missingMigrations } from './migrate.ts'

/** This version, and what a later one does with a table that is there. */
async function laterVersion(t: TestContext, ...steps: string[]) {
  const kept = await testDatabase()
  const database = await kept.open(NOBODY_LISTENS)
  const left = Promise.withResolvers<void>()
  t.after(async () => {
    left.resolve()
    await database.close()
    await kept.drop()
  })
  await run(database, 'create table platform.large (id integer primary key, word text)')
  await run(database, 'insert into platform.large select n from generate_series(1, 1000) n')
  const sql = steps.join('\n-- next step\n')
  const later: Migration = { name: '9999-later.sql', sql, hash: 'later', unusedSince: null }
  const all = [...migrations(), later]
  return {
    ...{ database, all, leave: left.resolve },
    isApplied: async () => (await missingMigrations(database, all)).length === 0,
    /** Somebody writes into the table, and does not end before they are told to. */
    async comeInTheWay(): Promise<void> {
      const client = await database.pool.connect()
      await client.query('begin; update platform.large set id = id where id = 1')
      void left.promise.then(async () => {
        await client.query('commit')
        client.release()
      })
    },
  }
}

async function run(database: Database, text: string): Promise<Record<string, unknown>[]> {
  return (await database.pool.query(text)).rows
}

const WAITS = `
  select from pg_locks where not granted and mode = 'AccessExclusiveLock'
    and relation = 'platform.large'::regclass`

for (const [what, sql] of [
  ['a migration', 'alter table platform.large add column later text'],
  ['a step', '-- in steps: a test\nalter table platform.large add column later text'],
] as const) {
  test(`${what} that has to wait for somebody keeps nobody else waiting for long (hardening 52)`, async (t) => {
    const { database, all, isApplied, comeInTheWay, leave } = await laterVersion(t, sql)
    await comeInTheWay()
    const applying = migrate(database, all)
    await until('it waits', async () => (await run(database, WAITS)).length > 0)
    // Whoever comes now waits behind it, and for the one who is in its way only as long as it does.
    await run(database, `set statement_timeout = 5000; select from platform.large`)
    assert.equal(await isApplied(), false)
    leave()
    assert.deepEqual(await applying, ['9999-later.sql'])
  })
}

test('a migration in steps commits each, and begins anew when it was broken off (hardening 52)', async (t) => {
  const { database, all, isApplied } = await laterVersion(
    t,
    `-- in steps: a test
     alter table platform.large add column if not exists later text`,
    `do $$ begin
       loop
         update platform.large set later = 'filled'
         where id in (select id from platform.large where later is null limit 300);
         exit when not found;
         commit;
         if exists (select from platform.large where word = 'broken') then
           raise exception 'broken off';
         end if;
       end loop;
     end $$`,
    'drop index concurrently if exists platform.large_by_later',
    'create index concurrently large_by_later on platform.large (later)',
  )
  await run(database, `update platform.large set word = 'broken' where id = 1`)
  await assert.rejects(migrate(database, all), /9999-later.sql failed/)
  const filled = `select count(*)::int as count from platform.large where later = 'filled'`
  assert.deepEqual(await run(database, filled), [{ count: 300 }])
  assert.equal(await isApplied(), false)
  await run(database, 'update platform.large set word = null where id = 1')
  assert.deepEqual(await migrate(database, all), ['9999-later.sql'])
  assert.deepEqual(await run(database, filled), [{ count: 1000 }])
  const valid = `select indisvalid from pg_index where indexrelid = 'platform.large_by_later'::regclass`
  assert.deepEqual(await run(database, valid), [{ indisvalid: true }])
})

test('who waits for their turn is not waited for by an index that is made beside the work (hardening 52)', async (t) => {
  const index = 'create index concurrently large_by_word on platform.large (word)'
  const later = await laterVersion(t, `-- in steps: a test\n${index}`)
  const { database, all } = later
  await later.comeInTheWay()
  // The others look whether it is their turn, while the first waits for who is in the way.
  const starts = Array.from({ length: 3 }, () => migrate(database, all))
  const making = `select from pg_stat_activity where query like '%${index}' and wait_event_type = 'Lock'
    and datname = current_database()`
  await until('it is being made', async () => (await run(database, making)).length > 0)
  later.leave()
  const applied = await Promise.all(starts)
  assert.deepEqual(applied.flat(), ['9999-later.sql'])
})
