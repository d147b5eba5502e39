import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { areas } from '#app/areas.ts'
import { migrateQueue } from '../queue.ts'
import { NOBODY_LISTENS } from './index.ts'
import { migrate, migrations, missingMigrations } from './migrate.ts'
import { openServer } from './open.ts'

const { DATABASE_URL = '' } = process.env
const name = `moorage_test_${randomBytes(6).toString('hex')}`
const url = new URL(DATABASE_URL)
url.pathname = `/${name}`

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: DATABASE_URL })
  await client.connect()
  await client.query(statement)
  await client.end()
}

await onServer(`create database ${name}`)
after(() => onServer(`drop database ${name} with (force)`))

test('processes that start at once on an empty database bring it to this version together', async () => {
  const jobs = areas.flatMap((area) => area.jobs ?? [])
  const starts = Array.from({ length: 3 }, async () => {
    const database = openServer(url.href, NOBODY_LISTENS)
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
