import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { areas } from '#app/areas.ts'
import { readConfig } from '#app/config.ts'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { DAY_MS } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { startService } from '#platform/start.ts'
import { findDefaultTenant } from '#tenants'
import { NOW, seedDueServices } from '#test/due-services.ts'
import { addCredit } from '../src/areas/billing/credits/actions.ts'
import { onOwnDatabase, settingsFor, withClient } from './ground.ts'
import { type Day, reportScale, type TableGrowth } from './report.ts'

/**
 * Lives through a month of a shop: every day some services are invoiced, and what is due is paid from the
 * customers' credit, with the notices, mails, documents and jobs that come of it. Says what it took and
 * what it left: `node bench/scale.ts [SERVICES] [--quick]`. What panels and payment providers are asked
 * over the network is not in it.
 */
const quick = process.argv.includes('--quick')
const SERVICES = Number(process.argv.slice(2).find((it) => /^\d+$/.test(it)) ?? 10_000)
/** Renewals begin again after a February. */
const CYCLE_DAYS = 28
const CREDIT = cents(100_000)
const PEOPLE_AT_ONCE = 200
const LOOK_MS = 50

/** Who became a customer on another day is due on another day. */
const NUMBER = `('x' || right(id::text, 12))::bit(48)::bigint`
const LATER = `(${NUMBER} % ${CYCLE_DAYS}) * interval '1 day'`
const SPREAD = [
  `update services.services set anchor_at = anchor_at + ${LATER},
     current_period_start = current_period_start + ${LATER},
     current_period_end = current_period_end + ${LATER}, invoiced_to = invoiced_to + ${LATER},
     next_invoice_at = next_invoice_at + ${LATER}
   where tenant_id = $1`,
  `update services.periods set starts_at = starts_at + ${LATER}, ends_at = ends_at + ${LATER}
   where tenant_id = $1`,
]

const DRIVEN = new Set(
  areas
    .flatMap(({ jobs = [] }) => jobs.filter(({ everyMs }) => everyMs !== null))
    .map((it) => it.name),
)

await onOwnDatabase(async (databaseUrl) => {
  const service = await startService(
    readConfig({
      ...{ ...settingsFor(databaseUrl), MOORAGE_ROLE: 'all', LOG_LEVEL: 'error' },
      MOORAGE_MOVABLE_CLOCK: 'on',
    }),
    areas,
    { driving: false },
  )
  try {
    await withClient(databaseUrl, (client) => liveThrough(client, service.deps))
  } finally {
    await service.stop()
  }
})

async function liveThrough(client: pg.Client, deps: Deps): Promise<void> {
  const tenantId = (await findDefaultTenant(deps.database.everywhere))?.id
  assert.ok(tenantId)
  deps.clock.advance(Date.parse(NOW) - Date.parse(deps.clock.now()))
  await seedDueServices(client, tenantId, SERVICES)
  for (const statement of SPREAD) await client.query(statement, [tenantId])
  await giveCredit(client, deps, tenantId)
  await quiet(client)
  await client.query('vacuum analyze')
  const [before, workBefore] = [await sizes(client), await workOf(deps)]
  const startMs = performance.now()
  const cpu = process.cpuUsage()
  const days: Day[] = []
  for (let day = 0; day < CYCLE_DAYS; day += 1) {
    days.push(await liveOneDay(client, deps))
    console.log(`day ${day + 1}: ${JSON.stringify({ ...days.at(-1), driven: undefined })}`)
  }
  const seconds = (performance.now() - startMs) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const jobs = (await workOf(deps)).count - workBefore.count
  await client.query('vacuum analyze')
  const { rows } = await client.query<{ renewals: number; paid: number }>(`
    select count(*)::int as renewals, count(*) filter (where status = 'paid')::int as paid
    from billing.invoices where kind = 'renewal'`)
  const [{ renewals, paid } = { renewals: 0, paid: 0 }] = rows
  const tables = grown(before, await sizes(client))
  const processorSeconds = (user + system) / 1e6
  const figures = {
    services: SERVICES,
    renewals,
    paid,
    seconds,
    processorSeconds,
    jobs,
    days,
    tables,
  }
  reportScale(figures, { quick })
}

/** Everybody has paid ahead: what is due is taken from it. */
async function giveCredit(client: pg.Client, deps: Deps, tenantId: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    'select id from users.users where tenant_id = $1',
    [tenantId],
  )
  const now = deps.clock.now()
  for (let start = 0; start < rows.length; start += PEOPLE_AT_ONCE) {
    await transact(deps.database.of(tenantId), async (tx) => {
      for (const { id: userId } of rows.slice(start, start + PEOPLE_AT_ONCE)) {
        const change = { tenantId, userId, currency: 'EUR', amountCents: CREDIT }
        const what = { eventId: newId(), key: `ahead:${userId}`, description: 'Paid ahead' }
        await addCredit(tx, { ...change, ...what }, now)
      }
    })
  }
}

/** Waits until no job could be done now. */
async function quiet(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`
      select from jobs.job
      where state in ('created', 'retry', 'active') and start_after <= now() limit 1`)
    if (rows.length === 0) return
    await sleep(LOOK_MS)
  }
}

/** How much has been done so far, and how many seconds went into each kind of work that the time drives. */
async function workOf({ metrics }: Deps): Promise<{ count: number; driven: Map<string, number> }> {
  const { values } = await metrics.jobSeconds.get()
  const driven = new Map<string, number>()
  let count = 0
  for (const { metricName, labels, value } of values) {
    const name = String(labels.job)
    if (metricName?.endsWith('_count')) count += value
    if (metricName?.endsWith('_sum') && DRIVEN.has(name)) {
      driven.set(name, (driven.get(name) ?? 0) + value)
    }
  }
  return { count, driven }
}

/** The clock moves on by a day, and everything that is due is done. */
async function liveOneDay(client: pg.Client, deps: Deps): Promise<Day> {
  const [before, startMs] = [await workOf(deps), performance.now()]
  deps.clock.advance(DAY_MS)
  await (await deps.queue.runSchedules()).ended
  await quiet(client)
  const seconds = (performance.now() - startMs) / 1000
  const { count, driven } = await workOf(deps)
  const { rows } = await client.query<{ renewals: number; bytes: number }>(`
    select (select count(*) from billing.invoices where kind = 'renewal')::int as renewals,
      pg_database_size(current_database())::float8 as bytes`)
  const { renewals = 0, bytes = 0 } = rows[0] ?? {}
  return {
    ...{ seconds, jobs: count - before.count, renewals, bytes },
    driven: [...driven].map(([name, all]) => [name, all - (before.driven.get(name) ?? 0)] as const),
  }
}

type Sizes = ReadonlyMap<string, { rows: number; bytes: number }>

async function sizes(client: pg.Client): Promise<Sizes> {
  const { rows } = await client.query<{ name: string; rows: number; bytes: number }>(`
    select c.oid::regclass::text as name, greatest(c.reltuples, 0)::float8 as rows,
      pg_total_relation_size(c.oid)::float8 as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)'`)
  return new Map(rows.map((row) => [row.name, { rows: row.rows, bytes: row.bytes }]))
}

/** What came to each table, the largest first. */
function grown(before: Sizes, now: Sizes): TableGrowth[] {
  return [...now]
    .map(([name, { rows, bytes }]) => ({
      name,
      rows: rows - (before.get(name)?.rows ?? 0),
      bytes: bytes - (before.get(name)?.bytes ?? 0),
    }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes)
}
