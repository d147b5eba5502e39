import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listUnbalanced, listWrongBalances } from '#ledger'
import { historyApp } from '#test/histories.ts'
import {
  type LeavingHistory,
  type LeavingStep,
  leavingHistories,
  leavingShop,
  liveAndLeave,
} from '#test/leaving-histories.ts'
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
    const history: LeavingHistory = {
      ...{ plan: 'month', trial: false, coupon: null, erases: false, immediateStart: false },
      ...{ steps: new Array(changes).fill(change), suspend: false, hoursSuspended: 1 },
      end: 'cancel now',
    }
    await liveAndLeave(shop, history, { pauseMs: 0 })
  })
}

test('a coupon that counts once is spent with the purchase, though the cycle changes in its first instant', async () => {
  const shop = await leavingShop(app)
  const weeklyAndBack = { what: 'cycle', hours: 1, percent: 10, which: 1 } as const
  const history: LeavingHistory = {
    ...{ plan: 'month', trial: false, coupon: 'three', erases: false, immediateStart: false },
    ...{ steps: [weeklyAndBack, weeklyAndBack], suspend: false, hoursSuspended: 1 },
    end: 'cancel at end',
  }
  await liveAndLeave(shop, history, { pauseMs: 0 })
})

const step = (what: LeavingStep['what'], wanted: Partial<LeavingStep> = {}): LeavingStep => {
  return { what, hours: 1, percent: 100, which: 0, ...wanted }
}
const wait = (days: number) => step('wait', { hours: days * 24 })
const free = (days: number) => step('free', { hours: days - 1 })
/** Where a service that is on another cycle changes to. */
const WEEKLY = { which: 1 }
const YEARLY = { which: 2 }
const WEEKLY_TO_MONTHLY = { which: 1 }

const CYCLES: [title: string, plan: LeavingHistory['plan'], steps: LeavingStep[]][] = [
  [
    'after a change of cycle, the next change credits what the new cycle cost',
    'month',
    [step('cycle', YEARLY), wait(10), step('change'), wait(2), step('change')],
  ],
  [
    'a shorter cycle after a longer one is not credited at the price of the longer one',
    'year',
    [step('cycle', WEEKLY), wait(1), step('change'), wait(1), step('change')],
  ],
  [
    'a change to a cheaper cycle gives back what was paid ahead',
    'month',
    [step('prepay'), step('prepay'), wait(1), step('cycle', WEEKLY)],
  ],
  [
    'a change to a cheaper cycle gives back what an earlier change of cycle was paid with',
    'month',
    [
      step('prepay'),
      step('prepay'),
      wait(1),
      step('cycle', YEARLY),
      wait(1),
      step('cycle', WEEKLY),
    ],
  ],
  [
    'a renewal that is paid after a change of cycle was ordered becomes credit',
    'week',
    [wait(5), step('cycle', WEEKLY_TO_MONTHLY)],
  ],
  [
    'a change of product before a change of cycle is given back once',
    'year',
    [step('change'), wait(20), step('cycle', WEEKLY)],
  ],
  [
    'a planned cycle whose first period is paid is not taken back',
    'month',
    [
      step('next cycle', YEARLY),
      step('prepay'),
      step('next cycle', { percent: 10 }),
      wait(20),
      wait(20),
    ],
  ],
  [
    'each period on a planned cycle is billed in the days of grace, though the first is not paid',
    'month',
    [wait(4), step('next cycle', WEEKLY), wait(13), wait(18)],
  ],
  [
    'a change to a cheaper product after one to a cheaper cycle is given back once',
    'year',
    [step('change'), step('cycle', WEEKLY), step('change')],
  ],
  [
    'a planned cycle whose first period has begun unpaid is not taken back: its time would cost nothing',
    'week',
    [step('next cycle', { which: 1 }), wait(9), step('next cycle', { which: 1 })],
  ],
  [
    'free days are not paid out, and a costlier plan costs the difference while they last',
    'month',
    [wait(10), free(9), wait(12), wait(10), step('change'), wait(3), step('change'), wait(20)],
  ],
  [
    'a change of cycle keeps free days, and returns what was paid for them',
    'month',
    [free(30), step('change'), wait(20), wait(15), step('cycle', YEARLY), wait(1)],
  ],
  [
    'a planned cycle begins after free days',
    'month',
    [free(5), step('next cycle', WEEKLY), free(3), wait(20), wait(20), step('pay'), wait(10)],
  ],
  [
    'a cheaper product in a period that was paid ahead gives back what the costlier one cost for it',
    'week',
    [step('prepay'), step('change'), step('wait', { hours: 169 }), step('change')],
  ],
  [
    'a cheaper product during free days gives back what the costlier one cost for them',
    'week',
    [free(2), step('change'), step('wait', { hours: 168 }), step('change')],
  ],
  [
    'a paid period on a planned cycle is not sold as one of the cycle before it',
    'month',
    [step('next cycle', YEARLY), step('prepay'), step('change'), wait(20), wait(20), wait(20)],
  ],
]

for (const [title, plan, steps] of CYCLES) {
  test(title, async () => {
    for (const creditOnCancel of [false, true]) {
      const shop = await leavingShop(app, { creditOnCancel })
      await liveAndLeave(shop, {
        ...{ plan, trial: false, coupon: null, erases: false, immediateStart: true },
        ...{ steps, suspend: false, hoursSuspended: 1, end: 'cancel now' },
      })
    }
  })
}

for (const [title, steps] of [
  ['an earlier change had cost', [step('change'), step('cycle', WEEKLY)]],
  ['a period that was paid ahead had cost', [step('prepay'), step('cycle', WEEKLY)]],
] as const) {
  test(`a cheaper cycle after a free period is given back with what ${title}`, async () => {
    const shop = await leavingShop(app, { creditOnCancel: true })
    await liveAndLeave(shop, {
      ...{ plan: 'month', trial: false, coupon: 'all', erases: false, immediateStart: false },
      ...{ steps: [...steps], suspend: false, hoursSuspended: 1, end: 'cancel now' },
    })
  })
}
