import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { clientFor } from '#test/client.ts'
import { type SpreadShop, spreadShop } from '#test/spread-shop.ts'

/**
 * A payment provider and a panel that take half a minute for each answer, which is longer than anybody
 * waits for the one, and shorter than for a new server of the other.
 */
const SLOW_MS = 30_000
const SCALE = Number(process.env.SCALE ?? 1)
/** So many buy at once, and so long it goes on. */
const BUYERS = 4 + Math.ceil(20 * SCALE)
const SECONDS = 60 + Math.ceil(240 * SCALE)
/** How long anybody waits who asks for what is here, at worst; and one in twenty. */
const [LONGEST_MS, SELDOM_MS] = [5000, 2000]
/** A transaction is a matter of our own: none lasts as long as an answer from outside. */
const TRANSACTION_SECONDS = 8

const skip = !process.env.DATABASE_URL && 'It wants a PostgreSQL server'

const PATHS = ['/v1/services', '/v1/billing/invoices', '/v1/notifications', '/v1/store/products']

/** Two who only look, at a process that stays, until it is over: how long each answer took. */
function looking(shop: SpreadShop) {
  const took: number[] = []
  const wrong = new Set<number>()
  let isOver = false
  const admin = shop.admin(shop.apis[0].url)
  const visits = [1, 2].map(async () => {
    while (!isOver) {
      for (const path of PATHS) {
        const startMs = performance.now()
        const { status } = await admin.get(path)
        took.push(performance.now() - startMs)
        if (status !== 200) wrong.add(status)
        await sleep(50)
      }
    }
  })
  return async () => {
    isOver = true
    await Promise.all(visits)
    return { took: took.toSorted((a, b) => a - b), wrong: [...wrong] }
  }
}

/** How old the oldest transaction of our processes is, in seconds, and how many connections are in one. */
const TRANSACTIONS = `
  select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 as oldest,
    count(*)::int as count
  from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    and application_name ~ '^(serve|worker)-'`

/** Jobs that were tried and have to be tried again, and servers that wait. */
const WAITING = `select
  (select count(*) from jobs.job where name <> 'dead-letters' and retry_count > 0)::int as again,
  (select count(*) from orders.orders)::int as orders,
  (select count(*) from services.services where activated_at is not null)::int as active`

test('a provider and a panel that take half a minute hold up nobody who does not need them', {
  skip,
}, async (t) => {
  const shop = await spreadShop()
  const buyers = await Promise.all(Array.from({ length: BUYERS }, (_, it) => shop.buyer(it)))
  await shop.provider.fault('*', 'slow', { n: 1_000_000, ms: SLOW_MS })
  await shop.panel.fault('*', 'latency', { n: 1_000_000, ms: SLOW_MS })
  const stopLooking = looking(shop)
  const buying = buyers.map((it) => it.buyAndWait())
  let oldest = 0
  const endMs = performance.now() + SECONDS * 1000
  while (performance.now() < endMs) {
    const [row] = await shop.sql(TRANSACTIONS)
    oldest = Math.max(oldest, row.oldest)
    await sleep(250)
  }
  const [slow] = await shop.sql(WAITING)
  // One of each is replaced while it waits for answers of others.
  for (const it of [shop.apis[1], shop.workers[1]]) {
    const startMs = performance.now()
    assert.equal(await it.end(), 0, 'it ends in order')
    t.diagnostic(`${it.name} ended in ${Math.round(performance.now() - startMs)} ms`)
    await it.start()
  }
  const { took, wrong } = await stopLooking()
  const of = (share: number) => Math.round(took[Math.floor(took.length * share)] ?? 0)
  t.diagnostic(
    `${took.length} looks: median ${of(0.5)} ms, one in twenty ${of(0.95)} ms, longest ${of(0.9999)} ms`,
  )
  t.diagnostic(`oldest transaction ${oldest.toFixed(1)} s; ${JSON.stringify(slow)}`)
  assert.deepEqual(wrong.filter((it) => it !== 503), [])
  assert.ok(of(0.95) < SELDOM_MS && of(0.9999) < LONGEST_MS)
  assert.ok(oldest < TRANSACTION_SECONDS, `a transaction lasted ${oldest} s`)
  await shop.provider.clearFaults()
  await shop.panel.clearFaults()
  await shop.hourPasses()
  await Promise.all(buying)
  await shop.assertWhole(BUYERS)
  assert.equal((await clientFor(shop.apis[0].url).get('/v1/health')).status, 200)
})
