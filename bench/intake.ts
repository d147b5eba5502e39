import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type autocannon from 'autocannon'
import pg from 'pg'
import { areas } from '#app/areas.ts'
import { readConfig } from '#app/config.ts'
import { newId } from '#lib/id.ts'
import { transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { startService } from '#platform/start.ts'
import { findDefaultTenant } from '#tenants'
import { boundTo } from '../src/areas/billing/gateways/connection.ts'
import {
  CONNECTIONS,
  type Load,
  load,
  onOwnDatabase,
  settingsFor,
  started,
  withClient,
} from './ground.ts'
import { type Statement, watchStatements } from './recorded.ts'
import { reportIntake } from './report.ts'

/**
 * Measures how many of a payment provider's messages the service takes in: each signed as Stripe signs,
 * verified, stored with the job that will read it, and answered. Against it stand transactions that insert
 * the same two rows through the same driver, and nothing else. Both go on for a minute at the end. Then
 * every message that was answered, in the whole run, has to be there, once, with one job that will read it.
 */
const quick = process.argv.includes('--quick')
const ROUNDS = quick ? 5 : 15
const SECONDS = 1
const WARM_UP_SECONDS = quick ? 2 : 4
const SUSTAINED_SECONDS = quick ? 5 : 60
const POOL_SIZE = 10

const WEBHOOK_SECRET = 'whsec_of_the_bench'
const gatewayId = newId()
let sent = 0
/** The events whose messages were answered with a 200: the provider will not send those again. */
const answered: string[] = []
const requests: autocannon.Requests = {
  setupRequest,
  onResponse(status, _, { event }) {
    if (status === 200 && event) answered.push(event)
  },
}
const path = `/v1/billing/webhooks/${gatewayId}`

await onOwnDatabase(async (databaseUrl) => {
  const env = settingsFor(databaseUrl)
  const recorded = await prepared(env)
  await withClient(databaseUrl, (client) => client.query('vacuum analyze'))
  const service = await started('src/main.js', ['serve'], env)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL_SIZE })
  const target = { ...service, url: service.url + path, method: 'POST', requests } as const
  try {
    await load(target, WARM_UP_SECONDS)
    await insertFor(pool, recorded, WARM_UP_SECONDS)
    const rounds: { service: Load; insertsPerSecond: number }[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const taken = await load(target, SECONDS)
      rounds.push({ service: taken, insertsPerSecond: await insertFor(pool, recorded, SECONDS) })
    }
    const taken = await load(target, SUSTAINED_SECONDS)
    const insertsPerSecond = await insertFor(pool, recorded, SUSTAINED_SECONDS)
    const sustained = { service: taken, insertsPerSecond, seconds: SUSTAINED_SECONDS }
    const kept = await withClient(databaseUrl, assertAllKept)
    const figures = { rounds, sustained, kept, secondsEach: SECONDS, connections: CONNECTIONS }
    reportIntake(figures, { quick })
  } finally {
    await pool.end()
    await service.end()
  }
})

/** What a message writes: its statements, and what in their values is another's in every message. */
type Recorded = { statements: readonly Statement[]; own: readonly string[] }

/** Makes a gateway, and notes what one message has the service write. */
async function prepared(env: Record<string, string>): Promise<Recorded> {
  const service = await startService(readConfig({ ...env, LOG_LEVEL: 'warn' }), areas)
  try {
    await makeGateway(service.deps)
    const statements = watchStatements(service.deps.database.pool)
    const { body = '', headers = {} } = setupRequest({}, {})
    const response = await fetch(service.url + path, { method: 'POST', body, headers })
    assert.equal(response.status, 200, await response.text())
    const writes = statements.filter(({ text }) => /\binsert into\b/i.test(text))
    assert.equal(writes.length, 2)
    const ids = JSON.stringify(writes).match(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g) ?? []
    const { tenantId } = await owner(service.deps)
    const fixed = new Set([gatewayId, tenantId])
    const { id } = JSON.parse(body) as { id: string }
    return { statements: writes, own: [...new Set(ids)].filter((it) => !fixed.has(it)).concat(id) }
  } finally {
    await service.stop()
  }
}

async function owner({ database }: Deps) {
  const tenant = await findDefaultTenant(database.everywhere)
  assert.ok(tenant)
  return { tenantId: tenant.id }
}

async function makeGateway(deps: Deps): Promise<void> {
  const { tenantId } = await owner(deps)
  const key = { tenantId, id: gatewayId }
  const secrets = { secretKey: 'sk_test_of_the_bench', webhookSecret: WEBHOOK_SECRET }
  await transact(deps.database.of(tenantId), (tx) =>
    tx
      .insertInto('billing.gateways')
      .values({
        ...{ ...key, driver: 'stripe', name: 'Stripe', mode: 'test', enabled: true },
        sealedSecrets: deps.secrets.seal(JSON.stringify(secrets), boundTo(key)),
        createdAt: deps.clock.now(),
      })
      .execute(),
  )
}

/** Throws unless each message that was answered is stored, with one job; answers how many they are. */
async function assertAllKept(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ stored: number; twice: number; read: number }>(
    `select count(distinct event_key)::int as stored, (count(*) - count(distinct event_key))::int as twice,
       count(*) filter (where jobs = 1)::int as read
     from billing.provider_events event
     left join (
       select data -> 'payload' ->> 'eventId' as event_id, count(*) as jobs
       from jobs.job where name = 'billing.read-event' group by 1
     ) job on job.event_id = event.id::text
     where event_key = any($1)`,
    [answered],
  )
  const all = answered.length
  assert.ok(all > 0)
  assert.equal(new Set(answered).size, all)
  assert.deepEqual(rows[0], { stored: all, read: all, twice: 0 }, 'A message was lost or doubled')
  return all
}

/** A message that was never sent before. */
function setupRequest(
  request: autocannon.Request,
  context: Record<string, string>,
): autocannon.Request {
  sent += 1
  const id = `evt_${newId()}_${sent}`
  context.event = id
  const created = Math.floor(Date.now() / 1000)
  const body = JSON.stringify({
    ...{ id, object: 'event', api_version: '2025-01-01', created },
    ...{ livemode: false, type: 'payment_intent.succeeded' },
    data: {
      object: {
        ...{ id: `pi_${sent}`, object: 'payment_intent', amount: 1200, currency: 'eur' },
        ...{ status: 'succeeded', livemode: false, metadata: { moorage: 'bench' } },
      },
    },
  })
  const signature = createHmac('sha256', WEBHOOK_SECRET).update(`${created}.${body}`).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'stripe-signature': `t=${created},v1=${signature}`,
  }
  return { ...request, body, headers }
}

/** Transactions with the same rows, as many at once as there are connections under load. */
async function insertFor(pool: pg.Pool, recorded: Recorded, seconds: number): Promise<number> {
  const startMs = performance.now()
  const endMs = startMs + seconds * 1000
  let count = 0
  async function insert(): Promise<void> {
    while (performance.now() < endMs) {
      await insertOnce(pool, recorded)
      count += 1
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, insert))
  return count / ((performance.now() - startMs) / 1000)
}

async function insertOnce(pool: pg.Pool, { statements, own }: Recorded): Promise<void> {
  const fresh = own.map((it) => [it, it.startsWith('evt_') ? `evt_${newId()}` : newId()] as const)
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const [index, { text, values }] of statements.entries()) {
      const renewed = values.map((value) =>
        typeof value === 'string'
          ? fresh.reduce((result, [from, to]) => result.replaceAll(from, to), value)
          : value,
      )
      await client.query({ name: `insert-${index}`, text, values: renewed })
    }
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}
