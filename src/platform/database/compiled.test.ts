import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { newId } from '#lib/id.ts'
import { testApp } from '#test/app.ts'
import { compiledPage, DEFAULT_LIMIT } from '../page.ts'
import { compiled } from './compiled.ts'
import { type Db, transact } from './index.ts'

const { deps, tenantId } = await testApp(null)
const db = deps.database.of(tenantId)

const namesOf = compiled((it, { ids }: { ids: string[] }) =>
  it.selectFrom('tenants.tenants').select('name').where('id', '=', sql<string>`any(${ids})`),
)

test('a compiled read answers for the values of each run', async () => {
  assert.equal((await namesOf(db, { ids: [tenantId] })).length, 1)
  assert.deepEqual(await namesOf(db, { ids: [newId()] }), [])
})

test('a compiled read in a transaction sees what the transaction wrote', async () => {
  await transact(db, async (tx) => {
    await tx.updateTable('tenants.tenants').set({ name: 'Renamed' }).execute()
    assert.deepEqual(await namesOf(tx, { ids: [tenantId] }), [{ name: 'Renamed' }])
  })
})

test('a compiled read that would lose its values in a rest is refused', () => {
  const careless = compiled((it, { ...values }: { id: string }) =>
    it.selectFrom('tenants.tenants').select('name').where('id', '=', values.id),
  )
  assert.throws(() => careless(db, { id: tenantId }), /names its values/)
})

test('a compiled list goes on after its cursor, like any other', async () => {
  const ids = Array.from({ length: 5 }, newId)
  const at = deps.clock.now()
  await transact(db, async (tx) => {
    const rows = ids.map((id) => ({ tenantId, id, slug: id, name: id, createdAt: at }))
    await tx.insertInto('store.categories').values(rows).execute()
  })
  const categories = compiledPage((it: Db, values: { tenantId: string }) =>
    it.selectFrom('store.categories').select('id').where('tenantId', '=', values.tenantId),
  )
  const first = await categories(db, { tenantId }, { limit: 3 })
  const last = await categories(db, { tenantId }, { limit: 3, cursor: first.nextCursor ?? '' })
  assert.deepEqual(
    [...first.data, ...last.data].map(({ id }) => id),
    ids.toReversed(),
  )
  assert.equal(last.nextCursor, null)
})

test('a compiled list of the usual length goes on after its cursor too, and ends', async () => {
  const count = DEFAULT_LIMIT + 2
  const ids = Array.from({ length: count }, newId)
  const createdAt = deps.clock.now()
  await transact(db, async (tx) => {
    const rows = ids.map((id) => ({ tenantId, id, slug: id, name: 'Usual', createdAt }))
    await tx.insertInto('store.categories').values(rows).execute()
  })
  const categories = compiledPage((it: Db, values: { tenantId: string }) =>
    it
      .selectFrom('store.categories')
      .select('id')
      .where('tenantId', '=', values.tenantId)
      .where('name', '=', 'Usual'),
  )
  const first = await categories(db, { tenantId }, {})
  assert.equal(first.data.length, DEFAULT_LIMIT)
  const last = await categories(db, { tenantId }, { cursor: first.nextCursor ?? '' })
  assert.deepEqual(
    [...first.data, ...last.data].map(({ id }) => id),
    ids.toReversed(),
  )
  assert.equal(last.nextCursor, null)
})
