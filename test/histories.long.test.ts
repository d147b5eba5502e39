import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listUnbalanced, listWrongBalances } from '#ledger'
import { catalogueOf, histories, historyApp, live } from '#test/histories.ts'

/** As many as fit into the time: twenty thousand want a quiet machine and a database server. */
const HISTORIES = 20_000
const TIME_MS = 8 * 60_000

const app = await historyApp()
const shop = await catalogueOf(app)

test('after thousands of long histories the books are still those of the rulebook', async () => {
  const property = fc.asyncProperty(histories(14), (steps) => live(app, shop, steps))
  const seed = Number(process.env.HISTORY_SEED ?? Date.now() % 0x7fffffff)
  const details = await fc.check(property, {
    ...{ seed, numRuns: HISTORIES, interruptAfterTimeLimit: TIME_MS },
  })
  console.log(`${details.numRuns} histories, HISTORY_SEED=${seed}`)
  assert.ok(!details.failed, fc.defaultReportMessage(details))
  assert.ok(details.numRuns > 500, `only ${details.numRuns} histories fitted`)
  const { tenantId, deps } = app
  assert.deepEqual(await listWrongBalances(deps.database.of(tenantId), tenantId), [])
  assert.deepEqual(await listUnbalanced(deps.database.of(tenantId), tenantId), [])
})
