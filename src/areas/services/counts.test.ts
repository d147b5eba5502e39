import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { gameShop } from '#test/game-shop.ts'
import { faults } from '#test/imports.ts'
import { countServices } from './queries.ts'
import { statusOf } from './rules.ts'

const shop = await gameShop()
const { app, db, tenantId, nodeId } = shop
const { database, clock } = app.deps
const { plan } = await shop.server()
for (let bought = 0; bought < 3; bought += 1) {
  const customer = await shop.customer()
  await shop.buy(customer, plan.id)
  await shop.serviceBecame(customer, 'active')
}
await shop.order(await shop.customer(), plan.id)
await shop.quiet()

/** What the trigger keeps, and what the rules say of each service. */
async function figures() {
  const rows = await db.selectFrom('services.services').selectAll().execute()
  const counted = Map.groupBy(rows, (it) => `${it.nodeId} ${statusOf(it)}`)
  return {
    kept: (await countServices(db, tenantId))
      .map((it) => `${it.nodeId} ${it.status} ${it.services}`)
      .sort(),
    rows: [...counted].map(([key, those]) => `${key} ${those.length}`).sort(),
  }
}

type Change = Readonly<Record<string, string | null>>
const now = clock.now()
const RUNNING: Change = { suspendedAt: null, endedAt: null, endReason: null }
const CHANGES: readonly (readonly [name: string, change: Change])[] = [
  ['are suspended', { suspendedAt: now }],
  ['are resumed', { suspendedAt: null }],
  ['are renamed', { name: 'Another name' }],
  ['leave their panel', { nodeId: null }],
  ['come to a panel', { nodeId }],
  ['end', { endedAt: now, endReason: 'terminated' }],
  ['are as before', RUNNING],
]

for (const [name, change] of CHANGES) {
  test(`the numbers of services are those of their states when services ${name}`, async () => {
    const [changed] = await transact(database.of(tenantId), (tx) =>
      tx
        .updateTable('services.services')
        .set(change)
        .where('activatedAt', 'is not', null)
        .execute(),
    )
    assert.equal(changed?.numUpdatedRows, 3n)
    const { kept, rows } = await figures()
    assert.equal(rows.length, 2)
    assert.deepEqual(kept, rows)
  })
}

test('they are right after a change that is undone, and for another tenant there are none', async () => {
  const undone = transact(database.of(tenantId), async (tx) => {
    await tx.updateTable('services.services').set({ suspendedAt: now }).execute()
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  const { kept, rows } = await figures()
  assert.deepEqual(kept, rows)
  const other = '01900000-0000-7000-8000-000000000001'
  assert.deepEqual(await countServices(database.of(other), other), [])
})

test('the doctor finds a number that is not that of the services', async () => {
  const found = async () => (await faults(app)).filter((it) => /number of/.test(it))
  assert.deepEqual(await found(), [])
  const change = (by: number) =>
    database.execute(
      `update services.counts set services = services + ${by} where status = 'active'`,
    )
  await change(2)
  assert.deepEqual(await found(), [
    `Tenant ${tenantId}: The number of active services of panel connection ${nodeId} is kept as 5, and there are 3.`,
  ])
  await change(-2)
  assert.deepEqual(await found(), [])
})
