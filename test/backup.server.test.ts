import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { until } from '#test/app.ts'
import { backUp } from '#test/backup.ts'
import { billingShop } from '#test/billing-shop.ts'
import { pastTriggers } from '#test/owner.ts'

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-backup-'))
const shop = await billingShop({ config: { files: { folder: `${place}/files` } } })
const { databaseUrl, deps } = shop.app
const url = databaseUrl ?? ''
const ada = await shop.buyer()
const { url: page, invoice } = await shop.checkout(ada)
await shop.complete(page)
await shop.became(ada, invoice.id, 'paid')
const made: string[] = []
after(async () => {
  for (const name of made)
    await sql(process.env.DATABASE_URL ?? '', `drop database if exists ${name} with (force)`)
  fs.rmSync(place, { recursive: true })
})

const ENV = {
  DATABASE_URL: url,
  MOORAGE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  FILES_URL: `file://${place}/files`,
}
const backup = (args: string[], env: Record<string, string> = {}) =>
  backUp(args, { ...ENV, ...env })

async function sql(database: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function emptyDatabase(name: string): Promise<string> {
  made.push(name)
  await sql(url, `create database ${name} template template0`)
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

/** The databases of checks. */
const CHECKED = `select datname from pg_database where datname like 'moorage_check%'`

/** The rows of each table of the areas, and how many tables are protected. */
const COUNTS = `
  select c.oid::regclass::text as table, (xpath('/row/c/text()', query_to_xml(
      format('select count(*) as c from %s', c.oid::regclass), false, true, '')))[1]::text as rows,
    c.relrowsecurity and c.relforcerowsecurity as protected
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname in ('tenants', 'users', 'store', 'ledger', 'billing') order by 1`

// Documents are made by jobs: once all of those have ended, nothing changes any more.
await until('all work is done', async () => {
  const [open] = await sql(url, `select count(*)::int from jobs.job where state < 'completed'`)
  return open?.count === 0
})
const rowsBefore = await sql(url, COUNTS)
fs.mkdirSync(`${place}/files/deep`, { recursive: true })
fs.writeFileSync(`${place}/files/deep/document.pdf`, 'a document')
const first = await backup(['make', place])

test('a backup is one folder that nobody else can read, without the secret key', () => {
  assert.equal(first.code, 0, first.said)
  assert.deepEqual(fs.readdirSync(first.folder).sort(), [
    'SHA256SUMS',
    'database.dump',
    'files.tar',
  ])
  assert.equal(fs.statSync(first.folder).mode & 0o077, 0)
})

test('a check restores it beside the original, says it is in order, and leaves nothing behind', async () => {
  const { code, said } = await backup(['check', first.folder])
  assert.equal(code, 0, said)
  assert.match(said, /Everything is in order\.\nThe backup was restored, and is in order/)
  assert.deepEqual(await sql(url, CHECKED), [])
})

test('the password of the database is in no argument of a process', async () => {
  const bin = path.join(place, 'bin')
  const seen = path.join(place, 'arguments')
  fs.mkdirSync(bin)
  for (const name of ['pg_dump', 'pg_restore', 'psql', 'node']) {
    const found = process.env.PATH?.split(':').find((it) => fs.existsSync(`${it}/${name}`)) ?? ''
    const script = `#!/bin/sh\necho "${name} $* PGPASSWORD=$PGPASSWORD" | tr '\\n' ' ' >> '${seen}'\nexec '${found}/${name}' "$@"\n`
    fs.writeFileSync(path.join(bin, name), script, { mode: 0o755 })
  }
  const PATH = `${bin}:${process.env.PATH}`
  const withPassword = Object.assign(new URL(url), { password: 'p%40ss-7' })
  const inQuery = `${url}?application_name=backup&password=p%40ss-7`
  const checked = await backup(['check', first.folder], { PATH, DATABASE_URL: withPassword.href })
  assert.equal(checked.code, 0, checked.said)
  const again = await backup(['make', bin], { PATH, DATABASE_URL: inQuery })
  assert.equal(again.code, 0, again.said)
  const calls = fs.readFileSync(seen, 'utf8')
  assert.match(calls, /pg_dump .*PGPASSWORD=p@ss-7/)
  assert.match(calls, /pg_restore .*PGPASSWORD=p@ss-7/)
  assert.doesNotMatch(calls.replaceAll('PGPASSWORD=p@ss-7', ''), /p(?:%40|@)ss-7/)
})

test('a check takes its secrets from files, and drops what a check that was killed has left', async () => {
  const fresh = `moorage_check_${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}_1`
  await emptyDatabase('moorage_check_20200101030000_1')
  await emptyDatabase(fresh)
  const files = { DATABASE_URL: url, MOORAGE_SECRET_KEY: ENV.MOORAGE_SECRET_KEY }
  const env: Record<string, string> = {}
  for (const [name, text] of Object.entries(files)) {
    env[name] = ''
    env[`${name}_FILE`] = path.join(place, name)
    fs.writeFileSync(path.join(place, name), `${text}\n`)
  }
  const { code, said } = await backup(['check', first.folder], env)
  assert.equal(code, 0, said)
  assert.deepEqual(await sql(url, CHECKED), [{ datname: fresh }])
})

test('restored into a new database it has every row, protected as before', async () => {
  const target = await emptyDatabase(`moorage_restored_${process.pid}`)
  const there = { DATABASE_URL: target, FILES_URL: `file://${place}/restored` }
  const { code, said } = await backup(['restore', first.folder], there)
  assert.equal(code, 0, said)
  assert.deepEqual(await sql(target, COUNTS), rowsBefore)
  assert.equal(fs.readFileSync(`${place}/restored/deep/document.pdf`, 'utf8'), 'a document')
})

test('nothing is restored over what is there', async () => {
  const { code, said } = await backup(['restore', first.folder], {
    FILES_URL: `file://${place}/elsewhere`,
  })
  assert.deepEqual([code, /is not empty/.test(said)], [1, true], said)
  const besides = await backup(['restore', first.folder])
  assert.deepEqual([besides.code, /There are files in/.test(besides.said)], [1, true], besides.said)
})

test('a backup that was changed on the disk is refused', async () => {
  const copy = `${place}/changed`
  fs.cpSync(first.folder, copy, { recursive: true })
  fs.appendFileSync(`${copy}/database.dump`, 'x')
  const { code, said } = await backup(['check', copy])
  assert.deepEqual([code, /is damaged/.test(said)], [1, true], said)
})

test('a key that does not fit is found in the copy', async () => {
  const { code, said } = await backup(['check', first.folder], {
    MOORAGE_SECRET_KEY: Buffer.alloc(32, 8).toString('base64'),
  })
  assert.equal(code, 1)
  assert.match(said, /billing\.gateways: no secret key that is configured opens 1 of its texts/)
  assert.match(said, /is not in order/)
})

test('books that were wrong when they were copied are found in the copy', async () => {
  const change = (cents: number) =>
    `update ledger.balances set balance_cents = balance_cents + ${cents} from ledger.accounts
     where accounts.id = account_id and code = 'revenue'`
  await pastTriggers(deps.database, change(7))
  const { folder } = await backup(['make', place], { FILES_URL: `file://${place}/none` })
  await pastTriggers(deps.database, change(-7))
  const { code, said } = await backup(['check', folder])
  assert.equal(code, 1)
  assert.match(said, /The balance of revenue is kept as/)
})
