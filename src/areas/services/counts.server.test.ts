import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { gameShop } from '#test/game-shop.ts'
import { countServices } from './queries.ts'

const shop = await gameShop()
const { app, db, tenantId } = shop
const { database, clock } = app.deps
const { plan } = await shop.server()
for (let bought = 0; bought < 2; bought += 1) {
  const customer = await shop.customer()
  await shop.buy(customer, plan.id)
  await shop.serviceBecame(customer, 'active')
}
await shop.quiet()

test('who counts a service waits for no other, and what is undone is not counted', async () => {
  const [first, second] = await db.selectFrom('services.services').select('id').execute()
  assert.ok(first && second)
  const ended = { endedAt: clock.now(), endReason: 'terminated' } as const
  const end = (id: string) =>
    transact(database.of(tenantId), (tx) =>
      tx.updateTable('services.services').set(ended).where('id', '=', id).execute(),
    )
  const numbers = async () =>
    Object.fromEntries(
      (await countServices(db, tenantId)).map(({ status, services }) => [status, services]),
    )
  const undone = transact(database.of(tenantId), async (tx) => {
    await tx.updateTable('services.services').set(ended).where('id', '=', first.id).execute()
    // This one holds the numbers so far; the other one ends before it.
    await end(second.id)
    assert.deepEqual(await numbers(), { active: 1, ended: 1 })
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  assert.deepEqual(await numbers(), { active: 1, ended: 1 })
  await end(first.id)
  assert.deepEqual(await numbers(), { ended: 2 })
  const { rows } = await database.execute('select from services.counts where services > 0')
  assert.equal(rows.length, 1, 'the next writer merges the rows')
})
