import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '#test/app.ts'
import type { Answer, Client } from '#test/client.ts'
import { customerOperations, ownPath } from '#test/customer-operations.ts'
import type { Example } from '#test/examples.ts'
import { gameShop } from '#test/game-shop.ts'
import { asOwner } from '#test/owner.ts'
import { hashPassword } from '#users'
import examplesFile from '../src/areas/system/reference/examples.json' with { type: 'json' }

/**
 * What one unconfirmed account can make a shop spend that calls everything it can, at the default quotas,
 * for an hour with `SCALE=1`. Prints the figures that stand in docs/hardening.md.
 */
const MINUTES = Math.max(1, Math.round(60 * Number(process.env.SCALE ?? 1)))
const QUOTAS = { general: 500, auth: 20, person: 2000 }
const AT_ONCE = 16
const STOCK = 1000
/** Above the start: the embedded database and its cache, the caller and the stand-ins are in it. */
const MEMORY_MB = 600
const PASSWORD = 'a long enough password'

const shop = await gameShop({ config: { rateLimits: QUOTAS } })
const { app, catalog, gatewayId, tenantId } = shop
const { plan, product } = await catalog.offer({}, { stock: STOCK })
const others = await Promise.all([1, 2, 3, 4].map(() => shop.server()))
const { database } = app.deps

const examples: { operations: Readonly<Record<string, Example>> } = examplesFile
const login = { email: 'anybody@example.org', password: PASSWORD }
let number = 0

function next(): number {
  number += 1
  return number
}

/** Operations that are not called, and why. Every other one that the API document lists for customers is. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'auth.register': 'opens another account; limited per network (registration.test.ts)',
  'users.me.delete': 'ends the account',
  'users.me.password.change': 'ends the keys that call',
  'apiKeys.delete': 'ends the keys that call; a key of its own is created and deleted below',
  'users.me.sessions.delete': 'ends the session that confirms what keys may do',
  'notifications.stream.get': 'does not end; limited per person (stream.test.ts)',
}

type Call = (me: Client) => Promise<Answer>

/** What the recorded examples cannot show, because it depends on what the account has. */
const OWN_CALLS: Readonly<Record<string, readonly Call[]>> = {
  'users.me.update': [
    (me) => me.patch('/v1/users/me', { name: `Name ${next()}` }),
    (me) => me.patch('/v1/users/me', { email: `other${next()}@example.org` }),
  ],
  'auth.email.resend': [(me) => me.post('/v1/auth/email/resend', {})],
  'auth.password.forgot': [() => app.post('/v1/auth/password/forgot', { email: login.email })],
  'auth.login': [
    () => app.post('/v1/auth/login', login),
    () => app.post('/v1/auth/login', { ...login, password: 'wrong and also long' }),
  ],
  'auth.refresh': [
    async () => {
      const { body } = await app.post('/v1/auth/login', login)
      return app.post('/v1/auth/refresh', { refreshToken: body.refreshToken ?? 'none' })
    },
  ],
  'users.me.totp.start': [(me) => me.post('/v1/users/me/totp', { currentPassword: PASSWORD })],
  'users.me.passkeys.options.create': [
    (me) => me.post('/v1/users/me/passkeys/options', { currentPassword: PASSWORD }),
  ],
  'apiKeys.create': [
    async (me) => {
      const made = await me.post('/v1/api-keys', { permission: 'read' })
      if (made.status === 201) await me.delete(`/v1/api-keys/${made.body.id}`)
      return made
    },
  ],
  'cart.items.create': [
    (me) => me.post('/v1/cart/items', { planId: plan.id, quantity: 1 + (number % 5), name: 'x' }),
    (me) => me.post('/v1/cart/items', { planId: others[number % 4]?.plan.id }),
  ],
  'cart.items.delete': [
    async (me) => {
      const { body } = await me.get('/v1/cart')
      return me.delete(`/v1/cart/items/${body.items?.[0]?.id ?? tenantId}`)
    },
  ],
  'store.quote': [
    (me) => me.post('/v1/store/quote', { items: [{ planId: plan.id, quantity: 5 }] }),
  ],
  'billing.checkout': [
    (me) => me.post('/v1/billing/checkout', { gatewayId, immediateStart: true }),
    (me) =>
      me.post(
        '/v1/billing/checkout',
        { gatewayId, immediateStart: true },
        { headers: { 'idempotency-key': `try-${next()}` } },
      ),
  ],
  'billing.credits.topUp': [
    (me) => me.post('/v1/billing/credits/top-up', { amountCents: 1000, gatewayId }),
  ],
  'billing.setupIntent': [(me) => me.post('/v1/billing/setup-intent', { gatewayId })],
  'billing.invoices.pay': [
    async (me) => {
      const { body } = await me.get('/v1/billing/invoices?status=open')
      return me.post(`/v1/billing/invoices/${body.data?.[0]?.id ?? tenantId}/pay`, { gatewayId })
    },
  ],
}

