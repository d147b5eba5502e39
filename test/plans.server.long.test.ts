import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { until } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { explained } from '#test/explained.ts'
import { multiply } from '#test/multiply.ts'
import { readsMuch } from '#test/plans.ts'
import { world } from '#test/world.ts'

/**
 * What every route that reads, and every look at the time, asks of the database of a large shop, as the
 * server itself says it has planned it.
 */
const there = await world()
const { app, owner, admin, objects, daemons, bot } = there
const ROWS = 4000
/** A page has 200 rows at most; what is worked off in batches of 500 may have a few parts each. */
const MOST = 2000

const databaseUrl = app.databaseUrl
assert.ok(databaseUrl)
await multiply(databaseUrl, ROWS)
// What was placed long ago is counted by the panels; of what they do not count yet there is little at any time.
await withClient(databaseUrl, (client) =>
  client.query(`update panel.reservations set placed_at = placed_at - interval '1 day'`),
)
// What is not large enough for an index to be worth it would be when it is.
const { plans } = await explained(app, { enable_seqscan: 'off' })

/** Of these all of it is asked for: it is streamed in pages, or one figure comes of it. */
const READ_ALL = /^\/v1\/admin\/(reports\/|dashboard|affiliates\/payouts|nodes)|\/export$/

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function pathOf(url: string): string {
  const seen: string[] = []
  return url
    .split('/')
    .map((part) => {
      seen.push(part)
      return part.startsWith(':') ? encodeURIComponent(objects.get(seen.join('/')) ?? part) : part
    })
    .join('/')
}

function callerOf(url: string, access: unknown): Client {
  if (access === 'daemon') return app.as(daemons.own)
  if (access === 'bot') return bot
  return access === 'admin' || url.startsWith('/v1/admin') ? admin : owner
}

/** The statements since the last question that read a large part of a table. */
function largeReads(): string[] {
  return plans.splice(0).flatMap((plan) => {
    const tables = readsMuch(plan, MOST)
    return tables.length > 0 ? [`${tables.join(', ')}: ${plan['Query Text'].slice(0, 400)}`] : []
  })
}

const routes = app.routes.filter(({ method, url, config }) => {
  return method === 'GET' && !config.hidden && !READ_ALL.test(url) && !url.endsWith('/stream')
})
for (const { url, config } of routes) {
  test(`GET ${url} reads no large part of a table`, async () => {
    largeReads()
    await callerOf(url, config.access).get(pathOf(url))
    assert.deepEqual(largeReads(), [])
  })
}

/** The oldest of the audit log are judged, and 500 members with all their roles compared, at a time. */
const IN_LARGE_BATCHES = [
  'audit.entries: select max(sequence)',
  'bot.grants: select "discord_id", "guild_id", "role_id", "user_id"',
]

test('looking for what the time has made due reads no large part of a table', async () => {
  // The copies of entries that wait for the audit log are written in several runs.
  await until('no entry waits for the audit log', async () => {
    await (await app.deps.queue.runSchedules()).ended
    const { rows } = await app.deps.database.execute('select from audit.pending limit 1')
    return rows.length === 0
  })
  largeReads()
  await (await app.deps.queue.runSchedules()).ended
  const reads = largeReads().filter((it) => !IN_LARGE_BATCHES.some((start) => it.startsWith(start)))
  assert.deepEqual(reads, [])
})
