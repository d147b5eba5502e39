import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { areas } from '#app/areas.ts'
import { readConfig } from '#app/config.ts'
import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { startService } from '#platform/start.ts'
import { findDefaultTenant } from '#tenants'
import { NOW, seedDueServices } from '#test/due-services.ts'
import { RENEWALS_AT_ONCE, renewBatch } from '../src/areas/services/renewals/batches.ts'
import { copyWhatRunWrote, WRITE_AGAIN } from './renewals-floor.ts'
import { type RenewalFigures, reportRenewals } from './report.ts'

/**
 * Measures the renewal run over services that are all due against the least that any program could do:
 * one SQL statement that writes the same rows, already worked out, into the same tables, for a second
 * tenant. `node --expose-gc bench/renewals.ts [--quick]`
 */
const quick = process.argv.includes('--quick')
const COUNT = quick ? 5000 : 100_000
const MEMORY_EVERY = COUNT / 10

const TABLES = [
  ...['billing.invoices', 'billing.invoice_lines', 'billing.invoice_taxes', 'billing.documents'],
  ...['services.periods', 'ledger.transactions', 'ledger.postings'],
  ...['notifications.notifications', 'notifications.mails'],
]

const serverUrl = process.env.DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/test'
const databaseName = `moorage_bench_${randomBytes(6).toString('hex')}`
const databaseUrl = new URL(serverUrl)
databaseUrl.pathname = `/${databaseName}`

await withClient(serverUrl, (client) => client.query(`create database ${databaseName}`))
try {
  reportRenewals(await measured(), { quick })
} finally {
  await withClient(serverUrl, (client) =>
    client.query(`drop database ${databaseName} with (force)`),
  )
}

async function measured(): Promise<RenewalFigures> {
  const service = await startService(
    readConfig({
      ...{ DATABASE_URL: databaseUrl.href, MOORAGE_ROLE: 'api', PORT: '0', LOG_LEVEL: 'warn' },
      ...{ MOORAGE_SECRET_KEY: randomBytes(32).toString('base64') },
      PUBLIC_URL: 'https://shop.example.org',
    }),
    areas,
  )
  try {
    return await withClient(databaseUrl.href, (client) => measure(client, service.deps))
  } finally {
    await service.stop()
  }
}

async function measure(client: pg.Client, deps: Deps): Promise<RenewalFigures> {
  const tenantId = (await findDefaultTenant(deps.database.everywhere))?.id ?? ''
  const other = newId()
  await client.query(
    `insert into tenants.tenants (id, name, created_at) values ($1, 'Floor', $2)`,
    [other, NOW],
  )
  for (const it of [tenantId, other]) await seedDueServices(client, it, COUNT)
  // The second tenant's services wait until the run is over.
  await client.query(
    `update services.services set next_invoice_at = '2040-01-01' where tenant_id = $1`,
    [other],
  )
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  const run = await runAll(deps, NOW)
  await copyWhatRunWrote(client, tenantId, other)
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  const floor = await timed(() => writeAgain(client))
  await assertSame(client, tenantId, other)
  return { count: COUNT, runSeconds: run.seconds, floorSeconds: floor.seconds, memory: run.memory }
}

/** What the job does, batch after batch, and the memory in use on the way; looking at it does not count. */
async function runAll(deps: Deps, now: Instant): Promise<{ seconds: number; memory: number[] }> {
  const db = deps.database.everywhere
  const memory: number[] = []
  let [done, total] = [0, 0]
  for (let taken = 1; taken > 0; done += taken) {
    const { answer, seconds } = await timed(() =>
      transact(db, (tx) => renewBatch(tx, now, RENEWALS_AT_ONCE)),
    )
    taken = answer
    total += seconds
    if (Math.floor(done / MEMORY_EVERY) === memory.length) memory.push(megabytes())
  }
  assert.equal(done, COUNT)
  return { seconds: total, memory }
}

/** As the application, to which row-level security applies. */
async function writeAgain(client: pg.Client): Promise<void> {
  await client.query(`select set_config('moorage.tenant', '*', false)`)
  await client.query('set role moorage_app')
  await client.query(WRITE_AGAIN)
  await client.query('reset role')
}

/** Both tenants have as many rows of everything: the floor has left nothing out. */
async function assertSame(client: pg.Client, tenantId: string, other: string): Promise<void> {
  for (const table of TABLES) {
    const { rows } = await client.query<{ tenant_id: string; count: string }>(
      `select tenant_id, count(*) from ${table} group by tenant_id`,
    )
    const counts = new Map(rows.map((row) => [row.tenant_id, row.count]))
    assert.ok(counts.get(tenantId))
    assert.equal(counts.get(other), counts.get(tenantId), table)
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ answer: T; seconds: number }> {
  const start = performance.now()
  const answer = await work()
  return { answer, seconds: (performance.now() - start) / 1000 }
}

function megabytes(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return Math.round((heapUsed + external) / 1e5) / 10
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
