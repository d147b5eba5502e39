import assert from 'node:assert/strict'
import fc from 'fast-check'
import { areas } from '#app/areas.ts'
import { openInvoice } from '#billing'
import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { basisPoints, type Cents, cents } from '#lib/money.ts'
import { boundary, type Cycle } from '#lib/periods.ts'
import { Problem } from '#lib/problem.ts'
import { DAY_MS, HOUR_MS, type Instant, instant, later, millis, SECOND_MS } from '#lib/time.ts'
import { type Database, json, type Tx, transact } from '#platform/database/index.ts'
import { createServices, startServices } from '#services'
import { createTenant } from '#tenants'
import { insertUser } from '#users'
import { bookPayment } from '../../src/areas/billing/payments/booking.ts'
import { refundInvoice } from '../../src/areas/billing/refunds/actions.ts'
import { giveFreeDays } from '../../src/areas/services/free-days/actions.ts'
import { leave } from '../../src/areas/services/leaving/actions.ts'
import {
  canceling,
  cancelService,
  changeService,
  renewNow,
  terminating,
} from '../../src/areas/services/lifecycle/actions.ts'
import { withdrawFrom } from '../../src/areas/services/lifecycle/money-back.ts'
import { lockService, type ServiceRow, updateService } from '../../src/areas/services/queries.ts'
import { renewOne } from '../../src/areas/services/renewals/batches.ts'
import { listPeriods } from '../../src/areas/services/renewals/queries.ts'
import { rollService, settlePeriods } from '../../src/areas/services/renewals/settlement.ts'
import { plannedFrom } from '../../src/areas/services/renewals/terms.ts'
import { serviceSettings } from '../../src/areas/services/settings.ts'
import { recordGoal, suspendFor, wantEnd } from '../../src/areas/services/states/actions.ts'
import { completeUpgrade, orderUpgrade } from '../../src/areas/services/upgrades/actions.ts'
import { startUpgrade } from '../../src/areas/services/upgrades/payment.ts'
import { findOpenUpgrade } from '../../src/areas/services/upgrades/queries.ts'
import type { TestApp } from './app.ts'
import { documentOf } from './billing-shop.ts'
import { TEST_SELLER } from './seller.ts'

const START = instant('2026-01-31T10:15:00Z')
const MICROS = 13_900

/** The plans of a product in these histories; prices without tax. */
const PLANS = {
  hour: { interval: 'hour', priceCents: 999, priceMicros: MICROS },
  week: { interval: 'week', priceCents: 700, priceMicros: null },
  month: { interval: 'month', priceCents: 1000, priceMicros: null },
  year: { interval: 'year', priceCents: 10_000, priceMicros: null },
} as const
type PlanName = keyof typeof PLANS
const PLAN_NAMES = ['hour', 'week', 'month', 'year'] as const

/** What a plan of the larger product costs, as a multiple of the smaller one's. */
const LARGER = 3

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

/** Everything that the histories are about. */
export const LEAVING_EVENTS = [
  ...(['hourly', 'trial', 'ten', 'half', 'all', 'three', 'five', 'consent'] as const),
  ...(['renewed', 'paid', 'paid ahead', 'refunded', 'suspended', 'account deleted'] as const),
  ...(['other product', 'other cycle', 'other product and cycle'] as const),
  ...(['next cycle planned', 'next cycle taken back', 'next cycle begun', 'free days'] as const),
  ...(['canceled now', 'canceled at end', 'withdrawn', 'terminated', 'fraud', 'unpaid'] as const),
] as const
type LeavingEvent = (typeof LEAVING_EVENTS)[number]

