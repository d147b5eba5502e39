import assert from 'node:assert/strict'
import { test } from 'node:test'
import { basisPoints } from '#lib/money.ts'
import { boundary, DEFAULT_LEAD_TIMES } from '#lib/periods.ts'
import { instant } from '#lib/time.ts'
import { couponsFor, type KeptCoupon, nextPeriodOf, nextPlanOf } from './terms.ts'

const anchorAt = instant('2026-01-31T10:15:00Z')
const monthly = { interval: 'month', intervalCount: 1 } as const
const yearly = { interval: 'year', intervalCount: 1 } as const
const invoicedTo = boundary(anchorAt, monthly, 1)
const service = {
  ...{ ...monthly, productId: 'product', planId: 'plan', anchorAt, invoicedTo },
  ...{ currentPeriodEnd: invoicedTo, scheduledProductId: null, scheduledPlanId: null },
  ...{ freeUntil: null, scheduledOptions: null },
}

test('the period after a short month begins where it ended, and ends on the anchor’s day', () => {
  const plan = nextPlanOf(service, null)
  const { number, period, invoiceAt } = nextPeriodOf(plan, invoicedTo, DEFAULT_LEAD_TIMES)
  assert.equal(number, 1)
  assert.equal(period.start, '2026-02-28T10:15:00.000Z')
  assert.equal(period.end, '2026-03-31T10:15:00.000Z')
  assert.equal(invoiceAt, '2026-02-21T10:15:00.000Z')
})

test('a planned change of cycle counts from the period it begins with', () => {
  const planned = { ...service, scheduledProductId: 'product', scheduledPlanId: 'yearly' }
  const plan = nextPlanOf(planned, yearly)
  assert.deepEqual([plan.planId, plan.anchor], ['yearly', invoicedTo])
  const { period } = nextPeriodOf(plan, invoicedTo, DEFAULT_LEAD_TIMES)
  assert.equal(period.end, '2027-02-28T10:15:00.000Z')
  assert.equal(nextPlanOf(planned, monthly).anchor, anchorAt)
})

function coupon(terms: Partial<KeptCoupon> = {}): KeptCoupon {
  return {
    ...{ code: 'TEN', type: 'percent', percentBasisPoints: basisPoints(1000), amountCents: null },
    ...{ minimumCents: null, currency: 'EUR', includeSetupFee: false, stackable: false },
    ...{ productIds: [], categoryIds: [], planIds: [], intervals: [] },
    ...{ duration: 'cycles', durationCycles: 3 },
    ...terms,
  }
}

test('E13: a coupon for three cycles counts for the first three invoices', () => {
  const counted = [1, 2, 3, 4].map((n) => couponsFor([coupon()], n).length)
  assert.deepEqual(counted, [1, 1, 1, 0])
})
