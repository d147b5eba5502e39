import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import pg from 'pg'
import { DAY_MS, SECOND_MS } from '#lib/time.ts'
import { adminRequests, type Described } from '#test/admin-requests.ts'
import { explained } from '#test/explained.ts'
import { knownOf } from '#test/known.ts'
import { multiply } from '#test/multiply.ts'
import { pagesOf } from '#test/plans.ts'
import { sizesFor } from '#test/shop-sizes.ts'
import { type World, world } from '#test/world.ts'
import { accessTokens } from '#users'

/**
 * Every list, search and overview of the administration costs about the same in a shop of ten times the size. Compares
 * the pages that the database reads, which no other load changes, and the time, in turns. `PEOPLE=10000` compares shops
 * of 10,000 and 100,000 people, with ten invoices and two services each.
 */
const SMALL = Number(process.env.PEOPLE ?? 300)
const LARGE = 10 * SMALL
const MOST_TIMES = 1.25

/**
 * What a request may cost more in the large shop: a deeper index, a plan of the other order; a total counts up to 10,000
 * rows, and a search reads up to 1,000 rows for a word before it goes by the order of the list.
 */
const MORE = {
  list: { pages: 1500, ms: 50 },
  search: { pages: 8000, ms: 50 },
  total: { pages: 40_000, ms: 100 },
}

function moreFor(path: string): { pages: number; ms: number } {
  if (path.includes('count=true')) return MORE.total
  return /[?&](q|search)=/.test(path) ? MORE.search : MORE.list
}

/** Below this for one person, nobody waits. */
const MOST_MS = 200
const WARM_UPS = 6
const READS = 3
const TURNS = 7
/** The figures of the dashboard are kept for half a minute. */
const LATER_MS = 31 * SECOND_MS
const DEEP_PAGES = 10
const YEAR_MS = 365 * DAY_MS

const document = JSON.parse(
  fs.readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8'),
) as Described

/** In a shop jobs have ended, mails were sent, and few invoices have conflicting evidence. */
const USUAL = [
  `update jobs.job set state = 'completed' where state < 'completed'`,
  'update notifications.mails set sent_at = created_at where failed_at is null',
  'set session_replication_role = replica',
  `update billing.invoices set evidence_conflict = false
   where number is distinct from (select min(number) from billing.invoices)`,
]

/** Statements of the queue, which its workers send at any time. */
const OF_THE_QUEUE = /pgboss|job_common/

type Shop = { readonly there: World; readonly paths: readonly string[] }

const small = await shopOf(SMALL)
const large = await shopOf(LARGE)
const pages = { small: await allPages(small), large: await allPages(large) }

type Row = { path: string; pages: number[]; times: number[]; p95: number }
const rows: Row[] = []

for (const [index, path] of large.paths.entries()) {
  const name = path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id').replace(/cursor=.*/, 'cursor=…')
  test(`GET ${name} costs the same in a shop of ten times the size`, async () => {
    const times: { small: number[]; large: number[] } = { small: [], large: [] }
    for (let turn = 0; turn < TURNS; turn += 1) {
      times.small.push(await timeOf(small, index))
      times.large.push(await timeOf(large, index))
    }
    // The fastest of several: what else the machine does only adds to it.
    const [smallMs, largeMs] = [Math.min(...times.small), Math.min(...times.large)]
    const [few = 0, many = 0] = [pages.small[index], pages.large[index]]
    rows.push({
      ...{
        path: name,
        pages: [few, many],
        times: [quantile(times.small, 0.5), quantile(times.large, 0.5)],
      },
      p95: quantile(times.large, 0.95),
    })
    const figures = `${few} → ${many} pages, ${smallMs.toFixed(1)} → ${largeMs.toFixed(1)} ms`
    const more = moreFor(path)
    assert.ok(many <= Math.max(few * MOST_TIMES, few + more.pages), figures)
    assert.ok(largeMs <= Math.max(smallMs * MOST_TIMES, smallMs + more.ms), figures)
  })
}

test('the slowest of them are answered within 200 ms', () => {
  const slowest = rows.toSorted((a, b) => b.p95 - a.p95)
  for (const {
    path,
    pages: [few, many],
    times,
    p95,
  } of slowest.slice(0, 20)) {
    const [smallMs, largeMs] = times.map((it) => it.toFixed(1))
    console.log(
      `| \`GET ${path}\` | ${smallMs} | ${largeMs} | ${p95.toFixed(1)} | ${few} / ${many} |`,
    )
  }
  const typical = rows.map(({ times: [, largeMs = 0] }) => largeMs)
  assert.ok(Math.max(...typical) < MOST_MS, JSON.stringify(slowest[0]))
})

/** A shop of so many people, and what is asked of it. */
async function shopOf(people: number): Promise<Shop> {
  const there = await world()
  const { app } = there
  const known = await knownOf(there)
  await app.eventually('no entry waits for the audit log', async () => {
    const { rows: waiting } = await app.deps.database.execute('select from audit.pending limit 1')
    return waiting.length === 0
  })
  const { databaseUrl } = app
  assert.ok(databaseUrl)
  await withClient(databaseUrl, async (client) => {
    for (const statement of USUAL) await client.query(statement)
  })
  const startMs = performance.now()
  await multiply(databaseUrl, sizesFor(people), YEAR_MS)
  await withClient(databaseUrl, (client) => client.query('vacuum analyze'))
  console.log(`${people} people in ${Math.round((performance.now() - startMs) / 1000)} s`)
  const paths: string[] = []
  for (const { path, paged } of adminRequests(document, known)) {
    paths.push(path)
    if (paged) paths.push(await deepIn(there, path))
  }
  return { there, paths }
}

/** The path of a page deep in a list; of the last one if the list is shorter. */
async function deepIn(there: World, path: string): Promise<string> {
  let deep = path
  for (let page = 0; page < DEEP_PAGES; page += 1) {
    const { body } = await get(there, `${deep}${deep.includes('?') ? '&' : '?'}limit=100`)
    if (!body.nextCursor) break
    deep = `${path}?cursor=${encodeURIComponent(body.nextCursor)}`
  }
  return deep
}

/** As an administrator, whose token is new each time: it ends after a quarter of an hour. */
async function get({ app, admin }: World, path: string) {
  const { deps } = app
  const token = accessTokens(deps).sign(admin, deps.clock.now())
  const answer = await app.as(token).get(path)
  assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  return answer
}

async function timeOf({ there, paths }: Shop, index: number): Promise<number> {
  const path = paths[index] ?? ''
  if (path === '/v1/admin/dashboard') there.app.deps.clock.advance(LATER_MS)
  const startMs = performance.now()
  await get(there, path)
  return performance.now() - startMs
}

/** The pages that the database looks at for each request, in the middle of several. */
async function allPages(shop: Shop): Promise<number[]> {
  const { plans, end } = await explained(shop.there.app)
  const found: number[] = []
  for (const index of shop.paths.keys()) {
    for (let asked = 0; asked < WARM_UPS; asked += 1) await timeOf(shop, index)
    const each: number[] = []
    for (let asked = 0; asked < READS; asked += 1) {
      plans.length = 0
      await timeOf(shop, index)
      const own = plans.filter((it) => !OF_THE_QUEUE.test(it['Query Text']))
      each.push(own.reduce((sum, plan) => sum + pagesOf(plan), 0))
    }
    found.push(quantile(each, 0.5))
  }
  await end()
  return found
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
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
