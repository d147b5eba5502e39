import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { newId } from '#lib/id.ts'
import { instant } from '#lib/time.ts'
import { testApp } from '#test/app.ts'
import { compiled } from './compiled.ts'
import { type Db, json, transact } from './index.ts'

const app = await testApp(null)
const { database } = app.deps
const ours = database.of(app.tenantId)
const other = database.of(newId())

const quotient = compiled((db, { divisor }: { divisor: number }) =>
  db.selectNoFrom(sql<number>`12 / ${divisor}::int`.as('quotient')),
)
const keys = compiled((db, { key }: { key: string }) =>
  db.selectFrom('platform.idempotency_keys').select('callerId').where('key', '=', key),
)

/** Which transaction a statement ran in: every one holds the lock of its own virtual number. */
const transaction = compiled((db, { divisor }: { divisor: number }) =>
  db.selectNoFrom([
    sql<string>`(
      select virtualtransaction from pg_locks where locktype = 'virtualxid' and pid = pg_backend_pid()
    )`.as('transaction'),
    sql<number>`${divisor}::int`.as('divisor'),
  ]),
)

const quotients = async (db: Db, divisors: readonly number[]) => {
  const all = await Promise.allSettled(divisors.map((divisor) => quotient(db, { divisor })))
  return all.map((it) => (it.status === 'fulfilled' ? it.value[0]?.quotient : it.reason.code))
}

test('reads that are asked for at the same time go in one piece, each with its own answer', async () => {
  const divisors = [1, 2, 3, 4]
  const together = await Promise.all(divisors.map((divisor) => transaction(ours, { divisor })))
  const read = together.flat()
  assert.deepEqual(
    read.map(({ divisor }) => divisor),
    divisors,
  )
  assert.equal(new Set(read.map((it) => it.transaction)).size, 1)
  const [later] = await transaction(ours, { divisor: 5 })
  assert.notEqual(later?.transaction, read[0]?.transaction)
})

test('more reads than go together are answered all the same', async () => {
  const divisors = Array.from({ length: 50 }, (_, index) => (index % 12) + 1)
  const expected = divisors.map((it) => Math.floor(12 / it))
  assert.deepEqual(await quotients(ours, divisors), expected)
})

test('a read that fails fails alone', async () => {
  const divisionByZero = '22012'
  assert.deepEqual(await quotients(ours, [1, 0, 3]), [12, divisionByZero, 4])
  assert.deepEqual(await quotients(other, [0, 0, 3]), [divisionByZero, divisionByZero, 4])
})

test('statements that no connection has prepared yet are prepared once in a piece', async () => {
  const fresh = compiled((db, { divisor }: { divisor: number }) =>
    db.selectNoFrom(sql<number>`24 / ${divisor}::int`.as('quotient')),
  )
  const all = await Promise.all([1, 2, 3].map((divisor) => fresh(ours, { divisor })))
  assert.deepEqual(all.flat(), [{ quotient: 24 }, { quotient: 12 }, { quotient: 8 }])
})

test('two tenants that ask at the same time see their own rows only', async () => {
  const [callerId, key] = [newId(), newId()]
  const at = instant('2030-01-08T09:15:00Z')
  const row = { tenantId: app.tenantId, callerId, key, requestHash: Buffer.from('x') }
  await transact(ours, (tx) =>
    tx
      .insertInto('platform.idempotency_keys')
      .values({ ...row, createdAt: at, lockedUntil: at, headers: json({}) })
      .execute(),
  )
  for (const asked of [
    [ours, other, ours],
    [other, ours, other],
  ]) {
    const seen = await Promise.all(asked.map((db) => keys(db, { key })))
    assert.deepEqual(
      seen,
      asked.map((db) => (db === ours ? [{ callerId }] : [])),
    )
  }
})
