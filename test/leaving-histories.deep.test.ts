import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listUnbalanced, listWrongBalances } from '#ledger'
import { historyApp } from '#test/histories.ts'
import { leavingHistories, leavingShop, liveAndLeave } from '#test/leaving-histories.ts'
import { faults } from '../src/areas/services/faults.ts'

/** `HISTORY_SEED` and `HISTORIES` live through others, and through more. */
const SEED = Number(process.env.HISTORY_SEED ?? 22)
const HISTORIES = Number(process.env.HISTORIES ?? 50)

const app = await historyApp()

for (const creditOnCancel of [false, true]) {
  const given = creditOnCancel ? 'that gives unused time back ' : ''
  test(`however a service ends, a shop ${given}keeps what was used, and no more than was sold`, async () => {
    const shop = await leavingShop(app, { creditOnCancel })
    const { tenantId } = shop
    await fc.assert(
      fc.asyncProperty(leavingHistories, (history) => liveAndLeave(shop, history)),
      {
        seed: SEED,
        numRuns: HISTORIES,
        interruptAfterTimeLimit: 250_000,
        markInterruptAsFailure: true,
      },
    )
    const db = app.deps.database.of(tenantId)
    assert.deepEqual(await listWrongBalances(db, tenantId), [])
    assert.deepEqual(await listUnbalanced(db, tenantId), [])
    const unbilled = []
    for await (const fault of faults(db, tenantId)) unbilled.push(fault)
    assert.deepEqual(unbilled, [])
  })
}

for (const changes of [2, 3, 5]) {
  test(`what was bought and changed ${changes} times in one instant is given back whole`, async () => {
    const shop = await leavingShop(app, { creditOnCancel: true })
    const change = { what: 'change', hours: 1, percent: 10, which: 0 } as const
    await liveAndLeave(shop, {
      ...{ plan: 'month', trial: false, coupon: null, erases: false, immediateStart: false },
      ...{ steps: new Array(changes).fill(change), suspend: false, hoursSuspended: 1 },
      end: 'cancel now',
    })
  })
}
