import assert from 'node:assert/strict'
import fc from 'fast-check'
import { areas } from '#app/areas.ts'
import { openInvoice } from '#billing'
import { newId } from '#lib/id.ts'
import { basisPoints, type Cents, cents } from '#lib/money.ts'
import { boundary, type Cycle } from '#lib/periods.ts'
import { Problem } from '#lib/problem.ts'
import { DAY_MS, HOUR_MS, type Instant, instant, later, millis } from '#lib/time.ts'
import { type Database, type Tx, transact } from '#platform/database/index.ts'
import { createServices, startServices } from '#services'
import { insertUser } from '#users'
import { bookPayment } from '../../src/areas/billing/payments/booking.ts'
import { refundInvoice } from '../../src/areas/billing/refunds/actions.ts'
import { leave } from '../../src/areas/services/leaving/actions.ts'
import {
  canceling,
  cancelService,
  renewNow,
  terminating,
} from '../../src/areas/services/life/actions.ts'
import { withdrawFrom } from '../../src/areas/services/life/money-back.ts'
import { lockService, type ServiceRow, updateService } from '../../src/areas/services/queries.ts'
import { renewOne } from '../../src/areas/services/renewals/run.ts'
import { rollService, settlePeriods } from '../../src/areas/services/renewals/settlement.ts'
import { recordGoal, suspendFor, wantEnd } from '../../src/areas/services/states/actions.ts'
import type { TestApp } from './app.ts'
import { documentOf } from './billing-shop.ts'

const START = instant('2026-01-31T10:15:00Z')
const MICROS = 13_900

/** The plans that services of these histories have; prices without tax. */
const PLANS = {
  hour: { interval: 'hour', priceCents: 999, priceMicros: MICROS },
  week: { interval: 'week', priceCents: 700, priceMicros: null },
  month: { interval: 'month', priceCents: 1000, priceMicros: null },
} as const
type PlanName = keyof typeof PLANS

const ENDS = ['cancel now', 'cancel at end', 'withdraw', 'terminate', 'fraud', 'unpaid'] as const

const TRIAL_DAYS = 7

/** Coupons of each kind and duration; amounts without tax. */
const COUPONS = {
  ten: { percent: 10, fixed: 0, duration: 'forever', cycles: null },
  half: { percent: 50, fixed: 0, duration: 'cycles', cycles: 2 },
  all: { percent: 100, fixed: 0, duration: 'once', cycles: null },
  three: { percent: 0, fixed: 300, duration: 'once', cycles: null },
  five: { percent: 0, fixed: 500, duration: 'forever', cycles: null },
} as const
type CouponName = keyof typeof COUPONS

export const leavingHistories = fc.record({
  plan: fc.constantFrom<PlanName>('hour', 'week', 'month'),
  trial: fc.constantFrom(false, false, true),
  coupon: fc.constantFrom<CouponName | null>(null, null, 'ten', 'half', 'all', 'three', 'five'),
  erases: fc.boolean(),
  immediateStart: fc.boolean(),
  steps: fc.array(
    fc.record({
      what: fc.constantFrom('wait', 'wait', 'pay', 'pay', 'refund', 'prepay'),
      hours: fc.integer({ min: 1, max: 24 * 20 }),
      percent: fc.constantFrom(10, 50, 100),
      which: fc.nat(3),
    }),
    { maxLength: 8 },
  ),
  suspend: fc.boolean(),
  hoursSuspended: fc.integer({ min: 1, max: 24 * 10 }),
  end: fc.constantFrom(...ENDS),
})
type LeavingHistory = typeof leavingHistories extends fc.Arbitrary<infer H> ? H : never

export type LeavingShop = {
  readonly database: Database
  readonly tenantId: string
  readonly gatewayId: string
  readonly productId: string
  readonly planIds: Readonly<Record<PlanName, string>>
}

