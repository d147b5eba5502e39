import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { newId } from '#lib/id.ts'
import { instant } from '#lib/time.ts'
import {
  asTenant,
  type Db,
  isUniqueViolation,
  json,
  type Tx,
  transact,
} from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'

const app = await testApp(null)
const { database } = app.deps
const ours = database.of(app.tenantId)
const other = database.of(newId())

const row = (callerId: string) => ({
  tenantId: app.tenantId,
  callerId,
  key: 'k',
  requestHash: Buffer.from('x'),
  createdAt: instant('2030-01-08T09:15:00.120Z'),
  lockedUntil: instant('2030-01-08T09:15:00Z'),
  headers: json({ location: '/here' }),
})

test('instants, JSON and bytes come back as they went in', async () => {
  const callerId = newId()
  await transact(ours, (tx) =>
    tx.insertInto('platform.idempotency_keys').values(row(callerId)).execute(),
  )
  const found = await ours
    .selectFrom('platform.idempotency_keys')
    .selectAll()
    .where('callerId', '=', callerId)
    .executeTakeFirstOrThrow()
  assert.equal(found.createdAt, '2030-01-08T09:15:00.120Z')
  assert.equal(found.lockedUntil, '2030-01-08T09:15:00.000Z')
  assert.deepEqual(found.headers, { location: '/here' })
  assert.deepEqual(found.requestHash, Buffer.from('x'))
  assert.equal(found.statusCode, null)
})

test('row-level security alone hides another tenant, and refuses its rows', async () => {
  const callerId = newId()
  await transact(ours, (tx) =>
    tx.insertInto('platform.idempotency_keys').values(row(callerId)).execute(),
  )
  const seen = await other.selectFrom('platform.idempotency_keys').selectAll().execute()
  assert.deepEqual(seen, [])
  const foreign = transact(other, (tx) =>
    tx.insertInto('platform.idempotency_keys').values(row(newId())).execute(),
  )
  await assert.rejects(foreign, /row-level security/)
  await transact(other, (tx) => tx.deleteFrom('platform.idempotency_keys').execute())
  const left = await ours.selectFrom('platform.idempotency_keys').selectAll().execute()
  assert.ok(left.some((it) => it.callerId === callerId))
})

test('a part of a transaction that runs as another tenant sees and writes its rows only', async () => {
  const [mine, theirs] = [newId(), newId()]
  const tenantId = newId()
  const keysIn = async (tx: Tx) => {
    const rows = await tx.selectFrom('platform.idempotency_keys').select('callerId').execute()
    return rows.map(({ callerId }) => callerId)
  }
  await transact(ours, async (tx) => {
    await tx.insertInto('platform.idempotency_keys').values(row(mine)).execute()
    await asTenant(tx, tenantId, async () => {
      const foreign = { ...row(theirs), tenantId }
      await tx.insertInto('platform.idempotency_keys').values(foreign).execute()
      assert.deepEqual(await keysIn(tx), [theirs])
    })
    assert.ok((await keysIn(tx)).includes(mine))
    assert.ok(!(await keysIn(tx)).includes(theirs))
  })
  const failed = transact(ours, (tx) =>
    asTenant(tx, tenantId, () => Promise.reject(new Error('given up'))),
  )
  await assert.rejects(failed, /given up/)
  const seen = await ours.selectFrom('platform.idempotency_keys').select('callerId').execute()
  assert.ok(seen.every(({ callerId }) => callerId !== theirs))
  assert.ok(seen.some(({ callerId }) => callerId === mine))
})

test('a refused double is told from other errors', async () => {
  const callerId = newId()
  const insert = () =>
    transact(ours, (tx) =>
      tx.insertInto('platform.idempotency_keys').values(row(callerId)).execute(),
    )
  await insert()
  await assert.rejects(insert(), (error) => isUniqueViolation(error, 'idempotency_keys_pkey'))
})

