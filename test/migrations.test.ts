import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrations } from '#platform/database/migrate.ts'
import { contractionsIn, INDEX_WAITS, previousVersion } from '#test/contractions.ts'
import packageFile from '../package.json' with { type: 'json' }

const whyOf = (...sql: string[]) =>
  contractionsIn(sql.map((it, index) => ({ name: `${index}.sql`, sql: it }))).map(({ why }) => why)

const BESIDE = 'drop index concurrently if exists a.d; '

const refused = [
  ['a table that goes', 'drop table a.b'],
  ['a column that goes', 'alter table a.b drop column c'],
  ['a column that goes, said shorter', 'alter table a.b drop c'],
  ['a table with another name', 'alter table a.b rename to d'],
  ['a column with another name', 'alter table a.b rename column c to d'],
  ['a column of another type', 'alter table a.b alter column c type bigint'],
  ['a column that must be filled', 'alter table a.b alter column c set not null'],
  ['a column without what it was filled with', 'alter table a.b alter c drop default'],
  ['a new column that must be filled', 'alter table a.b add column c text not null'],
  ['a rule for every row', 'alter table a.b add constraint d check (c in (1, 2))'],
  ['a reference of every row', 'alter table a.b add foreign key (c) references a.d'],
  [
    'what is unique from now on',
    `${BESIDE}create unique index concurrently d on a.b (tenant_id, c)`,
  ],
  [
    'what is unique where a new flag is not set',
    `alter table a.b add column c boolean not null default false;
    ${BESIDE}create unique index concurrently d on a.b (tenant_id) where not c`,
  ],
  ['one of several changes', 'alter table a.b add column c text,\n drop column d'],
  ['what is done in a block', 'do $$ begin\n alter table a.b drop column c; end $$'],
] as const

for (const [what, sql] of refused) {
  test(`${what} is nothing for older processes (hardening 52)`, () => {
    assert.equal(whyOf(sql).length, 1, sql)
  })
}

const accepted = [
  ['a new table', 'create table a.b (c text not null unique); alter table a.b drop column c'],
  ['a new column', 'alter table a.b add column c text, add column d int not null default 0'],
  ['a rule for new rows', 'alter table a.b add constraint d check (c in (1, 2)) not valid'],
  ['a rule that goes', 'alter table a.b drop constraint d'],
  ['a column that may be empty', 'alter table a.b alter column c drop not null'],
  ['an index', `${BESIDE}create index concurrently d on a.b (c); drop index a.e`],
  ['an index of a new table', 'create table a.b (c text); create index d on a.b (c)'],
  [
    'an index of a new unlogged table',
    'create unlogged table a.b (c text); create index d on a.b (c)',
  ],
  [
    'what a function changes, and a block that commits in between',
    `create function a.c() returns void as $$ begin update a.b set d = 1; end $$;
    do $x$ begin loop update a.b set d = 1 where id < 9; commit; end loop; end $x$`,
  ],
  [
    'what is unique about a new column',
    `alter table a.b add column c text;
    ${BESIDE}create unique index concurrently d on a.b (tenant_id, c) where c is not null`,
  ],
  [
    'what is unique where a new flag is set',
    `alter table a.b add column c boolean not null default false;
    ${BESIDE}create unique index concurrently d on a.b (tenant_id) where gone_at is null and c`,
  ],
  ['what is only said', `-- drop table a.b;\ncomment on table a.b is 'drop table a.b;'`],
] as const

for (const [what, sql] of accepted) {
  test(`${what} is no matter for older processes`, () => {
    assert.deepEqual(whyOf(sql), [], sql)
  })
}

for (const [what, sql] of [
  ['an index of a table that is there', 'create index d on a.b (c)'],
  ['one of a name that the database finds', 'create index on a.b (c)'],
  ['what is left half made', '-- in steps: a test\ncreate index concurrently d on a.b (c)'],
  [
    'an index after another step',
    '-- in steps: a test\ndrop index a.e\n-- next step\ncreate index d on a.b (c)',
  ],
  ['rows that are all changed at once', 'update a.b set c = 1'],
  ['rows that all go at once', 'delete from a.b where c = 1'],
] as const) {
  test(`${what} makes others wait, and belongs into steps (hardening 52)`, () => {
    assert.equal(whyOf(sql).length, 1, sql)
  })
}

test('what one migration makes, a later one before the release may change', () => {
  assert.deepEqual(whyOf('create table a.b (c text)', 'alter table a.b rename c to d'), [])
  assert.equal(whyOf('select 1', 'alter table a.b rename c to d').length, 1)
})

/** What was looked at by a person, and takes nothing from older processes. */
const weighed: Record<string, string> = {
  one_invoice_per_period: 'the same columns of fewer rows',
}

/** No version was out before these, so nobody waits for them. */
const EARLY = '0066-~'

test('no migration takes from the version before what it uses, or makes it wait (hardening 52)', () => {
  const { migration } = previousVersion()
  const all = migrations()
  assert.ok(
    all.some(({ name }) => name.startsWith(`${migration}-`)),
    `ops/previous-version names ${migration}, which is none`,
  )
  const newer = all.filter(({ name }) => name > `${migration}-~`)
  const unmarked = newer.filter(({ unusedSince }) => unusedSince === null)
  const found = contractionsIn(unmarked).filter(
    ({ file, statement, why }) =>
      !Object.keys(weighed).some((name) => statement.includes(` ${name} `)) &&
      !(file < EARLY && why === INDEX_WAITS),
  )
  assert.deepEqual(found, [])
  for (const { name, unusedSince } of newer) {
    if (unusedSince === null) continue
    const [since, own] = [unusedSince, packageFile.version].map((it) => it.split('.').map(Number))
    assert.ok(compare(since ?? [], own ?? []) <= 0, `${name} names a version that is not there yet`)
  }
})

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((part, index) => part !== other[index])
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0)
}
