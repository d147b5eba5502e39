import { type Cents, cents, rateOf, sumCents } from '#lib/money.ts'
import { lastDayOf, recurs, sameCycle } from '#lib/periods.ts'
import { conflict, notFound, type Problem, unprocessable } from '#lib/problem.ts'
import type { TaxTreatment } from '#lib/tax.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import {
  assertOptions,
  type Carried,
  type ChangedOption,
  type Component,
  carryOptions,
  findPlan,
  findProduct,
  type PlanRow,
  type PricedDocument,
  type ProductRow,
  type ProductWithPlans,
  priceIn,
  priceSelections,
  pricesFor,
  sumOfComponents,
  upgradeTargetsOf,
} from '#store'
import {
  changesBetween,
  type KeptComponent,
  optionsAmong,
  planPriceOf,
  selectedOf,
  valuesOfLines,
  withoutFees,
  withValues,
} from '../components/rules.ts'
import { customerPriceOf } from '../details/prices.ts'
import { freeTimeOf, priceOfFree } from '../free-days/rules.ts'
import type { ServiceRow } from '../queries.ts'
import type { PeriodRow } from '../renewals/queries.ts'
import { worthOf } from '../renewals/sale.ts'
import { couponsFor, type KeptCoupon, plannedFrom } from '../renewals/terms.ts'
import type { CustomerPrice } from '../schema.ts'
import { assertChangeable, assertNotDisputed, type Facts, factsOf, hadInPeriod } from './facts.ts'
import type { ChangePart } from './queries.ts'
import {
  type ChangeEffect,
  effectOf,
  needsCreditNote,
  type Proration as Prorated,
  prorate,
  prorateNewCycle,
} from './rules.ts'
import type { Proration, UpgradeOrder } from './schema.ts'

/** Another product for a service, and its options there. */
export type UpgradeWish = Pick<UpgradeOrder, 'productId' | 'planId' | 'dropOptions'> & {
  readonly options?: UpgradeOrder['options'] | undefined
  /** Staff may choose hidden options. */
  readonly isStaff: boolean
  /** Values of which a unit is held for the change already. */
  readonly heldValueIds?: readonly string[]
}

/** A change of a service as it would be billed now. The preview and the real change use the same quote. */
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
  /** For a change to another cycle: its periods are counted from this time (R4.10). */
  anchorAt: Instant | null
  /** The future paid periods that a change to another cycle replaces; null for the same cycle. */
  countedPeriodIds: string[] | null
  /** What is returned by credit notes on invoices that were paid before, tax included; not on the invoice. */
  creditedCents: Cents
  /** What is charged and credited for each period that is paid. */
  parts: ChangePart[]
  /** The components of the service from the change on. */
  components: KeptComponent[]
  /** The options that it has then and does not have now, with the fees that are charged once; or that it gives up. */
  options: readonly ChangedOption[]
  /** From when on unused time was counted. */
  pricedAt: Instant
}

/** The plan of a change, its components, and what a period of all that costs before coupons, in cents. */
export type Target = {
  product: ProductRow
  plan: PlanRow
  priceCents: Cents
  components: readonly Component[]
}

/** A plan that a change may lead to, with its own price. */
type Offered = Omit<Target, 'components'>

/** The same with the options that a service has there, and with those that it would lose. */
type Carrying = Target & Pick<Carried, 'dropped' | 'faults'>

/**
 * What a change to another product costs now (R4.9, R4.10), or would cost today if it had been requested at `since`,
 * from when on unused time is counted. Throws 404 for a product that does not exist, 409 for a service that is not
 * active, 422 for a change that is not offered: `options_invalid` with all faults of the options wanted, and
 * `options_dropped` with those that the product does not offer and the wish does not give up (S2.11).
 */
export async function quoteUpgrade(
  db: Db,
  service: ServiceRow,
  wanted: UpgradeWish,
  now: Instant,
  since: Instant = now,
): Promise<UpgradeQuote> {
  await assertChangeable(db, service, now)
  const { current, targets } = await productsOf(db, service)
  const product = targets.find(({ id }) => id === wanted.productId)
  if (!current || !product) throw await notOffered(db, service.tenantId, wanted.productId)
  const offered = { product, ...planOf(service, product, wanted.planId) }
  const facts = await factsOf(db, service, current, since)
  const [target] = await targetsOf(db, facts, [offered], wanted)
  if (!target) throw noMatchingPlan()
  assertOptions(target.faults)
  if (target.dropped.length > 0) {
    const message = 'The new product does not offer all options that the service has.'
    throw unprocessable(message, 'options_dropped', [...target.dropped])
  }
  if (sameCycle(target.plan, service)) await assertOneCycle(db, facts)
  const [quote] = await quotesFor(db, facts, [target], now)
  if (!quote) throw new Error('A change has no quote')
  if (quote.creditedCents > 0) await assertNotDisputed(db, service)
  return quote
}

