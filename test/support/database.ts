import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { areas } from '#app/areas.ts'
import { openEmbedded } from '#platform/database/embedded.ts'
import { type Database, NOBODY_LISTENS, type Outbox } from '#platform/database/index.ts'
import { migrate, migrations } from '#platform/database/migrate.ts'
import { openServer } from '#platform/database/open.ts'
import { migrateQueue } from '#platform/queue.ts'
import { keptDatabase } from './embedded.ts'

const JOBS = areas.flatMap((area) => area.jobs ?? [])
const LOCK = 4_807_315_222

/** A database that is migrated and empty, of its own for whoever asks. */
export type TestDatabase = {
  open(outbox: Outbox): Promise<Database>
  /** The address of a server database; null for the embedded one. */
  url: string | null
  drop(): Promise<void>
}

/** Makes a database: on the server that `DATABASE_URL` names, else embedded and in memory. */
export async function testDatabase(): Promise<TestDatabase> {
  const { DATABASE_URL } = process.env
  return DATABASE_URL ? onServer(DATABASE_URL) : inMemory()
}

/** The version of the schema: what is prepared once is used until a migration changes. */
function schemaHash(): string {
  const hash = createHash('sha256')
  for (const { name, sql } of migrations()) hash.update(name).update(sql)
  for (const { name, options } of JOBS) hash.update(name).update(JSON.stringify(options))
  const boss = new URL('../../node_modules/pg-boss/package.json', import.meta.url)
  return hash.update(fs.readFileSync(boss)).digest('hex').slice(0, 12)
}

/** Leaves out of the folder what only a new database or a replay of the past would need: half of it. */
const LIGHTER = [
  `update pg_database set datistemplate = false where datname like 'template%'`,
  'drop database template0',
  'drop database template1',
  'set wal_recycle = off',
  'select pg_switch_wal()',
  'checkpoint',
]

async function inMemory(): Promise<TestDatabase> {
  const dump = await dumpFile()
  return {
    url: null,
    open: (outbox) => keptDatabase(dump, outbox),
    drop: async () => {},
  }
}

/** The data folder of a migrated database, as a file: made once for a schema. */
async function dumpFile(): Promise<string> {
  const file = path.join(os.tmpdir(), `moorage-test-${schemaHash()}.tar`)
  if (!fs.existsSync(file)) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-dump-'))
    const database = await openEmbedded(path.join(folder, 'database'), NOBODY_LISTENS)
    await migrate(database)
    await migrateQueue(database, JOBS)
    await database.close()
    const pglite = await PGlite.create(path.join(folder, 'database'))
    for (const statement of LIGHTER) await pglite.query(statement)
    const dumped = await pglite.dumpDataDir('none')
    await pglite.close()
    const draft = `${file}.${process.pid}`
    fs.writeFileSync(draft, Buffer.from(await dumped.arrayBuffer()))
    fs.renameSync(draft, file)
    fs.rmSync(folder, { recursive: true })
  }
  return file
}

async function onServer(url: string): Promise<TestDatabase> {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const template = `moorage_template_${schemaHash()}`
  const name = `moorage_test_${randomBytes(6).toString('hex')}`
  try {
    await admin.query('select pg_advisory_lock($1)', [LOCK])
    try {
      const { rowCount } = await admin.query('select from pg_database where datname = $1', [
        template,
      ])
      if (!rowCount) await makeTemplate(admin, url, template)
      await admin.query(`create database ${name} template ${template}`)
      // The server is not what tests let die, and waiting for its disk is most of what they wait for.
      await admin.query(`alter database ${name} set synchronous_commit = off`)
    } finally {
      await admin.query('select pg_advisory_unlock($1)', [LOCK])
    }
  } finally {
    await admin.end()
  }
  return {
    url: withDatabase(url, name),
    open: async (outbox) => openServer(withDatabase(url, name), outbox),
    drop: () => run(url, `drop database if exists ${name} with (force)`),
  }
}

async function makeTemplate(admin: pg.Client, url: string, template: string): Promise<void> {
  const draft = `${template}_draft`
  await admin.query(`drop database if exists ${draft} with (force)`)
  await admin.query(`create database ${draft}`)
  const database = openServer(withDatabase(url, draft), NOBODY_LISTENS)
  await migrate(database)
  await migrateQueue(database, JOBS)
  await database.close()
  await admin.query(`alter database ${draft} rename to ${template}`)
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

function withDatabase(url: string, name: string): string {
  const copy = new URL(url)
  copy.pathname = `/${name}`
  return copy.href
}
