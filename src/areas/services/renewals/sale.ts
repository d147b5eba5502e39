import { type LineTexts, lineTextsIn } from '#billing'
import { type Cents, cents, sumCents } from '#lib/money.ts'
import { daysOf, type Period } from '#lib/periods.ts'
import { unprocessable } from '#lib/problem.ts'
import { type Instant, secondsBetween } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import {
  type Component,
  findPlans,
  findProducts,
  type PlanRow,
  type ProductRow,
  priceIn,
  priceSelections,
  type Sale,
  sumOfComponents,
  type UntaxedLine,
} from '#store'
import { localesOf } from '#users'
import { besideText, planPriceOf, priceWith, scheduledOf, selectedOf } from '../components/rules.ts'
import type { ServiceRow } from '../queries.ts'
import { hourlyCharge } from './charges.ts'
import { countInvoicedPeriods, listPriceChanges } from './queries.ts'
import { type PriceChange, priceOf } from './rules.ts'
import { type BilledPlan, couponsFor, type KeptCoupon } from './terms.ts'

/** A period of a service to be invoiced: which one, on what plan, and when payment is due. */
export type ToBill = {
  readonly service: ServiceRow
  readonly plan: BilledPlan
  readonly period: Period
  readonly dueAt: Instant
}

/** What decides on the price of periods before tax, read once for many services of a tenant. */
export type SaleFacts = {
  readonly products: ReadonlyMap<string, ProductRow>
  readonly plans: ReadonlyMap<string, PlanRow>
  readonly priceChanges: ReadonlyMap<string, readonly PriceChange[]>
  /** How many periods of a service with coupons were invoiced before. */
  readonly invoiced: ReadonlyMap<string, number>
  /** The components of services that change their plan, at today's prices of the new plan. */
  readonly beside: ReadonlyMap<string, readonly Component[] | null>
  /** The languages of customers. */
  readonly locales: ReadonlyMap<string, string>
}

/** A period as it is sold: what it costs before discounts, and the lines of its invoice. */
export type PeriodSale = Sale<PeriodLine> & {
  readonly priceCents: Cents
  /** The components of the service in this period, with the fees that are charged with it. */
  readonly components: readonly Component[]
}

/** A line of a period: of the plan, of the component with this key, or of what is charged once. */
type PeriodLine = UntaxedLine & { readonly description: string; readonly component: string | null }

const NO_SALES: SaleFacts = {
  ...{ products: new Map(), plans: new Map(), priceChanges: new Map(), invoiced: new Map() },
  ...{ beside: new Map(), locales: new Map() },
}

/** Reads what the sales of periods depend on. */
export async function saleFactsFor(
  db: Db,
  tenantId: string,
  toBill: readonly ToBill[],
): Promise<SaleFacts> {
  // Most services that are read have no period to price.
  if (toBill.length === 0) return NO_SALES
  const ids = toBill.map(({ service }) => service.id)
  const withCoupons = toBill.filter(({ service }) => service.coupons.length > 0)
  const products = await findProducts(db, tenantId, distinct(toBill.map((it) => it.plan.productId)))
  const plans = await findPlans(db, tenantId, distinct(toBill.map((it) => it.plan.planId)))
  const changes = await listPriceChanges(db, tenantId, ids)
  const moving = toBill.filter(({ service, plan }) => plan.planId !== service.planId)
  const beside = await priceSelections(
    db,
    tenantId,
    moving.map(({ service, plan }) => ({
      terms: { ...plan.cycle, currency: service.currency },
      // The options that change with the plan were chosen when it was planned.
      selected: selectedOf({ ...service, components: scheduledOf(service) }),
    })),
  )
  return {
    beside: new Map(moving.map(({ service }, index) => [service.id, beside[index] ?? null])),
    products: new Map(products.map((it) => [it.id, it])),
    plans: new Map(plans.map((it) => [it.id, it])),
    priceChanges: Map.groupBy(changes, ({ serviceId }) => serviceId),
    locales: await localesOf(db, tenantId, distinct(toBill.map((it) => it.service.userId))),
    invoiced: await countInvoicedPeriods(
      db,
      tenantId,
      withCoupons.map(({ service }) => service.id),
    ),
  }
}

/** What a period is sold for. Throws 422 when its plan is gone, or has no price in its currency. */
export function saleOf({ service, plan: billed, period }: ToBill, facts: SaleFacts): PeriodSale {
  const product = facts.products.get(billed.productId)
  const plan = facts.plans.get(billed.planId)
  if (!product || !plan)
    throw unprocessable('The plan of this service does not exist any more.', 'plan_gone')
  const { priceCents, components } = pricesOfPeriod(service, plan, period, facts)
  const { setupFeeCents } = service
  const n = (facts.invoiced.get(service.id) ?? 0) + 1
  const texts = lineTextsIn(facts.locales.get(service.userId))
  const priced = { priceCents, setupFeeCents, components }
  return saleAt(service, { product, plan, period, ...priced, n, texts })
}

