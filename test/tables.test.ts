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
