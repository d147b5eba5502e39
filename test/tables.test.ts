import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { tablesOf } from '#platform/database/describe.ts'
import { testApp } from '#test/app.ts'

const ROOT = path.join(import.meta.dirname, '..')
const FILE = path.join(ROOT, 'src/platform/database/tables.ts')

const app = await testApp(null)

test('the types of the tables are those of the migrations', async () => {
  const described = await tablesOf(app.deps.database)
  const biome = path.join(ROOT, 'node_modules/.bin/biome')
  const formatted = execFileSync(biome, ['format', '--stdin-file-path=tables.ts'], {
    cwd: ROOT,
    input: described,
    encoding: 'utf8',
  })
  assert.equal(fs.readFileSync(FILE, 'utf8'), formatted, 'Run npm run tables')
})

test('every table with a tenant refuses a query that forgot its filter', async () => {
  const { rows } = await app.deps.database.execute(`
    select n.nspname || '.' || c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and n.nspname not in ('jobs', 'pg_catalog', 'tenants')
      and not (c.relrowsecurity and c.relforcerowsecurity)`)
  assert.deepEqual(rows, [])
})