/** A gateway, and one product with a plan of each kind. */
export async function leavingShop({ deps, tenantId }: TestApp): Promise<LeavingShop> {
  const { database } = deps
  const [gatewayId, productId] = [newId(), newId()]
  const planIds = { hour: newId(), week: newId(), month: newId() }
  await transact(database.of(tenantId), async (tx) => {
    const gateway = { driver: 'sandbox', name: 'Cards', mode: 'test' as const, createdAt: START }
    await tx
      .insertInto('billing.gateways')
      .values({ tenantId, id: gatewayId, ...gateway })
      .execute()
    const product = { tenantId, id: productId, slug: productId, name: 'Server', createdAt: START }
    await tx.insertInto('store.products').values(product).execute()
    for (const name of ['hour', 'week', 'month'] as const) {
      const { interval, priceCents, priceMicros } = PLANS[name]
      const plan = { tenantId, id: planIds[name], productId, name, createdAt: START }
      await tx
        .insertInto('store.plans')
        .values({
          ...plan,
          interval,
          intervalCount: 1,
          currency: 'EUR',
          priceCents: cents(priceCents),
          priceMicros,
        })
        .execute()
    }
  })
  return { database, tenantId, gatewayId, productId, planIds }
}

type Life = {
  readonly shop: LeavingShop
  readonly userId: string
  readonly serviceId: string
  now: Instant
  /** What staff gave back, tax included. */
  given: number
}

/** Lives through the life of one service, ends it, and compares what the shop keeps with what was used. */
export async function liveAndLeave(shop: LeavingShop, history: LeavingHistory): Promise<void> {
  const life: Life = { shop, userId: newId(), serviceId: newId(), now: START, given: 0 }
  await bought(life, history)
  for (const step of history.steps) {
    if (step.what === 'wait') await wait(life, step.hours)
    else if (step.what === 'pay') await payAll(life)
    else if (step.what === 'prepay') await prepay(life)
    else await refund(life, step)
  }
  const usedUntil = await end(life, history)
  await assertKept(life, history, usedUntil)
  if (!history.erases) return
  await erase(life)
  await assertKept(life, history, usedUntil)
}

/** What is agreed on: hours have no trial and no coupon, and a trial is for whoever has no coupon. */
function agreed({ plan, trial, coupon }: LeavingHistory) {
  const isTrial = plan !== 'hour' && coupon === null && trial
  return {
    trialDays: isTrial ? TRIAL_DAYS : 0,
    coupon: plan !== 'hour' && coupon !== null ? { code: coupon, ...COUPONS[coupon] } : null,
  }
}

/** The price of a period, counted from 0, without tax. */
function priceOf(history: LeavingHistory, period: number): number {
  const { priceCents } = PLANS[history.plan]
  const { coupon } = agreed(history)
  if (!coupon) return priceCents
  const counts = { once: 1, cycles: coupon.cycles ?? 0, forever: Number.POSITIVE_INFINITY }
  if (period >= counts[coupon.duration]) return priceCents
  return Math.max(0, priceCents - Math.round((priceCents * coupon.percent) / 100) - coupon.fixed)
}

function keptCoupons(history: LeavingHistory) {
  const { coupon } = agreed(history)
  if (!coupon) return []
  const { code, percent, fixed, duration, cycles: durationCycles } = coupon
  const type = percent > 0 ? ('percent' as const) : ('fixed' as const)
  return [
    {
      ...{ code, type, duration, durationCycles, currency: 'EUR', minimumCents: null },
      percentBasisPoints: percent > 0 ? basisPoints(percent * 100) : null,
      amountCents: fixed > 0 ? cents(fixed) : null,
      ...{ includeSetupFee: false, stackable: false, intervals: [] },
      ...{ productIds: [], planIds: [], categoryIds: [] },
    },
  ]
}

async function within<T>({ shop }: Life, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transact(shop.database.of(shop.tenantId), work)
}

async function serviceOf(tx: Tx, { shop, serviceId }: Life): Promise<ServiceRow> {
  const service = await lockService(tx, { tenantId: shop.tenantId, id: serviceId })
  assert.ok(service)
  return service
}

