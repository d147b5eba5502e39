import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'
import { chainWaiting } from './jobs.ts'

const ENTRIES = 31_000
const app = await testApp(null)
const auditor = await person(app, { permissions: ['audit:read'] })
const { tenantId } = app
const { database, clock } = app.deps

test('a chain of 31,000 entries is verified in pages, between which other requests are answered', async () => {
  await transact(database.of(tenantId), (tx) =>
    sql`insert into audit.pending (tenant_id, id, actor_id, actor_kind, via, method, route, request_id,
        changed, status_code, address, occurred_at)
      select ${tenantId}, gen_random_uuid(), ${auditor.userId}, 'user', 'session', 'GET', '/v1/admin/audit-logs',
        'request-' || number, false, 200, '192.0.2.1', now()
      from generate_series(1, ${ENTRIES}::int) as number`.execute(tx),
  )
  await chainWaiting(database.everywhere, clock.now())
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const startMs = performance.now()
  let isVerified = false
  const verifying = auditor.get('/v1/admin/audit-logs/verify').finally(() => {
    isVerified = true
  })
  let turns = 0
  function turn() {
    turns += 1
    if (!isVerified) setImmediate(turn)
  }
  setImmediate(turn)
  let answered = 0
  while (!isVerified) {
    await app.get('/v1/health/live')
    answered += 1
  }
  const { body } = await verifying
  const tookMs = Math.round(performance.now() - startMs)
  delay.disable()
  const longestMs = Math.round(delay.max / 1e6)
  assert.deepEqual([body.valid, body.entries >= ENTRIES], [true, true])
  process.stdout.write(
    `Verified ${body.entries} entries in ${tookMs} ms, the longest wait was ${longestMs} ms.\n`,
  )
  // One turn of the event loop per page at least: the process does not read or hash the chain in one piece.
  assert.ok(turns >= ENTRIES / 1000, `${turns} turns of the event loop meanwhile`)
  // An answer takes some turns.
  assert.ok(answered >= 5, `${answered} requests were answered meanwhile`)
  assert.ok(longestMs < tookMs / 4, `${longestMs} of ${tookMs} ms without an answer`)
})
