import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#test/database.ts'
import { NOBODY_LISTENS } from './index.ts'
import { migrate, migrations, missingMigrations } from './migrate.ts'

const STEPS = `-- in steps: a test
create table platform.large (id integer primary key, word text);
insert into platform.large select n from generate_series(1, 30) n
-- next step, which ends in the middle
do $$ begin
  loop
    update platform.large set word = 'filled'
    where id in (select id from platform.large where word is null limit 10);
    exit when not found;
    commit;
  end loop;
end $$
-- next step
drop index concurrently if exists platform.large_by_word
-- next step
create index concurrently large_by_word on platform.large (word)
-- next step
alter table platform.large add constraint words check (word is not null) not valid
-- next step
alter table platform.large validate constraint words`

test('a migration in steps is applied on any database, the embedded one too (hardening 52)', async (t) => {
  const kept = await testDatabase()
  const database = await kept.open(NOBODY_LISTENS)
  t.after(async () => {
    await database.close()
    await kept.drop()
  })
  // A migration comes first of all: as the owner, which whoever had this one before it no longer is.
  await database.pool.query('reset role')
  const all = [
    ...migrations(),
    { name: '9999-later.sql', sql: STEPS, hash: 'later', unusedSince: null },
  ]
  assert.deepEqual(await migrate(database, all), ['9999-later.sql'])
  assert.deepEqual(await missingMigrations(database, all), [])
  const { rows } = await database.pool.query(`
    select count(*)::int as filled,
      (select indisvalid from pg_index where indexrelid = 'platform.large_by_word'::regclass) as valid,
      (select convalidated from pg_constraint where conname = 'words') as checked
    from platform.large where word = 'filled'`)
  assert.deepEqual(rows, [{ filled: 30, valid: true, checked: true }])
})