const { body: described } = await app.get('/v1/openapi.json')
const operations = customerOperations(described)
const lists = new Set(operations.filter((it) => it.method === 'GET').map(({ path }) => path))

/** The calls of every operation that a customer can make. */
const calls: readonly { id: string; call: Call }[] = operations
  .filter(({ id }) => !(id in LEFT_OUT))
  .flatMap((operation) => {
    const { id, method } = operation
    const example = examples.operations[id]
    assert.ok(example, `${id} has an example`)
    const byExample: Call = async (me) => {
      const path = await ownPath(me, operation, example, lists)
      const key = { headers: { 'idempotency-key': `call-${next()}` } }
      return me.request(method, path, example.request, method === 'GET' ? {} : key)
    }
    return (OWN_CALLS[id] ?? [byExample]).map((call) => ({ id, call }))
  })

/**
 * The most rows that a table may gain, from the limits of an account: by request for what records requests, by
 * day for what has a limit of its own. Tables that are not listed gain at most `FEW`.
 */
function mostRows(table: string, { accepted, minutes }: { accepted: number; minutes: number }) {
  const signIns = QUOTAS.auth * (minutes + 1)
  const days = 1
  const bounds: Readonly<Record<string, number>> = {
    // One entry for each write that was not refused; deleted after `audit.retentionMonths`.
    'audit.pending': accepted,
    'audit.entries': accepted,
    // One for each write that carried a key; deleted after a day.
    'platform.idempotency_keys': accepted,
    // Sign-ins and what they leave, deleted 30 days after their end.
    'users.sessions': signIns,
    'users.refresh_tokens': 2 * signIns,
    'oidc.artifacts': accepted,
    'users.api_keys': 100 * days,
    'billing.payment_attempts': 200 * days,
    'billing.attempt_invoices': 200 * days,
    // `services.search_terms` has some rows for each unpaid order, `orders.maxUnpaidOrdersPerDay` a day.
    'services.search_terms': 20 * 5 * 10 * days,
    'services.services': 20 * 5 * days,
    'services.members': 20 * 5 * days,
    'panel.reservations': 20 * 5 * days,
    'store.cart_items': 100,
    'jobs.job': 5 * accepted,
    'jobs.job_common': 5 * accepted,
  }
  return bounds[table] ?? FEW
}

/** Rows of tables that an account fills with its orders, top-ups, mails and settings only. */
const FEW = 150

/** How many rows each table has. */
async function rowsByTable(): Promise<Map<string, number>> {
  const { rows: tables } = await database.execute(
    `select schemaname || '.' || tablename as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const counted = new Map<string, number>()
  for (const { name } of tables) {
    const { rows } = await asOwner(database, `select count(*)::int as count from ${name}`)
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
  const called = new Set<string>()
  let asked = 0

  async function callAgainAndAgain(worker: number): Promise<void> {
    // On a slow machine, everything is called once all the same.
    const enough = worker + calls.length
    for (let turn = worker; performance.now() < endMs || turn < enough; turn += 1) {
      const { id, call } = calls[turn % calls.length] ?? assert.fail('there are calls')
      const { status, headers } = await call(keys[turn % keys.length] ?? session)
      asked += 1
      called.add(id)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
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
  assert.deepEqual(
    [...statuses.keys()].filter((status) => status >= 500),
    [],
  )
  say(
    `rows: ${rows}, ${(rows / accepted).toFixed(2)} a request; ${JSON.stringify(grown.slice(0, 40))}`,
  )
  say(`mails: ${mails[0]?.count}; held at most: stock ${most.stock}, places ${most.places}`)
  say(
    `hashing: ${hashMs.toFixed(0)} ms each, at most ${signIns} in the time: ${((signIns * hashMs) / 1000).toFixed(1)} s`,
  )
  say(
    `processor: ${((cpu.user + cpu.system) / 1e6).toFixed(0)} s with the caller, memory: +${most.rssMb.toFixed(0)} MB`,
  )
  assert.deepEqual(
    operations.map(({ id }) => id).filter((id) => !called.has(id) && !(id in LEFT_OUT)),
    [],
    'operations that a customer can call, that are not called, and that have no reason',
  )
  const unknown = Object.keys(LEFT_OUT).filter((id) => !operations.some((it) => it.id === id))
  assert.deepEqual(unknown, [], 'reasons for operations that no customer can call')
  const bounds = { accepted, minutes: MINUTES }
  const beyond = grown.filter(([table, count]) => count > mostRows(table, bounds))
  assert.deepEqual(beyond, [], 'tables with more rows than the limits explain')
  assert.ok(rows <= 2 * accepted + 2000, `${rows} rows for ${accepted} requests`)
  assert.ok(most.rssMb <= MEMORY_MB, `${most.rssMb} MB more memory`)
  assert.ok(
    (signIns * hashMs) / 1000 <= MINUTES * 60 * 0.2,
    'hashing takes a fifth of one processor at most',
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
