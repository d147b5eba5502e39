import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '#test/app.ts'
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
/** How long one in twenty waits at most who asks for what is here: so much, or so many times as long as before. */
const [SELDOM_MS, TIMES] = [1000, 4]
const BEFORE_MS = 5000
/** In a transaction nobody waits for an answer from outside. */
const IDLE_SECONDS = 5

const skip = !process.env.DATABASE_URL && 'It wants a PostgreSQL server'

const PATIENCE = { waitMs: 120_000, everyMs: 250 }

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
    took.sort((a, b) => a - b)
    const of = (share: number) => Math.round(took[Math.floor(took.length * share)] ?? 0)
    return { count: took.length, median: of(0.5), seldom: of(0.95), longest: of(0.9999), wrong }
  }
}

/** Who does nothing in a transaction that is open, for how many seconds: as if it waited for others. */
const IDLE = `
  select extract(epoch from clock_timestamp() - state_change)::float8 as seconds, query
  from pg_stat_activity
  where datname = current_database() and state like 'idle in transaction%'
    and application_name ~ '^(serve|worker)-'
  order by state_change limit 1`

/** Who has ordered, paid, and got a server. */
const WAITING = `select
  (select count(*) from orders.orders)::int as orders,
  (select count(*) from orders.orders where paid_at is not null)::int as paid,
  (select count(*) from services.services where activated_at is not null)::int as active`

/** One of each is replaced while it waits for others: who asked is answered, and it ends in order. */
async function replaceWhileWaiting(t: TestContext, shop: SpreadShop): Promise<void> {
  const [, api] = shop.apis
  const admin = shop.admin(api.url)
  const [node] = (await admin.get('/v1/admin/nodes')).body.data
  const left = await shop.panel.faultsLeft()
  const asked = admin.post(`/v1/admin/nodes/${node.id}/test`)
  await until('the panel is asked', async () => (await shop.panel.faultsLeft()) < left, PATIENCE)
  for (const it of [api, shop.workers[1]]) {
    const startMs = performance.now()
    const code = await it.end()
    t.diagnostic(`${it.name} ended with ${code} in ${Math.round(performance.now() - startMs)} ms`)
    assert.equal(code, 0, `it ends in order: ${it.lines.at(-1)}`)
    await it.start()
  }
  const { status } = await asked
  t.diagnostic(`who asked the panel was told ${status}`)
}

test('a provider and a panel that take half a minute hold up nobody who does not need them (hardening 47)', {
  skip,
}, async (t) => {
  const shop = await spreadShop()
  const buyers = await Promise.all(Array.from({ length: BUYERS }, (_, it) => shop.buyer(it)))
  const stopBefore = looking(shop)
  await sleep(BEFORE_MS)
  const before = await stopBefore()
  await shop.panel.fault('*', 'latency', { n: 1_000_000, ms: SLOW_MS })
  // One half has paid before the provider is slow too, and waits for the panel.
  const [first, second] = [buyers.slice(0, BUYERS / 2), buyers.slice(BUYERS / 2)]
  const buying = first.map((it) => it.buyAndWait())
  const havePaid = async () => (await shop.sql(WAITING))[0]?.paid === first.length
  await until('they have paid', havePaid, PATIENCE)
  await shop.provider.fault('*', 'slow', { n: 1_000_000, ms: SLOW_MS })
  const stopLooking = looking(shop)
  buying.push(...second.map((it) => it.buyAndWait()))
  let idle = { seconds: 0, query: '' }
  const endMs = performance.now() + SECONDS * 1000
  while (performance.now() < endMs) {
    const [it] = await shop.sql(IDLE)
    if (it?.seconds > idle.seconds) idle = it
    await sleep(250)
  }
  const [slow] = await shop.sql(WAITING)
  await replaceWhileWaiting(t, shop)
  const during = await stopLooking()
  t.diagnostic(`looks, in ms: ${JSON.stringify({ before, during })}`)
  t.diagnostic(
    `longest idle in a transaction ${idle.seconds.toFixed(1)} s; ${JSON.stringify(slow)}`,
  )
  assert.deepEqual([...during.wrong], [])
  assert.ok(during.seldom < Math.max(SELDOM_MS, TIMES * before.seldom), 'nobody else waits')
  assert.ok(idle.seconds < IDLE_SECONDS, `${idle.seconds} s after ${idle.query}`)
  assert.ok(slow.active < slow.paid, 'the panel answers nobody in time')
  await shop.provider.clearFaults()
  await shop.panel.clearFaults()
  await shop.hourPasses()
  await Promise.all(buying)
  await shop.assertWhole(BUYERS)
})
