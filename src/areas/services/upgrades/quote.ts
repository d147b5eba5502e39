import { hasOpenDispute, type LineTexts, lineTextsFor } from '#billing'
import { type Cents, cents, rateOf, sumCents } from '#lib/money.ts'
import { lastDayOf, type Period, recurs, sameCycle } from '#lib/periods.ts'
import { conflict, notFound, type Problem, unprocessable } from '#lib/problem.ts'
import type { TaxTreatment } from '#lib/tax.ts'
import { dayOf, type Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import {
  findPlan,
  findProduct,
  type PlanRow,
  type PricedDocument,
  type ProductRow,
  type ProductWithPlans,
  priceIn,
  pricesFor,
  upgradeTargetsOf,
} from '#store'
import { settingsOf } from '#tenants'
import { customerPriceOf } from '../details/prices.ts'
import { freeTimeOf, priceOfFree } from '../free-days/rules.ts'
import { type Costs, costsOf, type SoldTax } from '../held/costs.ts'
import { paidLinesOf } from '../held/paid-lines.ts'
import { heldValue, keptOf, type PaidLine, wasRefunded } from '../held/rules.ts'
import type { ServiceRow } from '../queries.ts'
import { listPeriods, listUnpaid, type PeriodRow, startsWithCoupon } from '../renewals/queries.ts'
import { worthOf } from '../renewals/sale.ts'
import { couponsFor, type KeptCoupon, plannedFrom } from '../renewals/terms.ts'
import { assertActive } from '../rules.ts'
import type { CustomerPrice } from '../schema.ts'
import { serviceSettings } from '../settings.ts'
import { type ChangePart, listMadeChanges } from './queries.ts'
import {
  type ChangeEffect,
  effectOf,
  needsCreditNote,
  type Proration as Prorated,
  type ProrationMode,
  prorate,
  prorateNewCycle,
} from './rules.ts'
import type { Proration, UpgradeOrder } from './schema.ts'

type Wanted = Pick<UpgradeOrder, 'productId' | 'planId'>

/** A change of a service as it would be billed now: the preview and the real one are the same. */
export type UpgradeQuote = Target & {
  /** What a period costs from the change on, after coupons, in cents. */
  valueCents: Cents
  /** The same before coupons and with tax, as the customer pays it. */
  customerPrice: CustomerPrice
  /** What is paid or credited with the change: nothing when it waits for the next period. */
  proration: Proration
  document: PricedDocument<SaleLine & { tax: TaxTreatment }>
  effect: ChangeEffect
  /** When it takes effect; null when that is once it is paid. */
  effectiveAt: Instant | null
  /** Of a change to another cycle: from here its periods are counted (R4.10). */
  anchorAt: Instant | null
  /** The paid periods to come that a change to another cycle takes the place of; null for the same cycle. */
  countedPeriodIds: string[] | null
  /** What goes back by credit notes over what was paid before, tax included; not on the invoice. */
  creditedCents: Cents
  /** What is charged and credited for each period that is paid. */
  parts: ChangePart[]
}

/** The plan of a change, and what a period of it costs before coupons, in cents. */
type Target = { product: ProductRow; plan: PlanRow; priceCents: Cents }

/**
 * What a change to another product costs now (R4.9, R4.10), or would cost today if it had been asked for
 * at `since`, from where unused time is counted. 404 for a product that is not there, 409 for a service
 * that is not active, 422 for a change that is not offered.
 */
export async function quoteUpgrade(
  db: Db,
  service: ServiceRow,
  wanted: Wanted,
  now: Instant,
  since: Instant = now,
): Promise<UpgradeQuote> {
  await assertChangeable(db, service, now)
  const { current, targets } = await productsOf(db, service)
  const product = targets.find(({ id }) => id === wanted.productId)
  if (!current || !product) throw await notOffered(db, service.tenantId, wanted.productId)
  const target = { product, ...planOf(service, product, wanted.planId) }
  const facts = await factsOf(db, service, current, since)
  if (sameCycle(target.plan, service)) await assertOneCycle(db, facts)
  const [quote] = await quotesFor(db, facts, [target], now)
  if (!quote) throw new Error('A change has no quote')
  if (quote.creditedCents > 0) await assertNotDisputed(db, service)
  return quote
}

/**
 * What a change to each product costs now that the service may change to without another cycle. Throws
 * 409 and 422 as `quoteUpgrade` for a service that cannot change at all.
 */
export async function quoteTargets(
  db: Db,
  service: ServiceRow,
  now: Instant,
): Promise<UpgradeQuote[]> {
  await assertChangeable(db, service, now)
  const { current, targets } = await productsOf(db, service)
  if (!current) return []
  const facts = await factsOf(db, service, current, now)
  await assertOneCycle(db, facts)
  const offered = targets.flatMap((product) => {
    const plans = product.plans.filter((plan) => sameCycle(plan, service))
    return plans.flatMap((plan) => {
      const price = priceIn(plan, service.currency)
      return price ? [{ product, plan, priceCents: price.priceCents }] : []
    })
  })
  return quotesFor(db, facts, offered, now)
}

async function assertChangeable(db: Db, service: ServiceRow, now: Instant): Promise<void> {
  assertActive(service)
  assertProratable(service)
  // Money that a bank took back is owed for what would be credited, whether that suspends or not.
  if ((await listUnpaid(db, service)).some(({ dueAt }) => dueAt <= now)) throw unpaid()
}

async function productsOf(db: Db, { tenantId, productId }: ServiceRow) {
  const current = await findProduct(db, { tenantId, id: productId })
  const targets = (await upgradeTargetsOf(db, { tenantId, productId })) ?? []
  return { current, targets }
}

/** What every change of a service depends on, wherever it leads. */
type Facts = {
  service: ServiceRow
  since: Instant
  current: ProductRow
  period: Period
  /** The row of that period; undefined where it was not sold here. */
  running: PeriodRow | undefined
  mode: ProrationMode
  immediateCredit: boolean
  /** The most that is credited for the period; null when nothing of it was refunded. */
  heldCents: Cents | null
  /** The later periods that are paid, and what each cost and was not refunded. */
  later: { period: PeriodRow; creditCents: Cents; tax: SoldTax | null }[]
  /** Where the periods start that coupons count. */
  counted: readonly Instant[]
  texts: LineTexts
  /** How the period that is running was taxed on its invoice. */
  oldTax: SoldTax | null
}

async function factsOf(
  db: Db,
  service: ServiceRow,
  current: ProductRow,
  since: Instant,
): Promise<Facts> {
  const { prorationMode: mode, immediateCredit } = await settingsOf(
    db,
    service.tenantId,
    serviceSettings,
  )
  const period = paidPeriodOf(service, since)
  const periods = await listPeriods(db, service)
  const paid = periods.filter((it) => it.paidAt && it.startsAt >= period.start)
  const changes = await listMadeChanges(db, service)
  const costs = await costsOf(db, service, [...paid, ...changes, service])
  const lines = paidLinesOf(paid, changes, costs)
  const running = paid.find(({ startsAt }) => startsAt === period.start)
  const held: readonly PaidLine[] = (running && lines.get(running.id)) ?? []
  const later = paid.flatMap((it) => {
    if (it.startsAt < period.end) return []
    const own = lines.get(it.id)
    const tax = soldTaxOf(costs, it.invoiceId)
    return { period: it, creditCents: own ? keptOf(own) : it.valueCents, tax }
  })
  return {
    ...{ service, since, current, period, running, mode, immediateCredit, later },
    heldCents: wasRefunded(held) ? heldValue(held, since) : null,
    counted: await startsWithCoupon(db, service),
    texts: await lineTextsFor(db, service),
    oldTax: soldTaxOf(costs, running?.invoiceId ?? service.invoiceId),
  }
}

/** A later period that is paid on a planned plan of another cycle has no price on the cycle of the service. */
async function assertOneCycle(db: Db, { service, later }: Facts): Promise<void> {
  const { tenantId, scheduledPlanId: id } = service
  if (!id || !later.some(({ period }) => period.planId === id)) return
  const planned = await findPlan(db, { tenantId, id })
  if (!planned || sameCycle(planned, service)) return
  throw conflict('Its plan changes with the period that is paid.', 'change_planned')
}

/** How an invoice taxed the service. */
function soldTaxOf({ invoiceOf, ofInvoice }: Costs, invoiceId: string | null): SoldTax | null {
  const invoice = invoiceOf(invoiceId)
  return (invoice && ofInvoice(invoice)[0]?.tax) ?? null
}

/** A change with what it costs before tax, and for which periods. */
type Change = Target & {
  valueCents: Cents
  customerPrice: CustomerPrice
  prorated: Prorated
  anchorAt: Instant | null
  countedPeriodIds: string[] | null
  parts: ChangePart[]
}

function changeTo(facts: Facts, target: Target, priced: Price): Change {
  const { service, since: at, current, period, running, mode, heldCents, texts } = facts
  const { product, plan } = target
  const price = (start: Instant) => chargedPrice(facts, target, start, priced)
  const valueCents = price(period.end)
  const { userId, currency } = service
  const customerPrice = customerPriceOf(priced({ userId, currency, lines: [lineOf(target)] }))
  const priceOfRow = (row: PeriodRow | undefined, chargedCents: Cents) => {
    const free = row && freeTimeOf(row)
    const { priceCents } = target
    return free ? priceOfFree(free, { priceCents, chargedCents, cycle: plan }) : chargedCents
  }
  const runningCents = priceOfRow(running, valueCents)
  const later = facts.later.map((it) => {
    return {
      creditCents: it.creditCents,
      chargeCents: priceOfRow(it.period, price(it.period.startsAt)),
    }
  })
  const same = sameCycle(plan, service)
  const description = same
    ? texts.restOfPeriod(product.name, lastDayOf(period))
    : texts.newPeriod(product.name)
  const unused = texts.unusedTime(current.name, lastDayOf(period))
  const change = {
    ...{ period, at, mode, currency: service.currency, heldCents, later },
    from: { description: unused, priceCents: heldIn(service, running) },
    to: { description, priceCents: same ? runningCents : valueCents },
  }
  if (!same) {
    const { anchor, period: first, ...prorated } = prorateNewCycle(change, plan)
    const span = { startsAt: anchor, endsAt: first.end }
    // What was held before is a part of what the new period was paid with.
    const part = { ...span, creditCents: cents(0), chargeCents: valueCents, valueCents }
    const countedPeriodIds = facts.later.map((it) => it.period.id)
    return {
      ...target,
      valueCents,
      customerPrice,
      prorated,
      anchorAt: anchor,
      countedPeriodIds,
      parts: [part],
    }
  }
  const prorated = prorate(change)
  const span = { startsAt: at, endsAt: period.end }
  const own = { ...span, ...prorated.current, valueCents: runningCents }
  const parts = facts.later.map(({ period: { startsAt, endsAt } }, index) => {
    const { creditCents = cents(0), chargeCents = cents(0) } = later[index] ?? {}
    return { startsAt, endsAt, creditCents, chargeCents, valueCents: chargeCents }
  })
  const whole = [own, ...parts]
  return {
    ...target,
    valueCents,
    customerPrice,
    prorated,
    anchorAt: null,
    countedPeriodIds: null,
    parts: whole,
  }
}

/** What the running period is worth; of free days, what a change charged for them. */
function heldIn(service: ServiceRow, running: PeriodRow | undefined): Cents {
  return running && freeTimeOf(running) ? running.valueCents : service.valueCents
}

type Price = Awaited<ReturnType<typeof pricesFor>>

/**
 * The price of a period of a plan for this customer, as on an invoice: without home VAT if none is due, and
 * less the coupons that cover it (R1.6, R4.9).
 */
function chargedPrice(
  { service, counted }: Facts,
  target: Target,
  start: Instant,
  price: Price,
): Cents {
  const { userId, currency } = service
  const n = counted.filter((it) => it < start).length + 1
  const coupons = couponsFor(service.coupons as unknown as KeptCoupon[], n)
  const lines = [lineOf(target)]
  return worthOf(price({ userId, currency, lines, coupons }).lines, target.priceCents)
}

function lineOf({ product, plan, priceCents }: Target) {
  const place = { productId: product.id, categoryId: product.categoryId, planId: plan.id }
  const line = { ...place, interval: plan.interval, quantity: 1, setupFee: false }
  return { ...line, unitPriceCents: priceCents }
}

type SaleLine = ReturnType<typeof linesOf>[number]

/** What the invoice of a change says: the credit for the old plan, then the charge for the new one. */
function linesOf({ current }: Facts, { product, plan, prorated }: Change) {
  const { id: planId, interval } = plan
  return prorated.lines.map(({ description, quantity, unitPriceCents }, index) => {
    const { id: productId, categoryId } = index === 0 ? current : product
    // Both amounts are what this customer paid and is charged: with or without home VAT.
    const line = { description, quantity, unitPriceCents, setupFee: false, asCharged: true }
    return { ...line, productId, categoryId, planId, interval }
  })
}

/** Prices changes of one service: tax rates are read once for all of them. */
async function quotesFor(
  db: Db,
  facts: Facts,
  targets: readonly Target[],
  now: Instant,
): Promise<UpgradeQuote[]> {
  const { tenantId, userId, currency } = facts.service
  const products = [facts.current, ...targets.map(({ product }) => product)]
  const named = products.map(({ id: productId }) => ({ productId }))
  const price = await pricesFor(db, { tenantId, sales: [{ userId, lines: named }] }, now)
  const sales = targets.map((target) => {
    const change = changeTo(facts, target, price)
    return { change, sale: { userId, currency, lines: linesOf(facts, change) } }
  })
  return sales.map(({ change, sale }) => {
    const whole = price(sale)
    const apartCents = creditedApart(facts, change, whole)
    const lines = sale.lines.slice(1)
    const document = apartCents > 0 ? price({ ...sale, lines }) : whole
    return quoteOf(facts, change, { document, apartCents }, now)
  })
}

/**
 * The amount to credit on the old invoices, tax included. If the new plan is taxed differently from a period,
 * the old period is not a line of the new invoice, so that no tax group is negative (R4.9): each period is
 * credited with the tax it was sold with. 0 if the old period is a line.
 */
function creditedApart(
  { oldTax, later }: Facts,
  { prorated: { current, creditCents } }: Change,
  { lines: [before, after], priceMode }: UpgradeQuote['document'],
): Cents {
  if (!before || !after || creditCents === 0) return cents(0)
  const credits = [{ creditCents: current.creditCents, tax: oldTax }, ...later]
    .filter((it) => it.creditCents > 0)
    .map((it) => ({ ...it, tax: { ...before.tax, ...it.tax } }))
  if (!credits.some(({ tax }) => needsCreditNote(tax, after.tax))) return cents(0)
  const rates = Map.groupBy(credits, ({ tax }) => tax.rateBasisPoints ?? 0)
  const amounts = [...rates].flatMap(([rate, ofRate]) => {
    const netCents = sumCents(ofRate.map((it) => it.creditCents))
    return [netCents, priceMode === 'inclusive' ? 0 : rateOf(netCents, rate)]
  })
  return sumCents(amounts)
}

type Priced = { document: UpgradeQuote['document']; apartCents: Cents }

function quoteOf(
  { immediateCredit, period, service: { freeUntil } }: Facts,
  { prorated, ...change }: Change,
  { document, apartCents }: Priced,
  now: Instant,
): UpgradeQuote {
  const { netCents } = prorated
  const { totalCents } = document
  const byNet = effectOf(netCents, { immediateCredit })
  const isPaid = apartCents > 0 && byNet !== 'next_period' && totalCents > 0
  const effect = isPaid ? 'on_payment' : byNet
  if (effect === 'next_period') {
    const proration = { ...NOTHING, currency: document.currency, lines: [] }
    const effectiveAt = plannedFrom({ currentPeriodEnd: period.end, freeUntil })
    return { ...change, document, effect, effectiveAt, proration, creditedCents: cents(0) }
  }
  const { creditCents, chargeCents, lines } = prorated
  const { taxCents, currency } = document
  const effectiveAt = effect === 'on_payment' ? null : now
  const isCredit = effect === 'credit_note' && apartCents === 0
  return {
    ...{ ...change, document, effect, effectiveAt },
    proration: {
      ...{ creditCents, chargeCents, netCents, taxCents, totalCents, currency },
      lines: lines.slice(apartCents > 0 ? 1 : 0),
    },
    creditedCents: isCredit ? cents(-totalCents) : apartCents,
  }
}

const ZERO = cents(0)
const NOTHING = {
  ...{ creditCents: ZERO, chargeCents: ZERO, netCents: ZERO, taxCents: ZERO, totalCents: ZERO },
}

/** What a bank holds cannot be given back before it has decided. */
async function assertNotDisputed(db: Db, { tenantId, userId }: ServiceRow): Promise<void> {
  if (!(await hasOpenDispute(db, { tenantId, userId }))) return
  const message = 'A bank is asking about a payment. Wait until it has decided.'
  throw conflict(message, 'invoice_disputed')
}

function assertProratable(service: ServiceRow): void {
  if (!recurs(service) || service.interval === 'hour') {
    throw unprocessable('A plan of this kind cannot be changed.', 'plan_not_upgradable')
  }
  if (service.cancelAtPeriodEnd) {
    throw conflict('This service ends with its period. Resume it first.', 'service_canceled')
  }
}

/** The period that is running and paid for. */
function paidPeriodOf(service: ServiceRow, now: Instant): Period {
  const { currentPeriodStart: start, currentPeriodEnd: end, anchorAt, trialDays } = service
  if (!start || !end) throw unprocessable('This service has no period.', 'plan_not_upgradable')
  if (anchorAt && start < anchorAt) {
    const message =
      trialDays > 0
        ? 'A trial cannot be changed.'
        : `This service was taken over; it can be changed from ${dayOf(end)} on, when it first renews.`
    throw unprocessable(message, 'plan_not_upgradable')
  }
  if (now < start || now >= end) {
    throw unpaid()
  }
  return { start, end }
}

function unpaid(): Problem {
  return conflict('The current period of this service is not paid for.', 'period_unpaid')
}

async function notOffered(db: Db, tenantId: string, id: string) {
  const product = await findProduct(db, { tenantId, id })
  if (!product || product.archivedAt) return notFound('Product')
  return unprocessable('This service cannot change to that product.', 'not_an_upgrade_target')
}

/** The plan of the new product: the one that was asked for, or the one of the same cycle. */
function planOf(service: ServiceRow, product: ProductWithPlans, planId: string | undefined) {
  for (const plan of product.plans) {
    if (planId ? plan.id !== planId : !sameCycle(plan, service)) continue
    const price = priceIn(plan, service.currency)
    if (!price || !recurs(plan) || plan.interval === 'hour') continue
    return { plan, priceCents: price.priceCents }
  }
  if (planId && !product.plans.some(({ id }) => id === planId)) throw notFound('Plan')
  throw unprocessable('That product has no plan of this service’s period.', 'no_matching_plan')
}
