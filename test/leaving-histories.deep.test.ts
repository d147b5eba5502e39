import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listUnbalanced, listWrongBalances } from '#ledger'
import { historyApp } from '#test/histories.ts'
import { leavingHistories, leavingShop, liveAndLeave } from '#test/leaving-histories.ts'
import { faults } from '../src/areas/services/faults.ts'

/** `HISTORY_SEED` and `HISTORIES` live through others, and through more. */
const SEED = Number(process.env.HISTORY_SEED ?? 22)
const HISTORIES = Number(process.env.HISTORIES ?? 100)

const app = await historyApp()
const { tenantId } = app
const db = app.deps.database.of(tenantId)
const shop = await leavingShop(app)

test('however a service ends, the shop keeps what was used at the price agreed, less what a rule gives away', async () => {
  await fc.assert(
    fc.asyncProperty(leavingHistories, (history) => liveAndLeave(shop, history)),
    {
      seed: SEED,
      numRuns: HISTORIES,
      interruptAfterTimeLimit: 500_000,
      markInterruptAsFailure: true,
    },
  )
  assert.deepEqual(await listWrongBalances(db, tenantId), [])
  assert.deepEqual(await listUnbalanced(db, tenantId), [])
})

test('after any history, no use is unbilled', async () => {
  const found = []
  for await (const fault of faults(db, tenantId)) found.push(fault)
  assert.deepEqual(found, [])
})