/** A change to a product, and the keys of the options that would be given up with it. */
export type TargetQuote = UpgradeQuote & { readonly dropped: readonly string[] }

/**
 * What a change costs now, for each product that the service may change to without another cycle, with the options of
 * the service that the product offers. Throws 409 and 422 as `quoteUpgrade` for a service that cannot change at all.
 */
export async function quoteTargets(
  db: Db,
  service: ServiceRow,
  now: Instant,
): Promise<TargetQuote[]> {
  await assertChangeable(db, service, now)
  const { current, targets } = await productsOf(db, service)
  if (!current) return []
  const facts = await factsOf(db, service, current, now)
  await assertOneCycle(db, facts)
  const offered = targets.flatMap((product): Offered[] => {
    const plans = product.plans.filter((plan) => sameCycle(plan, service))
    return plans.flatMap((plan) => {
      const price = priceIn(plan, service.currency)
      return price && plan.id !== service.planId
        ? [{ product, plan, priceCents: price.priceCents }]
        : []
    })
  })
  const carrying = await targetsOf(db, facts, offered, { isStaff: false })
  const quotes = await quotesFor(db, facts, carrying, now)
  return quotes.map((quote, index) => {
    const dropped = carrying[index]?.dropped ?? []
    return { ...quote, dropped: dropped.map(({ path }) => path.slice('options.'.length)) }
  })
}

/**
 * The product and terms of a plan that a service may change to, and the options of the service that it offers. Throws
 * 404 for any other plan, and 409 and 422 as `quoteUpgrade` for a service that cannot change at all.
 */
export async function offeredOn(
  db: Db,
  service: ServiceRow,
  { planId, isStaff }: { readonly planId: string; readonly isStaff: boolean },
  now: Instant,
): Promise<{ product: ProductRow; plan: PlanRow; components: readonly Component[] }> {
  await assertChangeable(db, service, now)
  const { current, targets } = await productsOf(db, service)
  const product = targets.find(({ plans }) => plans.some(({ id }) => id === planId))
  if (!current || !product) throw notFound('Plan')
  const offered = { product, ...planOf(service, product, planId) }
  const facts = await factsOf(db, service, current, now)
  const [target] = await targetsOf(db, facts, [offered], { isStaff })
  if (!target) throw noMatchingPlan()
  return target
}

/**
 * Plans with the components of the service at today's prices; plans that are not sold at the location of the service
 * are left out.
 */
async function targetsOf(
  db: Db,
  facts: Facts,
  offered: readonly Offered[],
  wish: Omit<UpgradeWish, 'productId' | 'planId'>,
): Promise<Carrying[]> {
  const { service } = facts
  const { tenantId, currency, locationId, components: kept } = service
  const selected = selectedOf(service).filter(({ kind }) => kind === 'location')
  const terms = offered.map(({ plan: { interval, intervalCount } }) => {
    return { interval, intervalCount, currency }
  })
  const places = await priceSelections(
    db,
    tenantId,
    terms.map((it) => ({ terms: it, selected })),
  )
  const sold = offered.flatMap((it, index) => {
    const [place, sale] = [places[index], terms[index]]
    return place && sale ? [{ ...it, terms: sale, place: withoutFees(place) }] : []
  })
  const { options = {}, dropOptions = [], isStaff, heldValueIds = [] } = wish
  const carried = await carryOptions(db, tenantId, sold, {
    ...{ kept, had: hadInPeriod(facts), locationId, isStaff, heldValueIds },
    ...{ wish: options, drop: dropOptions },
  })
  return sold.map(({ terms: _, place, priceCents, ...target }, index) => {
    const { components: chosen = [], dropped = [], faults = [] } = carried[index] ?? {}
    const components = [...place, ...chosen]
    const plan = { priceCents, feeCents: ZERO, priceMicros: null }
    return { ...target, ...sumOfComponents([plan, ...components]), components, dropped, faults }
  })
}

async function productsOf(db: Db, { tenantId, productId }: ServiceRow) {
  const current = await findProduct(db, { tenantId, id: productId })
  const targets = (await upgradeTargetsOf(db, { tenantId, productId })) ?? []
  return { current, targets }
}

/** Throws if a later period is paid on a planned plan of another cycle: it has no price on the cycle of the service. */
async function assertOneCycle(db: Db, { service, later }: Facts): Promise<void> {
  const { tenantId, scheduledPlanId: id } = service
  if (!id || !later.some(({ period }) => period.planId === id)) return
  const planned = await findPlan(db, { tenantId, id })
  if (!planned || sameCycle(planned, service)) return
  throw conflict('Its plan changes with the period that is paid.', 'change_planned')
}

