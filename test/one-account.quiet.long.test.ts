import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '#test/app.ts'
import type { Answer, Client } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { hashPassword } from '#users'

/**
 * What one unconfirmed account can make a shop spend that calls everything it can, at the default quotas,
 * for an hour with `SCALE=1`. Prints the figures that stand in docs/hardening.md.
 */
const MINUTES = Math.max(1, Math.round(60 * Number(process.env.SCALE ?? 1)))
const QUOTAS = { general: 500, auth: 20, person: 2000 }
const AT_ONCE = 16
const STOCK = 1000
const PASSWORD = 'a long enough password'

const shop = await gameShop({ config: { rateLimits: QUOTAS } })
const { app, catalog, gatewayId, tenantId } = shop
const { plan, product } = await catalog.offer({}, { stock: STOCK })
const others = await Promise.all([1, 2, 3, 4].map(() => shop.server()))
const { database } = app.deps

const login = { email: 'anybody@example.org', password: PASSWORD }
let number = 0

function next(): number {
  number += 1
  return number
}

/** Each call an account without a confirmed address can spend something with. */
const calls: readonly ((me: Client) => Promise<Answer>)[] = [
  (me) => me.get('/v1/users/me'),
  (me) => me.get('/v1/store/products'),
  (me) => me.get('/v1/billing/invoices'),
  (me) => me.get('/v1/notifications'),
  (me) => me.patch('/v1/users/me', { name: `Name ${next()}` }),
  (me) => me.patch('/v1/users/me', { email: `other${next()}@example.org` }),
  (me) => me.post('/v1/auth/email/resend', {}),
  () => app.post('/v1/auth/password/forgot', { email: login.email }),
  () => app.post('/v1/auth/login', login),
  () => app.post('/v1/auth/login', { ...login, password: 'wrong and also long' }),
  (me) => me.post('/v1/users/me/totp', { currentPassword: PASSWORD }),
  (me) => me.post('/v1/users/me/passkeys/options', { currentPassword: PASSWORD }),
  (me) => me.post('/v1/api-keys', { permission: 'read' }),
  (me) => me.post('/v1/cart/items', { planId: plan.id, quantity: 1 + (number % 5), name: 'x' }),
  (me) => me.post('/v1/cart/items', { planId: others[number % 4]?.plan.id }),
  (me) => me.post('/v1/store/quote', { items: [{ planId: plan.id, quantity: 5 }] }),
  (me) => me.put('/v1/cart/coupons/NOTHING'),
  (me) => me.post('/v1/billing/checkout', { gatewayId, immediateStart: true }),
  async (me) => {
    const { body } = await me.get('/v1/cart')
    return me.delete(`/v1/cart/items/${body.items?.[0]?.id ?? tenantId}`)
  },
  async (me) => {
    const { body } = await me.get('/v1/billing/orders')
    return me.post(`/v1/billing/orders/${body.data?.[0]?.id ?? tenantId}/cancel`)
  },
  (me) => me.post('/v1/billing/credits/top-up', { amountCents: 1000, gatewayId }),
  (me) => me.post('/v1/billing/setup-intent', { gatewayId }),
  (me) => me.get('/v1/billing/export-data'),
  (me) => me.post('/v1/affiliation'),
  (me) => me.post('/v1/affiliation/visits', { code: 'NOTHING' }),
  (me) => me.post('/v1/invitations/nothing/accept'),
]

