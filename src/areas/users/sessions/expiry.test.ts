import assert from 'node:assert/strict'
import { test } from 'node:test'
import { later } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'
import { deleteEnded, type Expiring } from './expiry.ts'

const app = await testApp(null)
const DAY_SECONDS = 86_400

async function countOf(table: Expiring, tenantId = app.tenantId): Promise<number> {
  const { rows } = await app.deps.database.execute(
    `select count(*)::int as count from ${table} where tenant_id = $1`,
    [tenantId],
  )
  return Number(rows[0]?.count)
}

/** A person with a session, and a passkey's challenge that is never answered. */
async function leaveTraces() {
  await person(app)
  await app.post('/v1/auth/passkeys/options', {})
}

test('each kind of thing that ends is forgotten a while after its end, and not before', async () => {
  await leaveTraces()
  await app.advance(3600)
  assert.ok((await countOf('users.sessions')) > 0)
  assert.ok((await countOf('users.passkey_challenges')) > 0)
  await app.advance(62 * DAY_SECONDS)
  for (const table of ['users.sessions', 'users.passkey_challenges'] as const) {
    await app.eventually(`${table} is empty`, async () => (await countOf(table)) === 0)
  }
})

test('a batch deletes no more than it may, and every kind knows when it ends', async () => {
  await leaveTraces()
  await leaveTraces()
  const db = app.deps.database.of(app.tenantId)
  const before = later(app.deps.clock.now(), 365 * DAY_SECONDS * 1000)
  assert.equal(await transact(db, (tx) => deleteEnded(tx, 'users.sessions', before, 1)), 1)
  assert.equal(await countOf('users.sessions'), 1)
  const tables: Expiring[] = [
    ...(['users.sessions', 'users.email_tokens', 'users.pending_sign_ins'] as const),
    ...(['users.passkey_challenges', 'users.connection_starts'] as const),
  ]
  for (const table of tables) {
    await transact(db, (tx) => deleteEnded(tx, table, before, 500))
    assert.equal(await countOf(table), 0, table)
  }
})