async function bought(life: Life, history: LeavingHistory): Promise<void> {
  const { plan, immediateStart } = history
  const { trialDays } = agreed(history)
  const { shop, userId, serviceId, now } = life
  const { tenantId, productId, planIds } = shop
  const orderId = newId()
  const { interval, priceCents, priceMicros } = PLANS[plan]
  const totalCents = plan === 'hour' || trialDays > 0 ? cents(0) : gross(priceOf(history, 0))
  await within(life, async (tx) => {
    const person = { name: 'Ada', country: 'FR', passwordHash: null, emailVerifiedAt: now }
    const email = `${userId}@example.org`
    await insertUser(tx, { tenantId, id: userId, email, createdAt: now, ...person })
    const document = documentOf([{ totalCents, rate: 2000 }])
    const sold = { ...document, lines: document.lines.map((line) => ({ ...line, serviceId })) }
    const about = { tenantId, userId, kind: 'checkout' as const, reference: orderId }
    const { id } = await openInvoice(
      tx,
      { ...about, document: sold, dueAt: now, onTrial: trialDays > 0 },
      now,
    )
    const order = { tenantId, userId, orderId, invoiceId: id, immediateStart }
    const service = {
      ...{ productId, planId: planIds[plan], id: serviceId, orderItemId: newId(), name: 'Server' },
      ...{ environment: {}, priceCents: cents(priceCents) },
      valueCents: cents(priceOf(history, 0)),
      ...{ currency: 'EUR', interval, intervalCount: 1, trialDays, priceMicros },
      ...{ setupFeeCents: cents(0), coupons: keptCoupons(history) },
    }
    await createServices(tx, order, [service], now)
  })
  await payAll(life)
  await within(life, async (tx) => {
    await startServices(tx, { tenantId, orderId, paidAt: now, startsAt: null }, now)
    await updateService(tx, { tenantId, id: serviceId }, { activatedAt: now })
  })
}

/** Time goes on hour by hour of the clock that matters: renewals are invoiced, periods roll on. */
async function wait(life: Life, hours: number): Promise<void> {
  life.now = later(life.now, hours * HOUR_MS)
  const key = { tenantId: life.shop.tenantId, id: life.serviceId }
  for (let run = 0; run < 12; run += 1) await within(life, (tx) => renewOne(tx, key, life.now))
  await within(life, (tx) => rollService(tx, key, life.now))
}

const invoicesOf = ({ shop, userId }: Life) =>
  shop.database
    .of(shop.tenantId)
    .selectFrom('billing.invoices')
    .selectAll()
    .where('tenantId', '=', shop.tenantId)
    .where('userId', '=', userId)
    .orderBy('id')
    .execute()

async function payAll(life: Life): Promise<void> {
  const { tenantId, gatewayId } = life.shop
  for (const { id, status, totalCents } of await invoicesOf(life)) {
    if (status !== 'open') continue
    const method = { methodKind: null, methodBrand: null, methodLast4: null, fingerprint: null }
    const money = {
      ...{ tenantId, userId: life.userId, gatewayId, providerPaymentId: newId(), attemptId: null },
      ...{
        receivedCents: totalCents,
        feeCents: cents(0),
        currency: 'EUR',
        paidAt: life.now,
        method,
      },
    }
    await within(life, (tx) => bookPayment(tx, money, [id], life.now))
    await within(life, (tx) => settlePeriods(tx, { tenantId, invoiceId: id }, life.now))
  }
}