/** A change with what it costs before tax, and for which periods. */
export type Change = Target & {
  valueCents: Cents
  customerPrice: CustomerPrice
  prorated: Prorated
  anchorAt: Instant | null
  countedPeriodIds: string[] | null
  parts: ChangePart[]
  components: KeptComponent[]
  options: readonly ChangedOption[]
}

function changeTo(facts: Facts, target: Target, priced: Price): Change {
  const { service, since: at, current, period, running, mode, heldCents, texts } = facts
  const { product, plan } = target
  const price = (start: Instant) => chargedPrice(facts, target, start, priced)
  const { valueCents, values } = price(period.end)
  const components = withValues(withoutFees(target.components), values)
  const options = changesBetween(optionsAmong(service.components), optionsAmong(target.components))
  const { userId, currency } = service
  const customerPrice = customerPriceOf(priced({ userId, currency, lines: saleLinesOf(target) }))
  const priceOfRow = (row: PeriodRow | undefined, chargedCents: Cents) => {
    const free = row && freeTimeOf(row)
    const { priceCents } = target
    return free ? priceOfFree(free, { priceCents, chargedCents, cycle: plan }) : chargedCents
  }
  const runningCents = priceOfRow(running, valueCents)
  const later = facts.later.map((it) => {
    const charged = price(it.period.startsAt)
    return {
      creditCents: it.creditCents,
      chargeCents: priceOfRow(it.period, charged.valueCents),
      values: charged.values,
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
    const { anchor, period: first, ...costs } = prorateNewCycle(change, plan)
    const prorated = withFees(costs, target, texts)
    const span = { startsAt: anchor, endsAt: first.end }
    // The value of the old period is part of the payment for the new one.
    const part = { ...span, creditCents: cents(0), chargeCents: valueCents, valueCents, values }
    const countedPeriodIds = facts.later.map((it) => it.period.id)
    return {
      ...target,
      valueCents,
      customerPrice,
      prorated,
      anchorAt: anchor,
      countedPeriodIds,
      parts: [part],
      ...{ components, options },
    }
  }
  const prorated = withFees(prorate(change), target, texts)
  const span = { startsAt: at, endsAt: period.end }
  const own = { ...span, ...prorated.current, valueCents: runningCents, values }
  const parts = facts.later.map(({ period: { startsAt, endsAt } }, index) => {
    const { creditCents = ZERO, chargeCents = ZERO, values = {} } = later[index] ?? {}
    return { startsAt, endsAt, creditCents, chargeCents, valueCents: chargeCents, values }
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
    ...{ components, options },
  }
}

/** The costs of a change with the setup fees of its options: each is a line of its own (S2.5). */
function withFees(costs: Prorated, { components }: Target, texts: Facts['texts']): Prorated {
  const lines = components
    .filter(({ feeCents }) => feeCents > 0)
    .map(({ name, label, feeCents }) => {
      const description = texts.setup(texts.component(name, label))
      return { description, quantity: 1, unitPriceCents: feeCents, netCents: feeCents }
    })
  const fees = sumCents(lines.map(({ netCents }) => netCents))
  return {
    ...costs,
    chargeCents: cents(costs.chargeCents + fees),
    netCents: cents(costs.netCents + fees),
    lines: [...costs.lines, ...lines],
  }
}

/** What the current period is worth; for free days, what a change charged for them. */
function heldIn(service: ServiceRow, running: PeriodRow | undefined): Cents {
  return running && freeTimeOf(running) ? running.valueCents : service.valueCents
}

export type Price = Awaited<ReturnType<typeof pricesFor>>

/**
 * The price of a period of a plan and its components for this customer, as on an invoice: without home VAT if none is
 * due, and less the coupons that cover it (R1.6, R4.9); also each component's share of it.
 */
function chargedPrice(
  { service, counted }: Facts,
  target: Target,
  start: Instant,
  price: Price,
): { valueCents: Cents; values: Record<string, Cents> } {
  const { userId, currency } = service
  const n = counted.filter((it) => it < start).length + 1
  const coupons = couponsFor(service.coupons as unknown as KeptCoupon[], n)
  const { lines } = price({ userId, currency, lines: saleLinesOf(target), coupons })
  return { valueCents: worthOf(lines, target.priceCents), values: valuesOfLines(lines) }
}

type Priceable = Pick<Target, 'priceCents' | 'components'> & {
  readonly product: Pick<ProductRow, 'id' | 'categoryId'>
  readonly plan: Pick<PlanRow, 'id' | 'interval'>
}

/** A period of a plan and its components, undiscounted. */
export function saleLinesOf({ product, plan, priceCents, components }: Priceable) {
  const place = { productId: product.id, categoryId: product.categoryId, planId: plan.id }
  const line = { ...place, interval: plan.interval, quantity: 1, setupFee: false }
  const own = planPriceOf({ priceCents, priceMicros: null }, components)
  return [
    { ...line, component: null, unitPriceCents: own.priceCents },
    ...components.map((it) => ({ ...line, component: it.key, unitPriceCents: it.priceCents })),
  ]
}

/** A line of the invoice of a change, and the component that it charges or credits periods of. */
export type SaleLine = Omit<ReturnType<typeof linesOf>[number], 'asCharged'> & {
  readonly component?: string
  readonly asCharged?: boolean
}

/** The lines of the invoice of a change: the credit for the old plan, the charge for the new one, then its fees. */
function linesOf({ current }: Facts, { product, plan, prorated }: Change) {
  const { id: planId, interval } = plan
  return prorated.lines.map(({ description, quantity, unitPriceCents }, index) => {
    const { id: productId, categoryId } = index === 0 ? current : product
    // Credit and charge are what this customer paid and is charged: with or without home VAT.
    const setupFee = index > 1
    const line = { description, quantity, unitPriceCents, setupFee, asCharged: !setupFee }
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
  return sales.map(({ change, sale }) =>
    quoteOf(facts, change, documentsOf(facts, change, sale, price), now),
  )
}

type ChangeSale = {
  readonly userId: string
  readonly currency: string
  readonly lines: readonly SaleLine[]
}

/** The document of a change's invoice, and the amount that is credited on old invoices instead. */
export function documentsOf(
  facts: Facts,
  change: Pick<Change, 'prorated'>,
  sale: ChangeSale,
  price: Price,
): Priced {
  const whole = price(sale)
  const apartCents = creditedApart(facts, change, whole)
  const lines = sale.lines.filter(({ quantity }) => quantity > 0)
  return { document: apartCents > 0 ? price({ ...sale, lines }) : whole, apartCents }
}

/**
 * The amount to credit on the old invoices, tax included. If what is charged is taxed differently from a period, the
 * credit is not a line of the new invoice, so that no tax group is negative (R4.9): each period is credited with the
 * tax it was sold with. 0 if the credits are lines.
 */
function creditedApart(
  { oldTax, later }: Pick<Facts, 'oldTax'> & { later: readonly Credit[] },
  { prorated: { current, creditCents } }: Pick<Change, 'prorated'>,
  { lines, priceMode }: UpgradeQuote['document'],
): Cents {
  const before = lines.find(({ quantity }) => quantity < 0)
  const after = lines.find(({ quantity }) => quantity > 0) ?? before
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

type Credit = Pick<Facts['later'][number], 'creditCents' | 'tax'>

type Priced = { document: UpgradeQuote['document']; apartCents: Cents }

export function quoteOf(
  { immediateCredit, period, since, service: { freeUntil } }: Facts,
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
    const planned = { document, effect, effectiveAt, proration, creditedCents: cents(0) }
    return { ...change, ...planned, pricedAt: since }
  }
  const { creditCents, chargeCents, lines } = prorated
  const { taxCents, currency } = document
  const effectiveAt = effect === 'on_payment' ? null : now
  const isCredit = effect === 'credit_note' && apartCents === 0
  return {
    ...{ ...change, document, effect, effectiveAt, pricedAt: since },
    proration: {
      ...{ creditCents, chargeCents, netCents, taxCents, totalCents, currency },
      lines: lines.filter(({ quantity }) => apartCents === 0 || quantity > 0),
    },
    creditedCents: isCredit ? cents(-totalCents) : apartCents,
  }
}

const ZERO = cents(0)

export const NOTHING = {
  ...{ creditCents: ZERO, chargeCents: ZERO, netCents: ZERO, taxCents: ZERO, totalCents: ZERO },
}

async function notOffered(db: Db, tenantId: string, id: string) {
  const product = await findProduct(db, { tenantId, id })
  if (!product || product.archivedAt) return notFound('Product')
  return unprocessable('This service cannot change to that product.', 'not_an_upgrade_target')
}

/** The plan of the new product: the requested one, or the one with the same cycle. */
function planOf(service: ServiceRow, product: ProductWithPlans, planId: string | undefined) {
  for (const plan of product.plans) {
    if (planId ? plan.id !== planId : !sameCycle(plan, service)) continue
    const price = priceIn(plan, service.currency)
    if (!price || !recurs(plan) || plan.interval === 'hour' || plan.id === service.planId) continue
    return { plan, priceCents: price.priceCents }
  }
  if (planId && !product.plans.some(({ id }) => id === planId)) throw notFound('Plan')
  throw noMatchingPlan()
}

function noMatchingPlan(): Problem {
  return unprocessable('That product has no plan of this service’s period.', 'no_matching_plan')
}
