import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '#test/app.ts'
import { type Answer, clientFor } from '#test/client.ts'
import {
  onServer,
  type PrivateServer,
  postgresPrograms,
  privatePostgres,
} from '#test/private-servers.ts'
import { type SpreadBuyer, spreadShop } from '#test/spread-shop.ts'

const SCALE = Number(process.env.SCALE ?? 1)
/** In each storm each of them buys so often, connections are cut so often, and the server crashes so often. */
const BUYERS = 4
const PURCHASES = Math.ceil(8 * SCALE)
const CUTS = Math.ceil(200 * SCALE)
const CRASHES = Math.ceil(15 * SCALE)
const PATIENCE = { waitMs: 120_000 }
/** Every request is answered within this time, with a result or an error: see `platform/database/connection-watchdog.ts`. */
const LONGEST_MS = 45_000

const bin = postgresPrograms()
const skip = bin === null && 'PostgreSQL is not installed here'
const all = bin === null ? null : await started(bin)
let purchases = 0

async function started(programs: string) {
  const server = await privatePostgres(programs)
  const shop = await spreadShop({ DATABASE_URL: server.url })
  const buyers = await Promise.all(Array.from({ length: BUYERS }, (_, index) => shop.buyer(index)))
  return { server, shop, buyers }
}

/** People buy while the storm goes on. After it everything has come to its end, and nothing is wrong. */
async function buyThrough(
  t: TestContext,
  storm: (server: PrivateServer) => Promise<void>,
): Promise<void> {
  assert.ok(all)
  const { server, shop, buyers } = all
  const buying = buyers.map(async (it) => {
    for (let count = 0; count < PURCHASES; count += 1) await it.buyAndWait()
  })
  const members = [...shop.apis, ...shop.workers]
  async function weather(): Promise<void> {
    await storm(server)
    for (const { url } of members) await isUp(url)
    for (const { ended, lines } of members) assert.ok(!ended, `A process has died: ${lines.at(-1)}`)
    // With time everything goes on by itself: minutes, where somebody was cut off from what they had taken on.
    if (SCALE < 1) await shop.hourPasses()
  }
  await Promise.all([...buying, weather()])
  purchases += BUYERS * PURCHASES
  await shop.assertWhole(purchases)
  t.diagnostic(`answers: ${JSON.stringify(answers(buyers))}`)
  for (const { statuses, slowestMs, withoutRetry, faults } of buyers) {
    assert.equal(statuses.get(0) ?? 0, 0, 'everybody was answered')
    assert.deepEqual(faults, [], 'nothing was called a fault of ours')
    assert.equal(withoutRetry, 0, 'who is refused is told when to come again')
    assert.ok(slowestMs < LONGEST_MS, `somebody waited for ${Math.round(slowestMs)} ms`)
  }
}

function answers(buyers: readonly SpreadBuyer[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { statuses } of buyers)
    for (const [status, count] of statuses) sums[status] = (sums[status] ?? 0) + count
  return sums
}

async function isUp(url: string): Promise<void> {
  const health = async () => (await clientFor(url).get('/v1/health')).status === 200
  await until(`${url} is up`, health, PATIENCE)
}

test(
  'connections that are cut again and again cost nobody what they bought (hardening 45)',
  { skip },
  (t) =>
    buyThrough(t, async (server) => {
      for (let cuts = 0; cuts < CUTS; cuts += 1) {
        await onServer(
          server.url,
          `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
        )
        // Between two of them some of what is asked gets through.
        await sleep(400)
      }
    }),
)

test(
  'a database that crashes and comes back loses nothing that was answered (hardening 45)',
  { skip },
  (t) =>
    buyThrough(t, async (server) => {
      for (let crashes = 0; crashes < CRASHES; crashes += 1) {
        await server.stop()
        if (crashes === 0) await isSaid()
        await server.start()
        await sleep(3000)
      }
    }),
)

/** The shop window is looked at so often, and so long there is no database. */
const [LOOKS_A_SECOND, AWAY_MS] = [50, 30_000]
/** With the database back nobody is refused any more after this. */
const RECOVERED_MS = 5000
const HEADERS = [
  ...['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
  ...['x-ratelimit-limit-auth', 'x-ratelimit-remaining-auth'],
]

test(
  'half a minute without a database: who asks is told when to come again, and served once it is back (hardening 45)',
  {
    skip,
  },
  (t) =>
    buyThrough(t, async (server) => {
      assert.ok(all)
      const client = clientFor(all.shop.apis[0].url)
      const looks: Promise<{ begunMs: number; endedMs: number; answer: Answer }>[] = []
      const looking = setInterval(() => {
        const begunMs = performance.now()
        const answered = client.get('/v1/store/products')
        looks.push(answered.then((answer) => ({ begunMs, endedMs: performance.now(), answer })))
      }, 1000 / LOOKS_A_SECOND)
      await server.stop()
      const goneMs = performance.now()
      await sleep(AWAY_MS)
      const returnMs = performance.now()
      await server.start()
      const backMs = performance.now()
      await sleep(RECOVERED_MS * 2)
      clearInterval(looking)
      const told = await Promise.all(looks)
      const during = told.filter((it) => it.begunMs > goneMs && it.endedMs < returnMs)
      assert.ok(during.length > (LOOKS_A_SECOND * AWAY_MS) / 2000, `${during.length} looks`)
      for (const { answer } of during) {
        assert.equal(answer.status, 503, answer.text)
        for (const name of HEADERS) assert.match(String(answer.headers[name]), /^\d+$/, name)
      }
      const late = told.filter(({ answer }) => answer.status !== 200)
      const lastMs = Math.max(...late.map(({ endedMs }) => endedMs)) - backMs
      t.diagnostic(`${during.length} refused; the last ${Math.round(lastMs)} ms after its return`)
      assert.ok(lastMs < RECOVERED_MS, `somebody was refused ${lastMs} ms after its return`)
    }),
)

/** What everybody hears while there is no database. */
async function isSaid(): Promise<void> {
  assert.ok(all)
  for (const { url } of [...all.shop.apis, ...all.shop.workers]) {
    const { status, body } = await clientFor(url).get('/v1/health')
    assert.deepEqual([status, body.checks.database], [503, 'down'])
    assert.equal((await clientFor(url).get('/v1/health/live')).status, 200)
  }
  for (const { url } of all.shop.apis) {
    const { status, headers, body } = await clientFor(url).get('/v1/store/products')
    assert.deepEqual([status, headers['retry-after'], body.statusCode], [503, '5', 503])
    assert.ok(headers['x-ratelimit-limit'])
  }
}

test(
  'a database that hangs is not waited for, and is worked with when it goes on (hardening 45)',
  { skip },
  (t) =>
    buyThrough(t, async (server) => {
      assert.ok(all)
      const [one] = all.shop.apis
      server.freeze()
      try {
        const startMs = performance.now()
        const answers = await Promise.all(
          Array.from({ length: 30 }, () => clientFor(one.url).get('/v1/store/products')),
        )
        const tookMs = Math.round(performance.now() - startMs)
        t.diagnostic(`${answers.length} answers within ${tookMs} ms`)
        assert.ok(answers.every(({ status }) => status === 503))
        assert.ok(tookMs < LONGEST_MS)
      } finally {
        server.thaw()
      }
    }),
)