/** A period with its price: its plan, its setup fee, and its number among the invoiced periods. */
type AtPrice = {
  readonly product: ProductRow
  readonly plan: PlanRow
  readonly period: Period
  /** The price of the plan and all components. */
  readonly priceCents: Cents
  readonly setupFeeCents: Cents
  readonly components: readonly Component[]
  readonly n: number
  /** The customer's language. */
  readonly texts: LineTexts
}

/** What a period is sold for at a known price: the plan, its setup fee, then its components. */
export function saleAt(
  service: ServiceRow,
  { product, plan, period, priceCents, setupFeeCents, components, n, texts }: AtPrice,
): PeriodSale {
  const { userId, currency, priceMicros } = service
  const isMetered = plan.interval === 'hour'
  const place = { productId: product.id, categoryId: product.categoryId, planId: plan.id }
  const line = { ...place, interval: plan.interval, quantity: 1, component: null }
  const charged = (price: Metered) => (isMetered ? usedIn(period, price) : price.priceCents)
  const what = `${product.name}, ${plan.name}`
  const named = components.map((it) => ({ ...it, text: texts.component(it.name, it.label) }))
  const parts = named.flatMap(({ key, text, feeCents, ...it }) => [
    {
      ...{ ...line, component: key, setupFee: false, unitPriceCents: charged(it) },
      description: texts.period(text, daysOf(period)),
    },
    { ...line, description: texts.setup(text), setupFee: true, unitPriceCents: feeCents },
  ])
  const free = components.filter(({ priceCents: own, priceMicros: micros }) => !own && !micros)
  const main = {
    ...{ ...line, setupFee: false },
    description: texts.period(besideText(what, free, texts), daysOf(period)),
    unitPriceCents: charged(planPriceOf({ priceCents, priceMicros }, components)),
  }
  const fee = { ...line, setupFee: true, unitPriceCents: setupFeeCents }
  const others = [{ ...fee, description: texts.setup(what) }, ...parts]
  const coupons = couponsFor(service.coupons as unknown as KeptCoupon[], n)
  const lines = [main, ...others.filter(({ unitPriceCents }) => unitPriceCents > 0)]
  return { userId, currency, priceCents, components, coupons, lines }
}

/**
 * The prices of a period. A service keeps the price of its plan and of each component; another plan, or an announced
 * price, replaces them.
 */
function pricesOfPeriod(
  service: ServiceRow,
  plan: PlanRow,
  period: Period,
  { priceChanges, beside }: SaleFacts,
): Pick<PeriodSale, 'priceCents' | 'components'> {
  const { id, planId, currency } = service
  if (plan.id === planId) {
    const now = priceOf(period, service.priceCents, priceChanges.get(id) ?? [])
    const components = scheduledOf(service)
    return { priceCents: priceWith({ ...service, priceCents: now }, components), components }
  }
  const price = priceIn(plan, currency)
  const carried = beside.get(id)
  if (!price || !carried) {
    throw unprocessable('Its plan has no price in this currency.', 'no_price')
  }
  const whole = sumOfComponents([{ ...price, feeCents: cents(0) }, ...carried])
  // Only what is new with this plan has a setup fee.
  const fees = (service.scheduledOptions?.options ?? []).filter((it) => it.component?.feeCents)
  const isNew = (key: string) => fees.some((it) => it.key === key)
  const components = carried.map((it) => (isNew(it.key) ? it : { ...it, feeCents: cents(0) }))
  return { priceCents: whole.priceCents, components }
}

type Metered = { readonly priceCents: Cents; readonly priceMicros: number | null }

/** The cost of metered hours, billed afterwards (R4.11). The price of a period is the maximum for a month. */
function usedIn({ start, end }: Period, { priceMicros, priceCents: capCents }: Metered): Cents {
  const seconds = secondsBetween(start, end)
  return hourlyCharge({ seconds, priceMicros: priceMicros ?? 0, capCents })
}

type WorthLine = {
  readonly setupFee: boolean
  readonly subtotalCents: Cents
  readonly discountCents: Cents
}

/** What the period itself is worth after discounts, in cents; fees on its invoice are left out. */
export function worthOf(lines: readonly WorthLine[], priceCents: Cents): Cents {
  const periods = lines.filter(({ setupFee }) => !setupFee)
  if (periods.length === 0) return priceCents
  return sumCents(periods.map((it) => it.subtotalCents - it.discountCents))
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}