/** How many rows each table has. */
async function rowsByTable(): Promise<Map<string, number>> {
  const { rows: tables } = await database.execute(
    `select schemaname || '.' || tablename as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const counted = new Map<string, number>()
  for (const { name } of tables) {
    const { rows } = await database.execute(`select count(*)::int as count from ${name}`)
    counted.set(String(name), Number(rows[0]?.count))
  }
  return counted
}

/** What is held for unpaid orders now: stock, and places on panels. */
async function held(): Promise<{ stock: number; places: number }> {
  const { rows } = await database.execute(
    `select (select coalesce(sum(quantity), 0) from store.stock_holds
              where released_at is null and taken_at is null and held_until > $1)::int as stock,
            (select count(*) from panel.reservations
              where held_until is null or held_until > $1)::int as places`,
    [app.deps.clock.now()],
  )
  return { stock: Number(rows[0]?.stock), places: Number(rows[0]?.places) }
}

test(`one unconfirmed account that calls everything for ${MINUTES} minutes stays within its bounds`, async (t) => {
  const made = await app.post('/v1/auth/register', { ...login, name: 'Anybody', country: 'FR' })
  assert.equal(made.status, 201, made.text)
  const session = app.as(made.body.accessToken)
  // Keys outlive the session, and each has a quota of its own below the account's ceiling.
  const keys: Client[] = []
  while (keys.length < 24) {
    const { status, body, text } = await session.post('/v1/api-keys', {
      ...{ permission: 'read-write' },
    })
    if (status !== 201) assert.equal(status, 429, text)
    if (status !== 201) break
    keys.push(app.as(body.key))
  }
  const before = await rowsByTable()
  // As much as an account may hold at once, before its cart is in the way of itself.
  const wanted = await session.post('/v1/cart/items', { planId: plan.id, quantity: 5 })
  assert.equal(wanted.status, 201, wanted.text)
  const ordered = await session.post('/v1/billing/checkout', { gatewayId, immediateStart: true })
  assert.equal(ordered.status, 201, ordered.text)
  assert.deepEqual(await held(), { stock: 5, places: 5 })
  const statuses = new Map<number, number>()
  const most = { stock: 5, places: 5, rssMb: 0 }
  const startRss = process.memoryUsage().rss
  const startCpu = process.cpuUsage()
  const endMs = performance.now() + MINUTES * 60_000
  let asked = 0

  async function callAgainAndAgain(worker: number): Promise<void> {
    for (let turn = worker; performance.now() < endMs; turn += 1) {
      const call = calls[turn % calls.length]
      const { status, headers } = (await call?.(keys[turn % keys.length] ?? session)) ?? {}
      asked += 1
      statuses.set(status ?? 0, (statuses.get(status ?? 0) ?? 0) + 1)
      // What is refused costs nothing but the refusal: the time is for what is not.
      if (status === 429) await sleep(Math.min(1000, Number(headers?.['retry-after'] ?? 1) * 50))
    }
  }
  async function look(): Promise<void> {
    while (performance.now() < endMs) {
      const { stock, places } = await held()
      most.stock = Math.max(most.stock, stock)
      most.places = Math.max(most.places, places)
      most.rssMb = Math.max(most.rssMb, (process.memoryUsage().rss - startRss) / 2 ** 20)
      await sleep(500)
    }
  }
  await Promise.all([...Array.from({ length: AT_ONCE }, (_, n) => callAgainAndAgain(n)), look()])
  const cpu = process.cpuUsage(startCpu)
  const accepted = [...statuses].reduce((sum, [it, count]) => sum + (it === 429 ? 0 : count), 0)
  await until('the jobs have run', async () => {
    const { rows } = await database.execute(
      `select count(*)::int as count from jobs.job
       where state in ('created', 'active') and start_after < now()`,
    )
    return Number(rows[0]?.count) === 0
  })
  const after = await rowsByTable()
  const grown = [...after]
    .map(([table, count]) => [table, count - (before.get(table) ?? 0)] as const)
    .filter(([, count]) => count !== 0)
    .sort(([, a], [, b]) => b - a)
  const rows = grown.reduce((sum, [, count]) => sum + Math.max(0, count), 0)
  const { rows: mails } = await database.execute(
    `select count(*)::int as count from notifications.mails
     where recipient = $1 or recipient like 'other%@example.org'`,
    [login.email],
  )
  const hashMs = await timeOfHash()
  const signIns = QUOTAS.auth * MINUTES
  const say = (text: string) => t.diagnostic(text)
  say(
    `${keys.length} keys, ${asked} requests in ${MINUTES} min, ${accepted} not refused by a quota`,
  )
  say(`answers: ${JSON.stringify(Object.fromEntries([...statuses].sort()))}`)
  say(
    `rows: ${rows}, ${(rows / accepted).toFixed(2)} a request; ${JSON.stringify(grown.slice(0, 14))}`,
  )
  say(`mails: ${mails[0]?.count}; held at most: stock ${most.stock}, places ${most.places}`)
  say(
    `hashing: ${hashMs.toFixed(0)} ms each, at most ${signIns} in the time: ${((signIns * hashMs) / 1000).toFixed(1)} s`,
  )
  say(
    `processor: ${((cpu.user + cpu.system) / 1e6).toFixed(0)} s with the caller, memory: +${most.rssMb.toFixed(0)} MB`,
  )
  // The windows of the quotas begin anew once more often than there are minutes.
  assert.ok(accepted <= (QUOTAS.person + QUOTAS.general) * (MINUTES + 1), 'the account’s ceiling')
  assert.ok(most.stock <= 5 && most.places <= 5, 'an unpaid customer holds five units at most')
  assert.ok(Number(mails[0]?.count) <= 10 + 15 + 2 * 10, 'mails by the limits of a day')
  assert.equal((await shop.admin.get(`/v1/admin/products/${product.id}`)).status, 200)
  await shop.assertSound()
})

/** How long the processor works on one password. */
async function timeOfHash(): Promise<number> {
  const startMs = performance.now()
  for (let n = 0; n < 5; n += 1) await hashPassword(`${PASSWORD} ${n}`)
  return (performance.now() - startMs) / 5
}
