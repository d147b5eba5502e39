import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { testApp } from '#test/app.ts'
import { transact } from './index.ts'
import { snakeCase } from './statement.ts'

const { deps, tenantId } = await testApp(null)
const db = deps.database.of(tenantId)

/** The only value of a statement's only row. */
async function readBack(expression: string): Promise<unknown> {
  const { rows } = await transact(db, (tx) =>
    sql<{ itsValue: unknown }>`select ${sql.raw(expression)} as its_value`.execute(tx),
  )
  return rows[0]?.itsValue
}

const lists: [string, unknown][] = [
  [`'{}'::text[]`, []],
  [`array['view', 'power']`, ['view', 'power']],
  [`array['a,b', 'say "no"', 'back\\slash', '{}']`, ['a,b', 'say "no"', 'back\\slash', '{}']],
  [`array['NULL', null, '']`, ['NULL', null, '']],
  [`array[array['a'], array['b']]`, [['a'], ['b']]],
]

for (const [expression, expected] of lists) {
  test(`${expression} is read as the list it is`, async () => {
    assert.deepEqual(await readBack(expression), expected)
  })
}

test('a number too large to be exact is an error, and the connection is good again', async () => {
  await assert.rejects(readBack(`'9007199254740993'::bigint`), /Too large to be exact/)
  assert.equal(await readBack(`'9007199254740991'::bigint`), 9007199254740991)
})

const names = [
  ['paidAt', 'paid_at'],
  ['billing.taxRates', 'billing.tax_rates'],
  ['sha256Hash', 'sha256_hash'],
  ['hasVAT', 'has_vat'],
  ['URLOf', 'urlof'],
] as const

for (const [name, written] of names) {
  test(`${name} is ${written} in the database`, () => {
    assert.equal(snakeCase(name), written)
  })
}

test('a quote in a name stays in the name', async () => {
  const { rows } = await transact(db, (tx) =>
    sql<{ 'it"s': number }>`select 1 as ${sql.id('it"s')}`.execute(tx),
  )
  assert.deepEqual(rows, [{ 'it"s': 1 }])
})
