import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { before, test } from 'node:test'
import { openEmbedded } from '#platform/database/embedded.ts'
import { NOBODY_LISTENS } from '#platform/database/index.ts'
import { missingMigrations } from '#platform/database/migrate.ts'
import { copyPrepared, preparedFolder } from '#platform/database/prepared.ts'
import { openDataOf } from '#platform/private-files.ts'
import { runToEnd, startProcess } from '#test/processes.ts'

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-first-start-'))
before(() => runToEnd({ script: 'scripts/database.js', env: {} }))
process.once('exit', () => fs.rmSync(place, { recursive: true, force: true }))

async function firstStart(dataDir: string): Promise<void> {
  const env = { MOORAGE_DATA_DIR: dataDir, LOG_LEVEL: 'error', PORT: '0' }
  const service = await startProcess({
    ...{ script: 'src/main.js', args: ['serve'], env, ready: /^Make the first administrator/ },
  })
  await service.kill()
}

/** When the first migration was applied to the database of a data folder, in milliseconds. */
async function migratedAt(dataDir: string): Promise<number> {
  const database = await openEmbedded(path.join(dataDir, 'database'), NOBODY_LISTENS)
  try {
    assert.deepEqual(await missingMigrations(database), [])
    const { rows } = await database.pool.query(
      'select min(applied_at)::text as first from platform.migrations',
    )
    return Date.parse(rows[0].first)
  } finally {
    await database.close()
  }
}

test('a first start copies the prepared database, readable for its owner only', async () => {
  const dataDir = path.join(place, 'prepared')
  const startedMs = Date.now()
  await firstStart(dataDir)
  assert.ok((await migratedAt(dataDir)) < startedMs)
  assert.deepEqual([...openDataOf(dataDir)], [])
  assert.ok(!fs.existsSync(path.join(dataDir, 'database.new')))
})

test('a first start that was killed while it copied the database is repeated', async () => {
  const dataDir = path.join(place, 'killed')
  fs.mkdirSync(path.join(dataDir, 'database'), { recursive: true })
  fs.cpSync(path.join(preparedFolder(), 'global'), path.join(dataDir, 'database.new/global'), {
    recursive: true,
  })
  await firstStart(dataDir)
  await migratedAt(dataDir)
  assert.ok(!fs.existsSync(path.join(dataDir, 'database.new')))
})

test('an installation that was not built creates its database', async () => {
  const folder = path.join(place, 'not-built')
  fs.mkdirSync(folder)
  await copyPrepared(folder, preparedFolder(place))
  assert.deepEqual(fs.readdirSync(folder), [])
})

test('an existing database is never replaced by the prepared one', async () => {
  const dataDir = path.join(place, 'existing')
  await firstStart(dataDir)
  const folder = path.join(dataDir, 'database')
  const database = await openEmbedded(folder, NOBODY_LISTENS)
  await database.pool.query('reset role; create table public.kept ()')
  await database.close()
  const again = await openEmbedded(folder, NOBODY_LISTENS)
  try {
    const { rows } = await again.pool.query(`select to_regclass('public.kept') as name`)
    assert.equal(rows[0].name, 'kept')
  } finally {
    await again.close()
  }
})
