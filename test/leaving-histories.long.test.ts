import assert from 'node:assert/strict'
import os from 'node:os'
import { test } from 'node:test'
import fc from 'fast-check'
import { listUnbalanced, listWrongBalances } from '#ledger'
import { historyApp } from '#test/histories.ts'
import {
  LEAVING_EVENTS,
  type LeavingShop,
  leavingHistories,
  leavingShop,
  liveAndLeave,
} from '#test/leaving-histories.ts'
import { faults } from '../src/areas/services/faults.ts'

/** `SCALE=0.1` lives through a tenth. The embedded database has one connection, and takes an age. */
const HISTORIES = Math.round(
  (process.env.DATABASE_URL ? 20_000 : 1_000) * Number(process.env.SCALE ?? 1),
)
const SEED = Number(process.env.HISTORY_SEED ?? Date.now() % 0x7fffffff)
/** Shops side by side: while one waits for the database others are at work. */
const SHOPS = process.env.DATABASE_URL ? os.availableParallelism() * 4 : 2
const TIME_MS = 90 * 60_000

const app = await historyApp()
/** Fewer histories may miss the rarest event: that a planned cycle is taken back. */
const ENOUGH_FOR_ALL = 20_000
let lived = 0

test('after 20 000 lives of services no cent was given away that no rule gives away, and none taken twice', async (t) => {
  const shops = await Promise.all(
    Array.from({ length: SHOPS }, (_, index) =>
      leavingShop(app, { creditOnCancel: index % 2 === 1 }),
    ),
  )
  const found = await Promise.all(shops.map((shop, index) => liveIn(shop, SEED + index)))
  t.diagnostic(`HISTORY_SEED=${SEED}, ${lived} histories`)
  const counted = LEAVING_EVENTS.map((event) => {
    const count = shops.reduce((sum, { events }) => sum + (events.get(event) ?? 0), 0)
    return { event, count }
  })
  t.diagnostic(counted.map(({ event, count }) => `${event} ${count}`).join(', '))
  assert.deepEqual(found.filter(Boolean), [])
  assert.ok(lived >= HISTORIES, `only ${lived} histories fitted into the time`)
  const missing = counted.filter(({ count }) => count === 0).map(({ event }) => event)
  if (HISTORIES >= ENOUGH_FOR_ALL) assert.deepEqual(missing, [], 'every event happened')
})

/** Lives through one shop's share of the histories; answers with the first that failed, made short. */
async function liveIn(shop: LeavingShop, seed: number): Promise<string | null> {
  const property = fc.asyncProperty(leavingHistories, (history) => liveAndLeave(shop, history))
  const details = await fc.check(property, {
    ...{ seed, numRuns: Math.ceil(HISTORIES / SHOPS), interruptAfterTimeLimit: TIME_MS },
    includeErrorInReport: true,
  })
  lived += details.numRuns
  if (details.failed) return `HISTORY_SEED=${seed}: ${fc.defaultReportMessage(details)}`
  const { tenantId } = shop
  const db = app.deps.database.of(tenantId)
  assert.deepEqual(await listWrongBalances(db, tenantId), [])
  assert.deepEqual(await listUnbalanced(db, tenantId), [])
  for await (const fault of faults(db, tenantId)) return `unbilled: ${JSON.stringify(fault)}`
  return null
}
