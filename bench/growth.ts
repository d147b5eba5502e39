import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { areas } from '#app/areas.ts'
import { readConfig } from '#app/config.ts'
import { transact } from '#platform/database/index.ts'
import { startService } from '#platform/start.ts'
import { findDefaultTenant } from '#tenants'
import { id, seedDueServices } from '#test/due-services.ts'
import { accessTokens, openSession } from '#users'
import { load, onOwnDatabase, type Running, settingsFor, started, withClient } from './ground.ts'
import { type Growth, reportGrowth } from './report.ts'
import { makeAdministrator } from './seed.ts'

/**
 * Measures the same requests in shops of different sizes, in turns: what a customer asks for, and who runs
 * the shop, takes as long whoever else is a customer. `SCALE=10` adds a shop of a million services.
 */
const quick = process.argv.includes('--quick')
const SMALL = quick ? 1000 : 10_000
const LARGE = [10, ...(Number(process.env.SCALE ?? 1) >= 10 ? [100] : [])].map((it) => it * SMALL)
const ROUNDS = quick ? 5 : 11
const SECONDS = 1
const WARM_UP_SECONDS = quick ? 2 : 4
const NOTIFICATIONS = 10
const ASKED = 200
const TOLD_MS = 1500

const SERVICE = '00000004-0000-7000-8000-000000000001'
const INVOICE = '00000001-0000-7000-8000-000000000001'
const PATHS = [
  '/v1/services',
  `/v1/services/${SERVICE}`,
  '/v1/notifications/unread-count',
  '/v1/notifications',
  '/v1/billing/invoices',
  `/v1/billing/invoices/${INVOICE}`,
  '/v1/billing/orders',
  '/v1/cart',
  '/v1/admin/services',
  `/v1/admin/services?userId=${INVOICE}`,
]

/** What else people have: owners, orders, and what they were told. */
const MORE = [
  `insert into services.members (tenant_id, service_id, user_id, role, permissions, created_at)
   select tenant_id, id, user_id, 'owner', array['view', 'power', 'console'], created_at
   from services.services where tenant_id = $1`,
  `insert into orders.orders
     (tenant_id, id, number, user_id, invoice_id, total_cents, currency, immediate_start, created_at,
      paid_at, fulfilled_at)
   select tenant_id, order_id, 'ORD-' || order_id, user_id, invoice_id, price_cents, currency, true,
     created_at, paid_at, activated_at
   from services.services where tenant_id = $1`,
  `insert into orders.order_items
     (tenant_id, id, order_id, product_id, plan_id, quantity, total_cents)
   select tenant_id, order_item_id, order_id, product_id, plan_id, 1, price_cents
   from services.services where tenant_id = $1`,
  `insert into notifications.notifications
     (tenant_id, id, user_id, kind, title, body, data, created_at, read_at)
   select tenant_id, ${id(6, `n * ${NOTIFICATIONS} + copy`)}, id, 'invoice-paid', 'Paid', 'Thank you.',
     '{}', '2030-01-15', case when copy % 2 = 0 then timestamptz '2030-01-16' end
   from (select tenant_id, id, row_number() over (order by id) as n from users.users
         where tenant_id = $1) customer
   cross join generate_series(1, ${NOTIFICATIONS}) copy`,
]

/** A token ends after a quarter of an hour, which is less than all of it takes: each measurement gets a new one. */
type Shop = { server: Running; headersNow(): Record<string, string>; databaseUrl: string }

await onOwnDatabase(async (smallUrl) => {
  const small = await shopOf(smallUrl, SMALL)
  try {
    for (const size of LARGE) await compared(small, size)
  } finally {
    await small.server.end()
  }
})

async function compared(small: Shop, size: number): Promise<void> {
  await onOwnDatabase(async (largeUrl) => {
    const large = await shopOf(largeUrl, size)
    try {
      const found: Growth[] = []
      for (const path of PATHS) found.push(await measured(path, { small, large }))
      reportGrowth(found, { small: SMALL, large: size, quick })
    } finally {
      await large.server.end()
    }
  })
}

async function measured(path: string, shops: { small: Shop; large: Shop }): Promise<Growth> {
  const small = targetOf(shops.small, path)
  const large = targetOf(shops.large, path)
  for (const it of [small, large]) await load(it, WARM_UP_SECONDS)
  const pages = { small: await pagesOf(small), large: await pagesOf(large) }
  const rounds = []
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ small: await load(small, SECONDS), large: await load(large, SECONDS) })
  }
  return { path: path.replace(/[0-9a-f-]{36}/, ':id'), pages, rounds }
}

function targetOf({ server, headersNow, databaseUrl }: Shop, path: string) {
  return { ...server, databaseUrl, headers: headersNow(), url: server.url + path }
}

/** How many pages the database looks at for a request, from memory or disk: no other load changes it. */
async function pagesOf(target: ReturnType<typeof targetOf>) {
  const before = await pagesRead(target.databaseUrl)
  for (let asked = 0; asked < ASKED; asked += 1) {
    const response = await fetch(target.url, { headers: target.headers })
    assert.equal(response.status, 200, await response.text())
  }
  return Math.round((await pagesRead(target.databaseUrl)) / ASKED - before / ASKED)
}

/** Connections tell their figures a second after they were used last. */
async function pagesRead(databaseUrl: string): Promise<number> {
  await sleep(TOLD_MS)
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ pages: string }>(
      `select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0)) as pages
       from pg_statio_user_tables`,
    )
    return Number(rows[0]?.pages)
  })
}

/** A shop of so many services, four to a customer, and a process that serves it. */
async function shopOf(databaseUrl: string, size: number): Promise<Shop> {
  const env = settingsFor(databaseUrl)
  const service = await startService(readConfig({ ...env, LOG_LEVEL: 'warn' }), areas)
  try {
    const { deps } = service
    const { id: tenantId } = (await findDefaultTenant(deps.database.everywhere)) ?? {}
    assert.ok(tenantId)
    const startMs = performance.now()
    await withClient(databaseUrl, async (client) => {
      await seedDueServices(client, tenantId, size)
      for (const statement of MORE) await client.query(statement, [tenantId])
      await client.query('vacuum analyze')
    })
    console.log(`${size} services in ${Math.round((performance.now() - startMs) / 1000)} s`)
    const key = { tenantId, userId: INVOICE }
    const now = deps.clock.now()
    const { sessionId } = await transact(deps.database.of(tenantId), async (tx) => {
      await makeAdministrator(tx, key)
      return openSession(tx, { ...key, device: { address: '127.0.0.1', userAgent: 'bench' } }, now)
    })
    const headersNow = () => {
      const token = accessTokens(deps).sign({ ...key, sessionId }, deps.clock.now())
      return { authorization: `Bearer ${token}` }
    }
    const server = await started('src/main.js', ['serve'], env)
    return { server, headersNow, databaseUrl }
  } finally {
    await service.stop()
  }
}
