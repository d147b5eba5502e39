import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { median, onOwnDatabase, processorMs, withClient } from './ground.ts'
import { insertPurchases, layFloor, type Written, watchRows } from './pipeline-floor.ts'
import { inPipelineShop, type PipelineShop, type Placed, payAll } from './pipeline-shop.ts'
import { type Pipeline, reportPipeline } from './report.ts'

/**
 * Measures how long it takes from payments at the provider until everybody has their server: the signed
 * messages come in, invoices are paid, servers are made on the panel. Against it stand transactions that
 * insert the rows that this leaves, and nothing else. At the end each order has to have one charge, one
 * server and one active service, and the books have to balance.
 */
const quick = process.argv.includes('--quick')
const CUSTOMERS = quick ? 20 : 200
const ROUNDS = quick ? 2 : 5
const WARM_UP = CUSTOMERS / 4
const POOL_SIZE = 10
/** Inserting takes so little time that more of it is measured. */
const INSERTED = CUSTOMERS * 5
const LOOK_MS = 20
const PATIENCE_MS = 600_000

await onOwnDatabase((databaseUrl) =>
  inPipelineShop(databaseUrl, (shop) =>
    withClient(databaseUrl, (client) => measure(shop, client, databaseUrl)),
  ),
)

async function measure(shop: PipelineShop, client: pg.Client, databaseUrl: string): Promise<void> {
  await liveThrough(shop, client, WARM_UP)
  const written = await writtenByOne(shop, client)
  await layFloor(client, written)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL_SIZE })
  try {
    await insertPurchases(pool, written, INSERTED)
    await client.query('vacuum analyze')
    const rounds: { service: Pipeline; insertsPerSecond: number }[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const service = await liveThrough(shop, client, CUSTOMERS)
      const insertsPerSecond = await insertPurchases(pool, written, INSERTED)
      rounds.push({ service, insertsPerSecond })
    }
    const orders = WARM_UP + 1 + ROUNDS * CUSTOMERS
    await shop.assertWhole(client, orders)
    const rows = written.map((it) => ({ table: it.table, rows: it.rows.length }))
    reportPipeline({ customers: CUSTOMERS, orders, rounds, rows }, { quick })
  } finally {
    await pool.end()
  }
}

/** The rows that a purchase leaves once it is paid, found out with one that is alone. */
async function writtenByOne(shop: PipelineShop, client: pg.Client): Promise<Written> {
  const placed = await ordered(shop, client, 1)
  const inserted = await watchRows(client)
  await payAll(placed)
  await untilActive(client, placed)
  await quiet(client)
  return inserted()
}

/** Everybody orders, then everybody pays: how long it takes, and what the process spends on it. */
async function liveThrough(
  shop: PipelineShop,
  client: pg.Client,
  customers: number,
): Promise<Pipeline> {
  const placed = await ordered(shop, client, customers)
  const before = processorMs(shop.service.pid)
  const startMs = Date.now()
  const paidAt = await payAll(placed)
  const activeAt = await untilActive(client, placed)
  await quiet(client)
  const doneMs = Date.now() - startMs
  const after = processorMs(shop.service.pid)
  const waits = placed
    .map(({ serviceId }) => (activeAt.get(serviceId) ?? 0) - (paidAt.get(serviceId) ?? 0))
    .toSorted((a, b) => a - b)
  const activeMs = Math.max(...activeAt.values()) - startMs
  return {
    activePerSecond: (customers * 1000) / activeMs,
    donePerSecond: (customers * 1000) / doneMs,
    medianMs: median(waits),
    p99Ms: waits[Math.ceil(waits.length * 0.99) - 1] ?? 0,
    processorMs: before === null || after === null ? null : (after - before) / customers,
  }
}

/** Orders that nobody has paid, of a service that has nothing else to do. */
async function ordered(shop: PipelineShop, client: pg.Client, count: number): Promise<Placed[]> {
  const placed = await shop.place(count)
  // A look that falls due in between could find a payment before its message is read.
  await client.query(`
    update billing.payment_attempts set next_check_at = next_check_at + interval '1 day'
    where ended_at is null`)
  await quiet(client)
  return placed
}

/** Waits until every service is active; answers when each was, in milliseconds since 1970. */
async function untilActive(
  client: pg.Client,
  placed: readonly Placed[],
): Promise<ReadonlyMap<string, number>> {
  const ids = placed.map(({ serviceId }) => serviceId)
  const endMs = performance.now() + PATIENCE_MS
  for (;;) {
    const { rows } = await client.query<{ id: string; activated_at: Date }>(
      'select id, activated_at from services.services where id = any($1) and activated_at is not null',
      [ids],
    )
    if (rows.length === ids.length) {
      return new Map(rows.map((it) => [it.id, it.activated_at.getTime()]))
    }
    assert.ok(performance.now() < endMs, `${ids.length - rows.length} services never were active`)
    await sleep(LOOK_MS)
  }
}

/** Waits until no job could be done now, and no message is unread. */
async function quiet(client: pg.Client): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS
  for (;;) {
    const { rows } = await client.query<{ open: boolean }>(`
      select exists (select from jobs.job where name <> 'dead-letters'
          and state in ('created', 'retry', 'active') and start_after <= now())
        or exists (select from billing.provider_events where state = 'new') as open`)
    if (rows[0]?.open === false) return
    assert.ok(performance.now() < endMs, 'The service never came to rest')
    await sleep(LOOK_MS)
  }
}
