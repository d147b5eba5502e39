import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { newId } from '#lib/id.ts'
import { DAY_MS, later } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { clientFor } from '#test/client.ts'
import { person } from '#test/people.ts'
import { chainWaiting } from './jobs.ts'
import { insertPending, pruneEntries, reduceAddresses } from './queries.ts'
import { verifyChain } from './verification.ts'

const app = await testApp(null, { config: { trustProxy: ['127.0.0.1'] } })
const { tenantId } = app
const { database, clock } = app.deps
const db = database.of(tenantId)
const auditor = await person(app, { permissions: ['audit:read'] })
const LOGS = '/v1/admin/audit-logs'

/** Chains entries that are so many days old, oldest first. */
async function chained(daysAgo: readonly number[], address = '203.0.113.77'): Promise<void> {
  const now = clock.now()
  await transact(db, async (tx) => {
    for (const days of daysAgo) {
      await insertPending(tx, {
        ...{ tenantId, id: newId(), actorId: null, actorKind: null, via: null },
        ...{ credentialId: null, impersonatorId: null, method: 'POST', route: '/v1/test' },
        ...{ objectId: null, requestId: `=cmd|${days}`, changed: true, statusCode: 200, address },
        occurredAt: later(now, -days * DAY_MS),
      })
    }
  })
  await chainWaiting(database.everywhere, now)
}

function prune(limit: number, days: number): Promise<number> {
  const now = clock.now()
  const before = later(now, -days * DAY_MS)
  return transact(db, (tx) => pruneEntries(tx, { tenantId, before, limit }, now))
}

test('the oldest entries go, and what is left still verifies', async () => {
  await chained([400, 390, 380, 10, 370, 5])
  const whole = await verifyChain(db, tenantId)
  assert.deepEqual([whole.valid, whole.prunedTo], [true, null])
  assert.equal(await prune(2, 100), 2)
  assert.equal(await prune(2, 100), 1)
  // The one that is old as well stands behind a younger one, and waits for that.
  assert.equal(await prune(2, 100), 0)
  const { valid, entries, prunedTo, head } = await verifyChain(db, tenantId)
  assert.deepEqual([valid, entries, prunedTo?.sequence], [true, whole.entries - 3, 3])
  assert.equal(head.sequence, whole.head.sequence)
  const { rows } = await database.execute(
    `select (select count(*)::int from audit.entries) as entries,
            (select count(*)::int from audit.personal) as personal`,
  )
  assert.equal(rows[0]?.entries, rows[0]?.personal)
})

test('an entry taken from the beginning without the prune is missed', async () => {
  await chained([3, 2, 1])
  class Undone extends Error {}
  await assert.rejects(
    transact(db, async (tx) => {
      await sql`reset role`.execute(tx)
      await sql`alter table audit.entries disable trigger append_only`.execute(tx)
      await sql`delete from audit.entries where sequence =
        (select min(sequence) from audit.entries)`.execute(tx)
      const { valid, reason } = await verifyChain(tx, tenantId)
      assert.deepEqual([valid, reason], [false, 'missing'])
      throw new Undone()
    }),
    Undone,
  )
})

test('the service deletes nothing itself, whatever it says it is doing (hardening 55)', async () => {
  await chained([1])
  const statements = [
    `set audit.pruning = 'on'; delete from audit.entries`,
    `set audit.pruning = 'on'; update audit.entries set status_code = 1`,
    'truncate audit.entries',
    'alter table audit.entries disable trigger append_only',
    'drop trigger append_only on audit.entries',
  ]
  for (const statement of statements) await assert.rejects(database.execute(statement), statement)
  await database.execute('reset audit.pruning')
  assert.equal((await verifyChain(db, tenantId)).valid, true)
})

const NETWORKS = [
  ['198.51.100.77', '198.51.100.0'],
  ['2001:db8:1234:5678::9', '2001:db8:1234::'],
] as const

for (const [address, network] of NETWORKS) {
  test(`${address} is cut to ${network} (R8.4)`, async () => {
    await chained([500], address)
    const now = clock.now()
    const old = { before: later(now, -365 * DAY_MS), limit: 100 }
    assert.ok((await transact(database.everywhere, (tx) => reduceAddresses(tx, old, now))) > 0)
    const { rows } = await database.execute(
      'select count(*)::int as count from audit.personal where address = $1',
      [network],
    )
    assert.equal(rows[0]?.count, 1)
    assert.equal((await verifyChain(db, tenantId)).valid, true)
  })
}

test('what a proxy makes up as an address is not kept, and holds nothing up', async () => {
  const headers = { authorization: `Bearer ${auditor.token}`, 'x-forwarded-for': 'not an address' }
  const route = '/v1/admin/audit-logs/verify'
  await clientFor(app.url, headers).get(route)
  const [entry] = (await auditor.get(`${LOGS}?route=${route}`)).body.data
  assert.equal(entry.address, null)
})

test('the log goes out as CSV in batches, newest first, with nothing a sheet would run (hardening 31)', async () => {
  await chained(Array.from({ length: 620 }, () => 2))
  const { status, headers, text } = await auditor.get(`${LOGS}/export?route=/v1/test&method=POST`)
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^text\/csv/)
  const [head, ...lines] = text.trimEnd().split('\r\n')
  assert.match(head ?? '', /^createdAt,sequence,id,actorId/)
  assert.ok(lines.length >= 620)
  assert.equal(new Set(lines.map((line) => line.split(',')[2])).size, lines.length)
  for (const line of lines) assert.match(line, /,"'=cmd\|\d+",true,,200,/)
  const sequences = lines.map((line) => Number(line.split(',')[1]))
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => b - a),
  )
})

test('a bad filter of the export is a 400, and HEAD reads nothing', async () => {
  assert.equal((await auditor.get(`${LOGS}/export?from=never`)).status, 400)
  assert.equal((await auditor.get(`${LOGS}/export?actorId=x`)).status, 400)
  assert.equal((await auditor.request('HEAD', `${LOGS}/export`)).status, 200)
})

test('what a tenant keeps no longer goes by itself', async () => {
  await chained([1])
  const before = await verifyChain(db, tenantId)
  await app.advance(61 * 31 * 24 * 3600)
  await until('the beginning to have moved', async () => {
    const { prunedTo } = await verifyChain(db, tenantId)
    return (prunedTo?.sequence ?? 0) >= before.head.sequence
  })
  assert.equal((await verifyChain(db, tenantId)).valid, true)
})
