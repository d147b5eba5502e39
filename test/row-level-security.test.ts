import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PoolClient } from 'pg'
import { newId } from '#lib/id.ts'
import { APP_ROLE } from '#platform/database/open.ts'
import { testApp } from '#test/app.ts'

/**
 * For every table of the catalogue that belongs to tenants: what the application's role can do with
 * another tenant's rows when a query forgot its filter. A new table is in here by being migrated.
 */
const app = await testApp(null)
const { pool } = app.deps.database
const [OURS, THEIRS] = [newId(), newId()]

type Table = { name: string; tenant: string }

/** Those with a tenant, and the tenants themselves. The queue's own tables have none. */
const { rows } = await app.deps.database.execute(`
  select n.nspname || '.' || c.relname as name,
         coalesce(max(a.attname) filter (where a.attname = 'tenant_id'), 'id') as tenant
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  left join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
  where c.relkind in ('r', 'p') and n.nspname !~ '^(pg_|information_schema)'
  group by n.nspname, c.relname
  having bool_or(a.attname = 'tenant_id') or (n.nspname, c.relname) = ('tenants', 'tenants')
  order by 1`)
const tables = rows as Table[]

test('the tables of tenants are found', () => {
  const names = tables.map(({ name }) => name)
  assert.ok(names.length > 50, `${names.length} tables`)
  for (const name of ['tenants.tenants', 'tenants.domains', 'users.users', 'billing.invoices']) {
    assert.ok(names.includes(name), name)
  }
})

test('the application’s role is bound by row-level security and owns nothing', async () => {
  const found = await app.deps.database.execute(
    `select rolsuper or rolbypassrls as free,
            (select count(*)::int from pg_class where relowner = r.oid) as owned
     from pg_roles r where rolname = $1`,
    [APP_ROLE],
  )
  assert.deepEqual(found.rows, [{ free: false, owned: 0 }])
})

/** Lets a table take a row of which nothing is known but whose it is. All of it is rolled back. */
async function loosen(client: PoolClient, name: string): Promise<void> {
  const { rows: found } = await client.query<{ change: string }>(
    `select format('drop constraint if exists %I cascade', conname) as change
     from pg_constraint where conrelid = $1::regclass and contype in ('p', 'u', 'c', 'f', 'x')
     union all select 'disable trigger user' union all select 'replica identity nothing'`,
    [name],
  )
  for (const { change } of found) await client.query(`alter table ${name} ${change}`)
  const { rows: columns } = await client.query<{ attname: string }>(
    `select attname from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and attnotnull and not attisdropped
       and attidentity = ''`,
    [name],
  )
  for (const { attname } of columns) {
    await client.query(`alter table ${name} alter column "${attname}" drop not null`)
  }
}

/** How a statement ends: how many rows it met, or the code it was refused with. */
async function outcome(client: PoolClient, sql: string, values: unknown[] = []) {
  await client.query('savepoint attempt')
  try {
    const { rowCount } = await client.query(sql, values)
    await client.query('release savepoint attempt')
    return rowCount
  } catch (error) {
    await client.query('rollback to savepoint attempt')
    const { code, message } = error as Error & { code: string }
    // Both are 42501: the table's owner never gave the right, or the row is another tenant's.
    return /row-level security/.test(message) ? 'not our row' : code
  }
}

const NO_RIGHT = '42501'

async function tried({ name, tenant }: Table) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local role none')
    await loosen(client, name)
    await client.query(`insert into ${name} (${tenant}) values ($1), ($2)`, [OURS, THEIRS])
    await client.query(`set local role ${APP_ROLE}`)
    await client.query(`select set_config('moorage.tenant', $1, true)`, [OURS])
    const own = `where ${tenant} = '${OURS}'`
    const found = {
      seen: await outcome(client, `select from ${name} where ${tenant} in ($1, $2)`, [
        OURS,
        THEIRS,
      ]),
      foreign: await outcome(client, `select from ${name} where ${tenant} = $1`, [THEIRS]),
      inserted: await outcome(client, `insert into ${name} (${tenant}) values ($1)`, [THEIRS]),
      updated: await outcome(client, `update ${name} set ${tenant} = ${tenant}`),
      given: await outcome(client, `update ${name} set ${tenant} = '${THEIRS}' ${own}`),
      deleted: await outcome(client, `delete from ${name} where ${tenant} = '${THEIRS}'`),
    }
    await client.query(`select set_config('moorage.tenant', '', true)`)
    return { ...found, withoutTenant: await outcome(client, `select from ${name}`) }
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** Reached through functions only, which compare the tenant with that of the session (decision 224). */
const WITHOUT_RIGHTS = ['knowledge.search']

for (const table of tables.filter(({ name }) => WITHOUT_RIGHTS.includes(name))) {
  test(`${table.name} is closed to the application (hardening 2)`, async () => {
    const outcomes = new Set(Object.values(await tried(table)))
    assert.deepEqual([...outcomes], [NO_RIGHT])
  })
}

for (const table of tables.filter(({ name }) => !WITHOUT_RIGHTS.includes(name))) {
  test(`${table.name} shows and takes one tenant’s rows only (hardening 2)`, async () => {
    const { seen, foreign, inserted, updated, given, deleted, withoutTenant } = await tried(table)
    assert.equal(seen, 1, 'its own row, and not the other one')
    assert.equal(foreign, 0, 'asked for by name')
    assert.equal(inserted, 'not our row', 'a row for somebody else')
    assert.ok([1, NO_RIGHT].includes(updated ?? ''), `updates ${updated}`)
    assert.ok(['not our row', NO_RIGHT].includes(String(given)), `gives away: ${given}`)
    assert.ok([0, NO_RIGHT].includes(deleted ?? ''), `deletes ${deleted}`)
    assert.equal(withoutTenant, 0, 'and nothing where no tenant is set')
  })
}

test('a table of tenants without a policy does not pass', async () => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local role none')
    await client.query('alter table users.users disable row level security')
    await client.query(`set local role ${APP_ROLE}`)
    await client.query(`select set_config('moorage.tenant', $1, true)`, [newId()])
    const inserted = await outcome(client, 'insert into users.users (tenant_id) values ($1)', [
      THEIRS,
    ])
    assert.notEqual(inserted, 'not our row')
  } finally {
    await client.query('rollback')
    client.release()
  }
})
