import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { importFile } from '#imports'
import { newId } from '#lib/id.ts'
import { startClock } from '#platform/clock.ts'
import { NOBODY_LISTENS } from '#platform/database/index.ts'
import { migrate } from '#platform/database/migrate.ts'
import { openServer } from '#platform/database/open.ts'
import { secretsOf } from '#platform/secrets.ts'
import { surveyDump } from '../src/areas/imports/staging/survey.ts'
import { type ImportRound, reportImports } from './report.ts'

/**
 * Measures the import of a dump against MariaDB's loading of the same file, in turns:
 * `node --max-semi-space-size=8 bench/imports.ts [FILE] [--rounds=3] [--quick]`. Without a file one of
 * 100 MB is made; `--quick` takes a small one, once, and writes nothing down. MariaDB is the one on this
 * machine, as root (`MARIADB="mariadb -h 127.0.0.1 -u root"`), PostgreSQL that of `DATABASE_URL`.
 */
const [given] = process.argv.slice(2).filter((it) => !it.startsWith('--'))
const quick = process.argv.includes('--quick')
const wantedRounds = process.argv.find((it) => it.startsWith('--rounds='))?.slice(9)
const rounds = Number(wantedRounds ?? (quick ? 1 : 3))
const serverUrl = process.env.DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/test'
const [mariadb = '', ...flags] = (process.env.MARIADB ?? 'mariadb -h 127.0.0.1 -u root').split(' ')
const CLIENTS = quick ? 2500 : 14_500

if (await answers()) await measureAll()
else
  console.log(`Imports are not measured: no MariaDB answers to \`${mariadb} ${flags.join(' ')}\`.`)

async function answers(): Promise<boolean> {
  const child = spawn(mariadb, [...flags, '-e', 'select 1'], { stdio: 'ignore' })
  const ended = await Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => [1])
  return ended[0] === 0
}

async function measureAll(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-bench-'))
  try {
    const file = given ?? (await made(folder))
    const found: ImportRound[] = []
    for (let round = 0; round < rounds; round += 1) found.push(await measuredRound(file))
    const megabytes = fs.statSync(file).size / 1e6
    reportImports({ megabytes, rounds: found }, { quick: quick || given !== undefined })
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

async function measuredRound(file: string): Promise<ImportRound> {
  const loadSeconds = await timed(() => loaded(file))
  const parseSeconds = await timed(() => surveyDump(fs.createReadStream(file), async () => {}))
  const dryRun = await measured(file, { dryRun: true })
  const whole = await measured(file, { dryRun: false })
  return {
    ...{ loadSeconds, parseSeconds, dryRunSeconds: dryRun.seconds, importSeconds: whole.seconds },
    memory: Math.round(Math.max(dryRun.megabytes, whole.megabytes)),
  }
}

async function made(folder: string): Promise<string> {
  const out = path.join(folder, 'whmcs.sql')
  const generator = path.join(import.meta.dirname, '../test/support/whmcs-dump.mjs')
  await run(process.execPath, [
    generator,
    '--clients',
    `${CLIENTS}`,
    '--seed',
    '100',
    '--mess',
    '--out',
    out,
  ])
  return out
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return (performance.now() - startMs) / 1000
}

async function loaded(dump: string): Promise<void> {
  const name = `moorage_bench_${randomBytes(6).toString('hex')}`
  await run(mariadb, [...flags, '-e', `create database ${name} character set utf8mb4`])
  try {
    await run(mariadb, [...flags, '--max-allowed-packet=64M', name], fs.openSync(dump, 'r'))
  } finally {
    await run(mariadb, [...flags, '-e', `drop database ${name}`])
  }
}

async function run(command: string, args: string[], input: number | 'ignore' = 'ignore') {
  const child = spawn(command, args, { stdio: [input, 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${command} ended with ${code}`)
}

/** The whole way of an import, on a database of its own, and the most memory it took. */
async function measured(
  file: string,
  wanted: { dryRun: boolean },
): Promise<{ seconds: number; megabytes: number }> {
  const name = `moorage_bench_${randomBytes(6).toString('hex')}`
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  await onServer(`create database ${name}`)
  const database = openServer(url.href, NOBODY_LISTENS)
  try {
    await migrate(database)
    const tenantId = newId()
    await database.execute(
      `insert into tenants.tenants (id, name, created_at) values ($1, 'Bench', now())`,
      [tenantId],
    )
    let most = 0
    const upload = {
      ...{ tenantId, fileName: path.basename(file), sizeBytes: fs.statSync(file).size },
      sha256: createHash('sha256').update(name).digest(),
      content: () => fs.createReadStream(file),
    }
    const watch = {
      everyMs: 250,
      onProgress: () => {
        most = Math.max(most, process.memoryUsage.rss())
      },
    }
    const seconds = await timed(async () => {
      const deps = { database, clock: startClock(), secrets: secretsOf([randomBytes(32)]) }
      const { status, fault } = await importFile(deps, upload, wanted, watch)
      if (status !== 'completed') throw new Error(`${status} ${JSON.stringify(fault)}`)
    })
    return { seconds, megabytes: most / 1e6 }
  } finally {
    await database.close()
    await onServer(`drop database ${name} with (force)`)
  }
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}
