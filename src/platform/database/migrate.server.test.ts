import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { areas } from '#app/areas.ts'
import { migrateQueue } from '../queue.ts'
import { type Database, NOBODY_LISTENS } from './index.ts'
import {
  changingSchema,
  isNewer,
  type Migration,
  migrate,
  migrations,
  missingMigrations,
} from './migrate.ts'
import { openServer } from './open.ts'

const { DATABASE_URL = '' } = process.env
async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: DATABASE_URL })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** The address of an empty database, which goes when the test ends. */
async function emptyPlace(t: TestContext): Promise<string> {
  const name = `moorage_test_${randomBytes(6).toString('hex')}`
  const url = new URL(DATABASE_URL)
  url.pathname = `/${name}`
  await onServer(`create database ${name}`)
  t.after(() => onServer(`drop database ${name} with (force)`))
  return url.href
}

async function emptyDatabase(t: TestContext): Promise<Database> {
  const database = openServer(await emptyPlace(t), NOBODY_LISTENS)
  t.after(() => database.close())
  return database
}

test('processes that start at once on an empty database bring it to this version together', async (t) => {
  const url = await emptyPlace(t)
  const jobs = areas.flatMap((area) => area.jobs ?? [])
  const starts = Array.from({ length: 3 }, async () => {
    const database = openServer(url, NOBODY_LISTENS)
    try {
      const applied = await migrate(database)
      await migrateQueue(database, jobs)
      assert.deepEqual(await missingMigrations(database), [])
      return applied.length
    } finally {
      await database.close()
    }
  })
  const applied = await Promise.all(starts)
  assert.equal(
    applied.reduce((sum, count) => sum + count, 0),
    migrations().length,
  )
})

/** What a later version has beside this one's. */
function later(sql: string, unusedSince: string | null) {
  return { name: '9999-later.sql', sql, hash: 'later', unusedSince }
}

/** A database that a later version has brought forward. */
async function migratedBy(t: TestContext, more: Migration): Promise<Database> {
  const database = await emptyDatabase(t)
  await migrate(database, [...migrations(), more])
  return database
}

test('an older process starts on a newer database, and changes nothing about it (hardening 52)', async (t) => {
  const database = await migratedBy(t, later('create table platform.later (id uuid)', null))
  assert.deepEqual(await migrate(database), [])
  assert.equal(await changingSchema(database.pool, (client) => isNewer(client)), true)
  const all = [...migrations(), later('', null)]
  assert.equal(await changingSchema(database.pool, (client) => isNewer(client, all)), false)
})

test('a version that used what is gone is refused, and one that did not is not', async (t) => {
  const database = await migratedBy(t, later('drop table platform.clock', '0.9.0'))
  for (const version of ['0.1.0', '0.8.12', '0.8.0-rc.1'])
    await assert.rejects(
      migrate(database, migrations(), version),
      /9999.* requires 0\.9\.0 or newer/,
    )
  for (const version of ['0.9.0', '0.10.0', '1.0.0'])
    assert.deepEqual(await migrate(database, migrations(), version), [])
})

test('a version that lacks migrations and knows of others is refused', async (t) => {
  const database = await emptyDatabase(t)
  await migrate(database, [...migrations().slice(0, -1), later('select 1', null)])
  await assert.rejects(migrate(database), /is of another version: it has 9999-later.sql, and lacks/)
})