/** Pays the next period ahead, where the service renews. */
async function prepay(life: Life): Promise<void> {
  try {
    await within(life, async (tx) => renewNow(tx, await serviceOf(tx, life), life.now))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
  await payAll(life)
}

/** The person deletes their account, as far as nothing is open any more. */
async function erase(life: Life): Promise<void> {
  const { tenantId } = life.shop
  const { userId } = life
  const email = `${userId}@example.org`
  const person = { tenantId, userId, name: 'Ada', email, emails: [email], forfeitCredit: true }
  const lastFirst = areas.toReversed()
  try {
    await within(life, async (tx) => {
      for (const area of lastFirst) await area.assertSettled?.(tx, person)
      for (const area of lastFirst) await area.erase?.(tx, person, life.now)
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}

async function refund(life: Life, { percent, which }: { percent: number; which: number }) {
  const invoices = await invoicesOf(life)
  const invoice = invoices[which % invoices.length]
  if (invoice?.status !== 'paid') return
  const held = invoice.paidCents - invoice.refundedCents
  const amountCents = cents(Math.floor((held * percent) / 100))
  if (amountCents === 0) return
  const wanted = { tenantId: life.shop.tenantId, invoiceId: invoice.id, amountCents }
  await within(life, (tx) =>
    refundInvoice(tx, { ...wanted, to: 'credit', reason: { written: 'Test' } }, life.now),
  )
  life.given += amountCents
}

/** Ends the service and has the panel confirm it; answers until when the server was used. */
async function end(life: Life, history: LeavingHistory): Promise<Instant> {
  const isUnpaid = history.end === 'unpaid'
  let usedUntil = life.now
  if (history.suspend || isUnpaid) {
    await within(life, async (tx) => {
      await suspendFor(tx, await serviceOf(tx, life), isUnpaid ? 'unpaid' : 'admin', life.now)
      await recordGoal(tx, await serviceOf(tx, life), 'suspended', life.now)
    })
    life.now = later(life.now, history.hoursSuspended * HOUR_MS)
  }
  await within(life, async (tx) => ended(tx, await serviceOf(tx, life), life, history))
  const service = await within(life, (tx) => serviceOf(tx, life))
  if (!service.endWantedAt) {
    // Canceled at the end of what is paid for: it goes on until then.
    const left = (millis(service.currentPeriodEnd ?? life.now) - millis(life.now)) / HOUR_MS
    if (service.suspendedAt) {
      await within(life, async (tx) =>
        leave(tx, await serviceOf(tx, life), canceling('now'), life.now),
      )
    } else {
      for (let hours = Math.ceil(left); hours >= 0; ) {
        await wait(life, hours)
        const after = await within(life, (tx) => serviceOf(tx, life))
        if (after.endWantedAt || !after.currentPeriodEnd) break
        hours = Math.max(
          1,
          Math.ceil((millis(after.currentPeriodEnd) - millis(life.now)) / HOUR_MS),
        )
      }
      const after = await within(life, (tx) => serviceOf(tx, life))
      usedUntil = after.endWantedAt ?? life.now
    }
  }
  life.now = later(life.now, HOUR_MS)
  await within(life, async (tx) => recordGoal(tx, await serviceOf(tx, life), 'deleted', life.now))
  return usedUntil
}

async function ended(tx: Tx, service: ServiceRow, life: Life, history: LeavingHistory) {
  const { now } = life
  const mayWithdraw = millis(now) - millis(START) < 14 * DAY_MS
  if (history.end === 'cancel at end') return cancelService(tx, service, { at: 'period_end' }, now)
  if (history.end === 'withdraw' && mayWithdraw) {
    await withdrawFrom(tx, service, now)
    if (!history.immediateStart) life.given = Number.POSITIVE_INFINITY
    return
  }
  if (history.end === 'unpaid')
    return wantEnd(tx, service, { reason: 'unpaid', keepsData: true }, now)
  if (history.end === 'terminate' || history.end === 'fraud') {
    await leave(tx, service, terminating(history.end === 'fraud' ? 'fraud' : 'terminated'), now)
    return
  }
  await cancelService(tx, service, { at: 'now' }, now)
}

/** What the shop was paid and keeps, and what is still due, against the price of the time of use. */
async function assertKept(life: Life, history: LeavingHistory, usedUntil: Instant): Promise<void> {
  const invoices = await invoicesOf(life)
  const kept = invoices.reduce((sum, it) => {
    if (it.status === 'void') return sum
    return sum + it.totalCents - it.creditedCents
  }, 0)
  const used = usedValue(history, usedUntil)
  const cent = invoices.length + 1
  assert.ok(kept >= used - life.given - cent, `keeps ${kept} of ${used}, gave ${life.given}`)
  const service = await within(life, (tx) => serviceOf(tx, life))
  assert.ok(service.endedAt)
  assert.equal(service.nextInvoiceAt, null)
}

/** The price of the time of use, tax included, by plain arithmetic. */
function usedValue(history: LeavingHistory, usedUntil: Instant): number {
  const { plan } = history
  const { priceCents } = PLANS[plan]
  const anchor = later(START, agreed(history).trialDays * DAY_MS)
  const cycle: Cycle = { interval: plan === 'hour' ? 'month' : plan, intervalCount: 1 }
  let sum = 0
  for (let k = 0; boundary(anchor, cycle, k) < usedUntil; k += 1) {
    const [from, to] = [millis(boundary(anchor, cycle, k)), millis(boundary(anchor, cycle, k + 1))]
    const ms = Math.min(millis(usedUntil), to) - from
    if (plan === 'hour') {
      const hours = Math.ceil(ms / HOUR_MS)
      sum += gross(Math.min(priceCents, Math.round((hours * MICROS) / 10_000)))
    } else sum += (gross(priceOf(history, k)) * ms) / (to - from)
  }
  return sum
}

function gross(net: number): Cents {
  return cents(Math.round(net * 1.2))
}
