import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { apiKey, person } from '#test/people.ts'
import { hashAfter } from './chain.ts'
import { listChain } from './queries.ts'
import { type Verification, verifyChain } from './verification.ts'

const app = await testApp(null)
const auditor = await person(app, { permissions: ['audit:read'] })
const LOGS = '/v1/admin/audit-logs'
const db = app.deps.database

class Undone extends Error {}

/** What the check finds after somebody with the owner's rights forged entries; all of it is undone. */
async function tampered(...statements: string[]): Promise<Verification> {
  let found: Verification | undefined
  const forging = transact(db.of(app.tenantId), async (tx) => {
    const owner = ['reset role', 'alter table audit.entries disable trigger append_only']
    for (const statement of [...owner, ...statements]) await sql.raw(statement).execute(tx)
    found = await verifyChain(tx, app.tenantId)
    throw new Undone()
  })
  await assert.rejects(forging, Undone)
  if (!found) throw new Error('Nothing was checked')
  return found
}

async function chained(): Promise<void> {
  await until('everything to be chained', async () => {
    const { rows } = await db.execute('select count(*)::int as waiting from audit.pending')
    if (rows[0]?.waiting === 0) return true
    await app.deps.queue.runSchedules()
    return false
  })
}

async function verified() {
  return (await auditor.get(`${LOGS}/verify`)).body
}

async function fill(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await auditor.get(LOGS)
  await chained()
}

test('a chain that nobody touched is valid to its end', async () => {
  await fill(5)
  const { valid, entries, head } = await verified()
  assert.equal(valid, true)
  assert.ok(entries >= 5)
  assert.equal(head.sequence, entries)
})

const FORGERIES = [
  [
    'a changed entry',
    `update audit.entries set status_code = 418 where sequence = 3`,
    'changed',
    3,
  ],
  [
    'another actor',
    `update audit.entries set actor_id = '00000000-0000-7000-8000-000000000000' where sequence = 2`,
    'changed',
    2,
  ],
  ['a removed entry', `delete from audit.entries where sequence = 3`, 'missing', 3],
  [
    'a changed address',
    `update audit.personal set address = '192.0.2.1' where id =
       (select id from audit.entries where sequence = 4)`,
    'personal_changed',
    4,
  ],
] as const

for (const [what, statement, reason, brokenAt] of FORGERIES) {
  test(`${what} breaks the chain where it is`, async () => {
    await fill(5)
    const found = await tampered(statement)
    assert.equal(found.valid, false)
    assert.equal(found.reason, reason)
    assert.equal(found.brokenAt, brokenAt)
  })
}

test('an entry that lost its personal part breaks the chain where it is', async () => {
  await fill(5)
  const { valid, brokenAt, reason } = await tampered(
    'delete from audit.personal where id = (select id from audit.entries where sequence = 3)',
  )
  assert.deepEqual(
    { valid, brokenAt, reason },
    { valid: false, brokenAt: 3, reason: 'personal_changed' },
  )
})

test('an entry whose own hash was made again breaks the chain after it', async () => {
  await fill(5)
  const rows = await listChain(db.everywhere, app.tenantId, 1, 2)
  const [before, entry] = rows
  assert.ok(before && entry)
  const { hash, salt: _salt, address: _address, ...content } = entry
  const forged = hashAfter(before.hash, { ...content, statusCode: 418 }).toString('hex')
  const { sequence } = entry
  const { valid, brokenAt } = await tampered(
    `update audit.entries set status_code = 418, hash = '\\x${forged}'
     where sequence = ${sequence}`,
  )
  assert.deepEqual({ valid, brokenAt }, { valid: false, brokenAt: sequence + 1 })
  assert.equal((await verified()).valid, true)
})

test('an entry put in between breaks the chain', async () => {
  await fill(5)
  const { valid, brokenAt } = await tampered(
    'update audit.entries set sequence = sequence + 1000000 where sequence > 2',
    'update audit.entries set sequence = sequence - 999999 where sequence > 1000000',
    `insert into audit.entries select tenant_id, 3, gen_random_uuid(), actor_id, actor_kind, via,
       credential_id, impersonator_id, method, route, object_id, request_id, changed, status_code,
       occurred_at, personal_hash, hash from audit.entries where sequence = 2`,
  )
  assert.deepEqual({ valid, brokenAt }, { valid: false, brokenAt: 3 })
  assert.equal((await verified()).valid, true)
})

test('entries cut off at the end are missed', async () => {
  await fill(2)
  const { valid, reason } = await tampered(
    'delete from audit.entries where sequence = (select max(sequence) from audit.entries)',
  )
  assert.deepEqual({ valid, reason }, { valid: false, reason: 'cut_off' })
})

test('the service itself can neither change nor remove an entry (hardening 55)', async () => {
  await fill(1)
  const statements = ['update audit.entries set status_code = 1', 'delete from audit.entries']
  for (const statement of statements) await assert.rejects(db.execute(statement))
})

test('an address is cut to its network after a year, and the chain stays valid', async () => {
  await fill(1)
  await app.advance(366 * 24 * 3600)
  const addresses = await until('short addresses', async () => {
    const { rows } = await db.execute(
      'select distinct address from audit.personal where reduced_at is not null',
    )
    return rows.length > 0 && rows
  })
  assert.deepEqual(addresses, [{ address: '127.0.0.0' }])
  const later = await person(app, { permissions: ['audit:read'] })
  assert.equal((await later.get(`${LOGS}/verify`)).body.valid, true)
})

test('neither the log nor the database of it holds a secret of a request (hardening 55)', async () => {
  const ada = await person(app, { admin: true })
  const key = await apiKey(app, ada, { permission: 'read-write' })
  const secret = 'a secret nobody may keep'
  await app.post('/v1/auth/login', { email: ada.email, password: secret })
  await app.post('/v1/auth/password/reset', { token: secret, password: secret })
  await ada.post('/v1/users/me/password', { currentPassword: secret, newPassword: secret })
  await key.get('/v1/admin/users')
  await chained()
  const secrets = [secret, ada.token, ada.refreshToken, key.key]
  for (const text of secrets) {
    const { rows } = await db.execute(
      `select (select count(*) from audit.entries e where e::text like $1)
            + (select count(*) from audit.personal p where p::text like $1) as found`,
      [`%${text}%`],
    )
    assert.deepEqual(rows, [{ found: 0 }])
  }
})