test('a failed transaction leaves nothing, and its connection is good again', async () => {
  const callerId = newId()
  const work = transact(ours, async (tx) => {
    await tx.insertInto('platform.idempotency_keys').values(row(callerId)).execute()
    await tx.insertInto('platform.idempotency_keys').values(row(callerId)).execute()
  })
  await assert.rejects(work)
  const found = await ours
    .selectFrom('platform.idempotency_keys')
    .selectAll()
    .where('callerId', '=', callerId)
    .execute()
  assert.deepEqual(found, [])
})

const REFUSED = sql`select 1 / 0`
const given = new Error('given up')

test('what is still asked for in a transaction that has failed is not run', async () => {
  const reads: Promise<unknown>[] = []
  const work = transact(ours, (tx) => {
    const refused = REFUSED.execute(tx)
    for (let read = 0; read < 5; read += 1) {
      reads.push(tx.selectFrom('platform.idempotency_keys').select('key').execute())
    }
    return Promise.all([refused, ...reads])
  })
  await assert.rejects(work, /division by zero/)
  const ends = await Promise.allSettled(reads)
  assert.deepEqual(new Set(ends.map(({ status }) => status)), new Set(['rejected']))
})

/** What a transaction or a statement can come to; all but the last two change nothing. */
const ends: Record<string, (db: Db) => Promise<unknown>> = {
  'a statement that fails': (db) => REFUSED.execute(db as Tx),
  'a transaction that does nothing': (db) => transact(db, async () => {}),
  'a transaction whose work fails before its first statement': (db) =>
    transact(db, () => Promise.reject(given)),
  'a transaction whose first statement fails': (db) => transact(db, (tx) => REFUSED.execute(tx)),
  'a transaction that is given up': (db) =>
    transact(db, async (tx) => {
      await sql`select 1`.execute(tx)
      throw given
    }),
  'a transaction that ignores a failure': (db) =>
    transact(db, async (tx) => {
      await REFUSED.execute(tx).catch(() => {})
    }),
  'a statement that goes well': (db) => sql`select 1`.execute(db as Tx),
  'a transaction that goes well': (db) => transact(db, (tx) => sql`select 1`.execute(tx)),
}

for (const [what, run] of Object.entries(ends)) {
  test(`after ${what} a connection shows the rows of whoever asks next`, async () => {
    await transact(ours, (tx) =>
      tx.insertInto('platform.idempotency_keys').values(row(newId())).execute(),
    )
    const seesRows = async (db: Db) => {
      const rows = await db.selectFrom('platform.idempotency_keys').select('key').execute()
      return rows.length > 0
    }
    for (const before of [ours, other]) {
      for (const who of [ours, other]) {
        for (const next of [ours, other]) {
          await seesRows(before)
          await run(who).catch(() => {})
          assert.equal(await seesRows(next), next === ours)
        }
      }
    }
  })
}

test('a handle that reads has no member through which it could write', () => {
  // The types say it: another member, and each of these calls, no longer compiles.
  const members: Record<keyof Db, true> = { selectFrom: true, selectNoFrom: true, fn: true }
  const refused = [
    // @ts-expect-error: a common table expression may write.
    (db: Db) => db.with('gone', (it) => it.deleteFrom('platform.idempotency_keys')),
    // @ts-expect-error: so may one that refers to itself.
    (db: Db) => db.withRecursive('gone', (it) => it.deleteFrom('platform.idempotency_keys')),
    // @ts-expect-error: raw SQL may do anything.
    (db: Db) => sql`delete from platform.idempotency_keys`.execute(db),
    // @ts-expect-error: a transaction is begun by `transact`.
    (db: Db) => db.transaction(),
    // @ts-expect-error: a connection could be told anything.
    (db: Db) => db.connection(),
  ]
  assert.deepEqual(Object.keys(members).sort(), ['fn', 'selectFrom', 'selectNoFrom'])
  assert.equal(refused.length, 5)
})
