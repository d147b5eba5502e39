import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listUnbalanced, listWrongBalances } from '#ledger'
import { historyApp } from '#test/histories.ts'
import { leavingHistories, leavingShop, liveAndLeave } from '#test/leaving-histories.ts'
import { faults } from '../src/areas/services/faults.ts'

/** `SCALE=0.1` lives through a tenth. */
const HISTORIES = Math.round(20_000 * Number(process.env.SCALE ?? 1))
const SEED = Number(process.env.HISTORY_SEED ?? Date.now() % 0x7fffffff)
const TIME_MS = 90 * 60_000

const app = await historyApp()
const { tenantId } = app
const db = app.deps.database.of(tenantId)
const shop = await leavingShop(app)

test('after 20 000 lives of services no cent was given away that no rule gives away', async (t) => {
  const property = fc.asyncProperty(leavingHistories, (history) => liveAndLeave(shop, history))
  const details = await fc.check(property, {
    ...{ seed: SEED, numRuns: HISTORIES, interruptAfterTimeLimit: TIME_MS },
    includeErrorInReport: true,
  })
  t.diagnostic(`HISTORY_SEED=${SEED}, ${details.numRuns} histories`)
  assert.equal(details.failed, false, `HISTORY_SEED=${SEED}: ${fc.defaultReportMessage(details)}`)
  assert.ok(details.numRuns >= HISTORIES, `only ${details.numRuns} histories fitted into the time`)
  assert.deepEqual(await listWrongBalances(db, tenantId), [])
  assert.deepEqual(await listUnbalanced(db, tenantId), [])
  const found = []
  for await (const fault of faults(db, tenantId)) found.push(fault)
  assert.deepEqual(found, [])
})