export const leavingHistories = fc.record({
  plan: fc.constantFrom<PlanName>('hour', 'week', 'week', 'month', 'month', 'year'),
  trial: fc.constantFrom(false, false, true),
  coupon: fc.constantFrom<CouponName | null>(null, null, 'ten', 'half', 'all', 'three', 'five'),
  erases: fc.boolean(),
  immediateStart: fc.boolean(),
  steps: fc.array(
    fc.record({
      what: fc.constantFrom(
        ...(['wait', 'wait', 'wait', 'wait', 'pay', 'pay', 'pay', 'refund', 'prepay'] as const),
        ...(['change', 'cycle', 'cycle', 'next cycle', 'next cycle', 'erase'] as const),
        ...(['free', 'free'] as const),
      ),
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
export type LeavingHistory = typeof leavingHistories extends fc.Arbitrary<infer H> ? H : never
export type LeavingStep = LeavingHistory['steps'][number]

export type LeavingShop = {
  readonly database: Database
  readonly tenantId: string
  readonly gatewayId: string
  readonly small: Size
  readonly large: Size
  /** Whether the unused time of a service that is canceled now becomes credit. */
  readonly creditOnCancel: boolean
  /** How often each event happened in the histories of the shop; an action that is refused is none. */
  readonly events: Map<LeavingEvent, number>
}

type Size = { readonly productId: string; readonly planIds: Readonly<Record<PlanName, string>> }

/** A shop of a new tenant, so that several live side by side. */
export async function leavingShop(
  { deps: { database } }: TestApp,
  { creditOnCancel = false }: { creditOnCancel?: boolean } = {},
): Promise<LeavingShop> {
  const wanted = { name: 'Histories', domains: [`${newId()}.test`], seller: TEST_SELLER }
  const place = { publicUrl: 'http://platform.test' }
  const tenant = await transact(database.everywhere, (tx) => createTenant(tx, place, wanted, START))
  const tenantId = tenant.id
  const gatewayId = newId()
  const newSize = () => ({
    productId: newId(),
    planIds: { hour: newId(), week: newId(), month: newId(), year: newId() },
  })
  const [small, large] = [newSize(), newSize()]
  await transact(database.of(tenantId), async (tx) => {
    const values = json({ immediateCredit: true, creditOnCancel })
    await tx
      .insertInto('tenants.settings')
      .values({ tenantId, section: serviceSettings.name, values, updatedAt: START })
      .execute()
    const gateway = { driver: 'sandbox', name: 'Cards', mode: 'test' as const, createdAt: START }
    await tx
      .insertInto('billing.gateways')
      .values({ tenantId, id: gatewayId, ...gateway })
      .execute()
    await insertSize(tx, tenantId, small, { factor: 1, target: large })
    await insertSize(tx, tenantId, large, { factor: LARGER, target: small })
  })
  return { database, tenantId, gatewayId, small, large, creditOnCancel, events: new Map() }
}

/** A product with a plan of each kind, which may be changed to the other product and to another plan of itself. */
async function insertSize(
  tx: Tx,
  tenantId: string,
  { productId, planIds }: Size,
  { factor, target }: { factor: number; target: Size },
): Promise<void> {
  const named = {
    slug: productId,
    name: 'Server',
    createdAt: START,
    publishedAt: START,
    sellableSince: START,
  }
  await tx
    .insertInto('store.products')
    .values({ tenantId, id: productId, ...named, upgradeTargetIds: [target.productId, productId] })
    .execute()
  for (const name of PLAN_NAMES) {
    const { interval, priceCents, priceMicros } = PLANS[name]
    const plan = { tenantId, id: planIds[name], productId, name, createdAt: START }
    await tx
      .insertInto('store.plans')
      .values({
        ...{ ...plan, interval, intervalCount: 1, currency: 'EUR' },
        ...{ priceCents: cents(priceCents * factor), priceMicros },
      })
      .execute()
  }
}

type Life = {
  readonly shop: LeavingShop
  readonly userId: string
  readonly serviceId: string
  now: Instant
  /** What staff gave back, tax included. */
  given: number
  /** The changes that were made, oldest first, and the one that is planned for the next period. */
  changes: readonly Change[]
}

/** From when on a service is on another plan, and by which factor that costs more than the smaller product's. */
type Change = {
  readonly at: Instant
  readonly plan: PlanName
  readonly factor: number
  /** Whether it came with a period that was invoiced as any other. */
  readonly isPlanned: boolean
}

function happened({ shop: { events } }: Life, event: LeavingEvent): void {
  events.set(event, (events.get(event) ?? 0) + 1)
}

/**
 * Lives through the life of one service, ends it, and compares what the shop keeps with what was used. Nobody
 * does two things to one service in the same millisecond; `pauseMs` 0 does.
 */
export async function liveAndLeave(
  shop: LeavingShop,
  history: LeavingHistory,
  { pauseMs = SECOND_MS }: { pauseMs?: number } = {},
): Promise<void> {
  const ids = { userId: newId(), serviceId: newId() }
  const life: Life = { shop, ...ids, now: START, given: 0, changes: [] }
  await bought(life, history)
  for (const step of history.steps) {
    life.now = later(life.now, pauseMs)
    if (step.what === 'wait') await wait(life, step.hours)
    else if (step.what === 'pay') await payAll(life)
    else if (step.what === 'prepay') await prepay(life)
    else if (step.what === 'change') await change(life, history)
    else if (step.what === 'cycle') await changeCycle(life, history, step)
    else if (step.what === 'next cycle') await planCycle(life, history, step)
    else if (step.what === 'free') await getFree(life, history, step)
    else if (step.what === 'erase') await assertStays(life)
    else await refund(life, step)
  }
  const usedUntil = await end(life, history)
  await assertKept(life, history, usedUntil)
  if (!history.erases) return
  await leaveForGood(life)
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

type Priced = Pick<Change, 'plan' | 'factor'>

/** The price of a period, counted from 0 as coupons count, without tax. */
function priceOf(history: LeavingHistory, period: number, { plan, factor }: Priced): number {
  const priceCents = PLANS[plan].priceCents * factor
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
  const { tenantId, small } = shop
  const { productId, planIds } = small
  const orderId = newId()
  const { interval, priceCents, priceMicros } = PLANS[plan]
  const totalCents =
    plan === 'hour' || trialDays > 0 ? cents(0) : gross(priceOf(history, 0, { plan, factor: 1 }))
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
      valueCents: cents(priceOf(history, 0, { plan, factor: 1 })),
      ...{ currency: 'EUR', interval, intervalCount: 1, trialDays, priceMicros },
      ...{ setupFeeCents: cents(0), coupons: keptCoupons(history), locationId: null },
    }
    await createServices(tx, order, [service], now)
  })
  if (plan === 'hour') happened(life, 'hourly')
  if (trialDays > 0) happened(life, 'trial')
  for (const { code } of keptCoupons(history)) happened(life, code)
  if (immediateStart) happened(life, 'consent')
  await payAll(life)
  await within(life, async (tx) => {
    await startServices(tx, { tenantId, orderId, paidAt: now, startsAt: null }, now)
    await updateService(tx, { tenantId, id: serviceId }, { activatedAt: now })
  })
}

/** Time goes on hour by hour of the clock that matters: renewals are invoiced, periods roll on. */
async function wait(life: Life, hours: number): Promise<void> {
  const before = life.now
  life.now = later(before, hours * HOUR_MS)
  const key = { tenantId: life.shop.tenantId, id: life.serviceId }
  for (let run = 0; run < 12; run += 1) {
    const { nextInvoiceAt } = await within(life, (tx) => serviceOf(tx, life))
    if (!nextInvoiceAt || nextInvoiceAt > life.now) break
    await within(life, (tx) => renewOne(tx, key, life.now))
    happened(life, 'renewed')
  }
  await within(life, (tx) => rollService(tx, key, life.now))
  if (life.changes.some(({ at, isPlanned }) => isPlanned && at > before && at <= life.now)) {
    happened(life, 'next cycle begun')
  }
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
    happened(life, 'paid')
  }
}

/** Pays the next period ahead, where the service renews. */
async function prepay(life: Life): Promise<void> {
  const refusal = await refusalOf(life, async (tx) =>
    renewNow(tx, await serviceOf(tx, life), life.now),
  )
  if (refusal === null) happened(life, 'paid ahead')
  await payAll(life)
}

/** What the service is on now. */
function planNow({ changes, now }: Life, history: LeavingHistory): Priced {
  return changes.findLast(({ at }) => at <= now) ?? { plan: history.plan, factor: 1 }
}

/** Changes to the other product on the same cycle. */
async function change(life: Life, history: LeavingHistory): Promise<void> {
  const { plan, factor } = planNow(life, history)
  await changeTo(life, history, { plan, factor: factor === 1 ? LARGER : 1 }, null)
}

type Choice = { readonly percent: number; readonly which: number }

/** Changes to another cycle at once, of the same product or of the other one; metered hours are refused. */
async function changeCycle(life: Life, history: LeavingHistory, choice: Choice): Promise<void> {
  const { plan, factor } = planNow(life, history)
  const isSame = choice.percent === 100
  const to = { plan: anotherCycle(plan, choice), factor: isSame === (factor === 1) ? 1 : LARGER }
  const { planIds } = to.factor === 1 ? life.shop.small : life.shop.large
  await changeTo(life, history, to, planIds[to.plan])
}

function anotherCycle(plan: PlanName, { which }: Choice): PlanName {
  const others = PLAN_NAMES.filter((name) => name !== plan)
  return others[which % others.length] ?? plan
}

/** Orders a change where that may be, pays for it, and the panel makes it. */
async function changeTo(
  life: Life,
  history: LeavingHistory,
  to: Priced,
  planId: string | null,
): Promise<void> {
  const { shop, userId, serviceId, now } = life
  const { tenantId, small, large } = shop
  const caller: Caller = {
    ...{ kind: 'user', tenantId, userId, email: '', permissions: new Set<string>() },
    ...{ via: 'session', credentialId: newId(), readOnly: false, impersonatorId: null },
  }
  const { productId } = to.factor === 1 ? small : large
  const wanted = { serviceId, productId, isStaff: false, ...(planId && { planId }) }
  const refusal = await refusalOf(life, (tx) => orderUpgrade(tx, caller, wanted, now))
  if (history.plan === 'hour') assert.equal(refusal, 'plan_not_upgradable')
  if (to.plan === 'hour') assert.notEqual(refusal, null, 'no service becomes metered')
  if (refusal !== null) return
  await payAll(life)
  const open = await findOpenUpgrade(shop.database.of(tenantId), tenantId, serviceId)
  assert.ok(open, 'a change was ordered')
  const key = { tenantId, id: open.id }
  await within(life, (tx) => startUpgrade(tx, key, now))
  await within(life, (tx) => completeUpgrade(tx, key, now))
  const isSameProduct = planNow(life, history).factor === to.factor
  if (planId === null) happened(life, 'other product')
  else happened(life, isSameProduct ? 'other cycle' : 'other product and cycle')
  // What was planned for the next period is not any more.
  life.changes = [...begun(life), { at: now, ...to, isPlanned: false }]
}

const begun = ({ changes, now }: Life) => changes.filter(({ at }) => at <= now)

/** Staff give free days, where a service has periods that are paid in advance. */
async function getFree(life: Life, history: LeavingHistory, { hours }: { hours: number }) {
  const { shop, serviceId, now } = life
  const key = { tenantId: shop.tenantId, id: serviceId }
  const free = { days: 1 + (hours % 40), reason: `An outage, reported at ${now}.` }
  const refusal = await refusalOf(life, (tx) => giveFreeDays(tx, key, free, now))
  if (history.plan === 'hour') assert.equal(refusal, 'free_days_not_possible')
  if (refusal !== null) return
  happened(life, 'free days')
  const { scheduledPlanId, freeUntil } = await within(life, (tx) => serviceOf(tx, life))
  assert.ok(freeUntil)
  // A planned change begins after the free days.
  life.changes = life.changes.map((it) =>
    scheduledPlanId && it.isPlanned && it.at > now ? { ...it, at: freeUntil } : it,
  )
}

/** Plans another cycle of the same product for the next period, or takes that back. */
async function planCycle(life: Life, history: LeavingHistory, choice: Choice): Promise<void> {
  const { plan: current, factor } = planNow(life, history)
  const wasPlanned = life.changes.some((it) => it.isPlanned && it.at > life.now)
  const isTakenBack = wasPlanned && choice.percent !== 100
  const plan = isTakenBack ? current : anotherCycle(current, choice)
  const { planIds } = factor === 1 ? life.shop.small : life.shop.large
  const planId = planIds[plan]
  const before = await within(life, (tx) => serviceOf(tx, life))
  const refusal = await refusalOf(life, async (tx) =>
    changeService(tx, await serviceOf(tx, life), { planId }, life.now),
  )
  if (history.plan === 'hour') assert.equal(refusal, 'plan_not_changeable')
  if (plan === 'hour') assert.notEqual(refusal, null, 'no service becomes metered')
  if (refusal !== null) return
  const { currentPeriodEnd, freeUntil } = before
  assert.ok(currentPeriodEnd)
  const at = plannedFrom({ currentPeriodEnd, freeUntil })
  happened(life, isTakenBack ? 'next cycle taken back' : 'next cycle planned')
  const planned = isTakenBack ? [] : [{ at, plan, factor, isPlanned: true }]
  life.changes = [...begun(life), ...planned]
}

/** Has something done that may be refused; answers the code of the refusal, null when it is done. */
async function refusalOf(life: Life, work: (tx: Tx) => Promise<unknown>): Promise<string | null> {
  try {
    await within(life, work)
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.code ?? error.message
  }
}

/** The person asks for their account to be deleted; answers the code of the refusal, null when it is gone. */
async function erase(life: Life): Promise<string | null> {
  const { tenantId } = life.shop
  const { userId } = life
  const email = `${userId}@example.org`
  const person = { tenantId, userId, name: 'Ada', email, emails: [email], forfeitCredit: true }
  const lastFirst = areas.toReversed()
  return refusalOf(life, async (tx) => {
    for (const area of lastFirst) await area.assertSettled?.(tx, person)
    for (const area of lastFirst) await area.erase?.(tx, person, life.now)
  })
}

/** Nobody gets away from a service that has not ended, or whose hours are not invoiced. */
async function assertStays(life: Life): Promise<void> {
  assert.equal(await erase(life), 'services_active')
}

/** Once the service has ended, an account is deleted as soon as what it owes is paid, and refunds arrived. */
async function leaveForGood(life: Life): Promise<void> {
  const refusal = await erase(life)
  const owes = (await invoicesOf(life)).some(({ status }) => status === 'open')
  const isMoving = await arriveRefunds(life)
  assert.equal(refusal, owes ? 'invoices_open' : isMoving ? 'payments_open' : null)
  if (refusal !== null) {
    await payAll(life)
    assert.equal(await erase(life), null)
  }
  happened(life, 'account deleted')
}

/** The provider has made every refund that was under way; answers whether there was one. */
async function arriveRefunds(life: Life): Promise<boolean> {
  const { tenantId } = life.shop
  const { numUpdatedRows } = await within(life, (tx) =>
    tx
      .updateTable('billing.refunds')
      .set({ state: 'succeeded' })
      .where('tenantId', '=', tenantId)
      .where('userId', '=', life.userId)
      .where('state', '=', 'pending')
      .executeTakeFirstOrThrow(),
  )
  return numUpdatedRows > 0n
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
  happened(life, 'refunded')
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
    happened(life, 'suspended')
    life.now = later(life.now, history.hoursSuspended * HOUR_MS)
  }
  await within(life, async (tx) => ended(tx, await serviceOf(tx, life), life, history))
  const service = await within(life, (tx) => serviceOf(tx, life))
  if (!service.endWantedAt) {
    // Canceled at the end of what is paid for: it goes on until then.
    const left = (millis(service.currentPeriodEnd ?? life.now) - millis(life.now)) / HOUR_MS
    if (service.suspendedAt) {
      await within(life, async (tx) => {
        const service = await serviceOf(tx, life)
        return leave(tx, service, canceling(service, 'now'), life.now)
      })
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
  if (history.erases) await assertStays(life)
  life.now = later(life.now, HOUR_MS)
  await within(life, async (tx) => recordGoal(tx, await serviceOf(tx, life), 'deleted', life.now))
  return usedUntil
}

async function ended(tx: Tx, service: ServiceRow, life: Life, history: LeavingHistory) {
  const { now } = life
  const mayWithdraw = millis(now) - millis(START) < 14 * DAY_MS
  if (history.end === 'cancel at end') {
    happened(life, 'canceled at end')
    return cancelService(tx, service, { at: 'period_end' }, now)
  }
  if (history.end === 'withdraw' && mayWithdraw) {
    happened(life, 'withdrawn')
    await withdrawFrom(tx, service, now)
    if (!history.immediateStart) life.given = Number.POSITIVE_INFINITY
    return
  }
  if (history.end === 'unpaid') {
    happened(life, 'unpaid')
    return wantEnd(tx, service, { reason: 'unpaid', keepsData: true }, now)
  }
  if (history.end === 'terminate' || history.end === 'fraud') {
    const reason = history.end === 'fraud' ? 'fraud' : 'terminated'
    happened(life, reason)
    await leave(tx, service, terminating(reason), now)
    return
  }
  happened(life, 'canceled now')
  await cancelService(tx, service, { at: 'now' }, now)
}

/**
 * What the shop was paid and keeps, against the price of the time: not less than that of the use, and
 * not more than that of the periods that were billed, or of the use where unused time is given back.
 */
async function assertKept(life: Life, history: LeavingHistory, usedUntil: Instant): Promise<void> {
  const { shop, given, changes } = life
  const invoices = await invoicesOf(life)
  const kept = invoices.reduce((sum, it) => {
    if (it.status === 'void') return sum
    return sum + it.totalCents - it.creditedCents
  }, 0)
  const free = await freeOf(life)
  const used = valueUntil(life, history, { until: usedUntil, free })
  const rounded = invoices.length + 1 + 2 * changes.length * (1 + free.length)
  assert.ok(kept >= used - given - rounded, `keeps ${kept} of ${used}, gave ${given}`)
  const service = await within(life, (tx) => serviceOf(tx, life))
  const isGivenBack = shop.creditOnCancel && history.end === 'cancel now'
  const billedUntil =
    history.plan === 'hour' || isGivenBack ? usedUntil : await lastBilled(life, usedUntil)
  const billed = valueUntil(life, history, { until: billedUntil, free })
  assert.ok(kept <= billed + rounded, `keeps ${kept}, which is more than ${billed}`)
  assert.ok(service.endedAt)
  assert.equal(service.nextInvoiceAt, null)
}

/** The end of the last period that anybody was asked to pay for. */
async function lastBilled({ shop, serviceId }: Life, usedUntil: Instant): Promise<Instant> {
  const { tenantId, database } = shop
  const periods = await listPeriods(database.of(tenantId), { tenantId, id: serviceId })
  return periods.reduce((last, { endsAt }) => (endsAt > last ? endsAt : last), usedUntil)
}

/** Free days, and the price of a period on the plan on which they cost nothing. */
type Free = { readonly start: Instant; readonly end: Instant; readonly base: number }

async function freeOf({ shop, serviceId }: Life): Promise<Free[]> {
  const { tenantId, database } = shop
  const periods = await listPeriods(database.of(tenantId), { tenantId, id: serviceId })
  return periods.flatMap(({ startsAt: start, endsAt: end, freePriceCents: base }) =>
    base === null ? [] : [{ start, end, base }],
  )
}

type Time = { readonly until: Instant; readonly free: readonly Free[] }

/** The price of the time until then, tax included, by plain arithmetic. */
function valueUntil(life: Life, history: LeavingHistory, { until, free }: Time): number {
  const anchor = later(START, agreed(history).trialDays * DAY_MS)
  if (history.plan === 'hour') return hoursUntil(anchor, until)
  const spans = withFree(spansOf(life, history, anchor), free)
  let [sum, counted] = [0, 0]
  for (const [index, { from, isPlanned, changes, freeBase, ...first }] of spans.entries()) {
    const cycle: Cycle = { interval: PLANS[first.plan].interval, intervalCount: 1 }
    const next = spans[index + 1]
    const spanEnd = Math.min(millis(until), millis(next?.from ?? until))
    if (freeBase !== null) {
      const { end, base } = freeBase
      const perMs = millis(boundary(end, cycle, 1)) - millis(end)
      let [since, priced]: [number, Priced] = [
        millis(from),
        changes.findLast(({ at }) => at < from) ?? first,
      ]
      for (const it of [...changes, null]) {
        if (it && (it.at < from || millis(it.at) >= spanEnd)) continue
        const to = it ? millis(it.at) : Math.max(since, spanEnd)
        const list = PLANS[priced.plan].priceCents * priced.factor
        const charged = priceOf(history, counted, priced) * Math.max(0, 1 - base / list)
        sum += (gross(charged) * (to - since)) / perMs
        ;[since, priced] = [to, it ?? priced]
      }
      continue
    }
    let k = 0
    for (; millis(boundary(from, cycle, k)) < spanEnd; k += 1) {
      const start = millis(boundary(from, cycle, k))
      const end = millis(boundary(from, cycle, k + 1))
      const stop = Math.min(spanEnd, end)
      const share = (price: number, since: number, to: number) =>
        (gross(price) * (to - since)) / (end - start)
      const priced = changes.findLast(({ at }) => millis(at) < start) ?? first
      let [since, price] = [start, priceOf(history, counted, priced)]
      // The period that a change of cycle begins with is none that coupons count (R1.9).
      counted += isPlanned || k > 0 ? 1 : 0
      for (const it of changes) {
        const at = millis(it.at)
        if (at < start || at >= stop) continue
        sum += share(price, since, at)
        // The rest of the period is at the new price, less the coupons of the next renewal (R4.9).
        ;[since, price] = [at, priceOf(history, counted, it)]
      }
      sum += share(price, since, stop)
    }
    // The coupon of a period that began in the instant of the change is spent, too.
    const isChange = next?.isPlanned === false && next.freeBase === null
    const isGivenUp = isChange && boundary(from, cycle, k) === next.from
    if (isGivenUp && (isPlanned || k > 0)) counted += 1
  }
  return sum
}

function hoursUntil(anchor: Instant, until: Instant): number {
  const cycle = { interval: 'month', intervalCount: 1 } as const
  let sum = 0
  for (let k = 0; boundary(anchor, cycle, k) < until; k += 1) {
    const [from, to] = [millis(boundary(anchor, cycle, k)), millis(boundary(anchor, cycle, k + 1))]
    const hours = Math.ceil((Math.min(millis(until), to) - from) / HOUR_MS)
    sum += gross(Math.min(PLANS.hour.priceCents, Math.round((hours * MICROS) / 10_000)))
  }
  return sum
}

/** A time on one cycle, which begins with the purchase or with a change, and the changes of product in it. */
type Span = Priced & {
  from: Instant
  isPlanned: boolean
  changes: Change[]
  /** Of free days: where they end, and up to which price of a period they cost nothing. */
  freeBase: { end: Instant; base: number } | null
}

/** Spans with the free days in them apart: periods are counted anew after those. */
function withFree(spans: readonly Span[], free: readonly Free[]): Span[] {
  return spans.flatMap((span, index) => {
    const end = spans[index + 1]?.from
    const own = free.filter(({ start }) => start >= span.from && (!end || start < end))
    return [
      ...(own[0]?.start === span.from ? [] : [span]),
      ...own.flatMap((it): Span[] => [
        { ...span, from: it.start, freeBase: { end: it.end, base: it.base } },
        ...(own.some(({ start }) => start === it.end) || it.end === end
          ? []
          : [{ ...span, from: it.end, isPlanned: true }]),
      ]),
    ]
  })
}

function spansOf({ changes }: Life, { plan }: LeavingHistory, anchor: Instant): Span[] {
  const spans: Span[] = [
    { plan, factor: 1, from: anchor, isPlanned: true, changes: [], freeBase: null },
  ]
  for (const it of changes) {
    const last = spans.at(-1)
    if (last?.plan === it.plan) last.changes.push(it)
    else spans.push({ ...it, from: it.at, changes: [], freeBase: null })
  }
  return spans
}

function gross(net: number): Cents {
  return cents(Math.round(net * 1.2))
}
