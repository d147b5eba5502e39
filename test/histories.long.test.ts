import assert from 'node:assert/strict'
import os from 'node:os'
import { test } from 'node:test'
import fc from 'fast-check'
import { listUnbalanced, listWrongBalances } from '#ledger'
import {
  type HistoryShop,
  histories,
  historyApp,
  live,
  shopOf,
  shopOfItsOwn,
} from '#test/histories.ts'
import { type Actor, perform } from '#test/history-actions.ts'
import { historyProcesses } from '#test/history-processes.ts'

/** `SCALE=0.1` lives through a tenth. The embedded database has one connection, and takes an age. */
const SCALE = Number(process.env.SCALE ?? 1)
const HISTORIES = Math.round((process.env.DATABASE_URL ? 20_000 : 1_000) * SCALE)
const SEED = Number(process.env.HISTORY_SEED ?? Date.now() % 0x7fffffff)
const PROCESSES = os.availableParallelism()
/** Shops side by side: while one waits for the database others are at work. */
const SHOPS = process.env.DATABASE_URL ? PROCESSES * 4 : 1
const KILL_EVERY_MS = 20_000
/** Two processors need a fifth to a half of it. */
const TIME_MS = 60 * 60_000

const app = await historyApp()
const { database } = app.deps
const { databaseUrl } = app
let lived = 0

test('after 20 000 histories, with processes killed in them, the books are those of the rulebook', async (t) => {
  const processes = databaseUrl ? await historyProcesses(databaseUrl, PROCESSES) : null
  const inHere: Actor = (action) => perform(database, action)
  const actor = processes?.actor ?? inHere
  const shops = await Promise.all(
    Array.from({ length: SHOPS }, () => (processes ? shopOfItsOwn(database, actor) : shopOf(app))),
  )
  const ended = new AbortController()
  const killing = processes && killUntil(ended.signal, processes)
  const found = await Promise.all(shops.map(liveIn))
  ended.abort()
  await killing
  processes?.stop()
  const { killed } = processes ?? {}
  t.diagnostic(`HISTORY_SEED=${SEED}, ${lived} histories`)
  t.diagnostic(`killed: ${killed?.processes} processes, in ${killed?.actions} actions`)
  assert.deepEqual(found.filter(Boolean), [])
  assert.ok(lived >= HISTORIES, `only ${lived} histories fitted into the time`)
  if (killed && SCALE >= 0.05) assert.ok(killed.actions > 0, 'nobody died at work')
})

/** Lives through one shop's share of the histories; answers with the first that failed, made short. */
async function liveIn(shop: HistoryShop, index: number): Promise<string | null> {
  const numRuns = Math.ceil(HISTORIES / SHOPS)
  const property = fc.asyncProperty(histories(14), (steps) => live(shop, steps))
  const details = await fc.check(property, {
    ...{ seed: SEED + index, numRuns, interruptAfterTimeLimit: TIME_MS },
    includeErrorInReport: true,
  })
  lived += details.numRuns
  if (details.failed) return `HISTORY_SEED=${SEED + index}: ${fc.defaultReportMessage(details)}`
  const { tenantId } = shop
  const db = database.of(tenantId)
  assert.deepEqual(await listWrongBalances(db, tenantId), [])
  assert.deepEqual(await listUnbalanced(db, tenantId), [])
  return null
}

/** Kills a process every few seconds, wherever it is. */
async function killUntil(end: AbortSignal, processes: { killOne(): Promise<void> }): Promise<void> {
  while (!end.aborted) {
    await pause(KILL_EVERY_MS, end)
    if (!end.aborted) await processes.killOne()
  }
}

function pause(ms: number, end: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    end.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
