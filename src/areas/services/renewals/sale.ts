import { type LineTexts, lineTextsIn } from '#billing'
import { type Cents, cents } from '#lib/money.ts'
import { type Period, printedPeriod } from '#lib/periods.ts'
import { unprocessable } from '#lib/problem.ts'
import { type Instant, secondsBetween } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import {
  findPlans,
  findProducts,
  type PlanRow,
  type ProductRow,
  priceIn,
  type Sale,
  type UntaxedLine,
} from '#store'
import { localesOf } from '#users'
import type { ServiceRow } from '../queries.ts'
import { hourlyCharge } from './charges.ts'
import { countInvoicedPeriods, listPriceChanges } from './queries.ts'
import { type PriceChange, priceOf } from './rules.ts'
import { type BilledPlan, couponsFor, type KeptCoupon } from './terms.ts'

/** A period of a service to be invoiced: which one, on what plan, and when its money is due. */
export type ToBill = {
  readonly service: ServiceRow
  readonly plan: BilledPlan
  readonly period: Period
  readonly dueAt: Instant
}

/** What decides on the price of periods before tax: read once for many services of a tenant. */
export type SaleFacts = {
  readonly products: ReadonlyMap<string, ProductRow>
  readonly plans: ReadonlyMap<string, PlanRow>
  readonly priceChanges: ReadonlyMap<string, readonly PriceChange[]>
  /** How many periods of a service with coupons were invoiced before. */
  readonly invoiced: ReadonlyMap<string, number>
  /** Which language customers speak. */
  readonly locales: ReadonlyMap<string, string>
}

/** A period as it is sold: what it costs before discounts, and the lines of its invoice. */
export type PeriodSale = Sale<UntaxedLine & { description: string }> & {
  readonly priceCents: Cents
}

/** Reads what the sales of periods depend on. */
export async function saleFactsFor(
  db: Db,
  tenantId: string,
  toBill: readonly ToBill[],
): Promise<SaleFacts> {
  const ids = toBill.map(({ service }) => service.id)
  const withCoupons = toBill.filter(({ service }) => service.coupons.length > 0)
  const products = await findProducts(db, tenantId, distinct(toBill.map((it) => it.plan.productId)))
  const plans = await findPlans(db, tenantId, distinct(toBill.map((it) => it.plan.planId)))
  const changes = await listPriceChanges(db, tenantId, ids)
  return {
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
  const priceCents = priceOfPeriod(service, plan, period, facts)
  const { setupFeeCents } = service
  const n = (facts.invoiced.get(service.id) ?? 0) + 1
  const texts = lineTextsIn(facts.locales.get(service.userId))
  return saleAt(service, { product, plan, period, priceCents, setupFeeCents, n, texts })
}

/** A period at its price: on which plan, with which setup fee, as which one that is invoiced. */
type AtPrice = {
  readonly product: ProductRow
  readonly plan: PlanRow
  readonly period: Period
  readonly priceCents: Cents
  readonly setupFeeCents: Cents
  readonly n: number
  /** The customer's language. */
  readonly texts: LineTexts
}

/** What a period is sold for at a price that is known. */
export function saleAt(
  service: ServiceRow,
  { product, plan, period, priceCents, setupFeeCents, n, texts }: AtPrice,
): PeriodSale {
  const { userId, currency } = service
  const unitPriceCents = plan.interval === 'hour' ? usedIn(service, period, priceCents) : priceCents
  const place = { productId: product.id, categoryId: product.categoryId, planId: plan.id }
  const line = { ...place, interval: plan.interval, quantity: 1 }
  const what = `${product.name}, ${plan.name}`
  const description = texts.period(what, printedPeriod(period))
  const main = { ...line, description, unitPriceCents, setupFee: false }
  const coupons = couponsFor(service.coupons as unknown as KeptCoupon[], n)
  const sale = { userId, currency, priceCents, coupons }
  if (setupFeeCents === 0) return { ...sale, lines: [main] }
  const fee = {
    ...line,
    description: texts.setup(what),
    unitPriceCents: setupFeeCents,
    setupFee: true,
  }
  return { ...sale, lines: [main, fee] }
}

/** A service keeps its price; another plan, and a price the customer was told of, have their own. */
function priceOfPeriod(
  { id, planId, priceCents, currency }: ServiceRow,
  plan: PlanRow,
  period: Period,
  { priceChanges }: SaleFacts,
): Cents {
  if (plan.id === planId) return priceOf(period, priceCents, priceChanges.get(id) ?? [])
  const price = priceIn(plan, currency)
  if (!price) throw unprocessable('Its plan has no price in this currency.', 'no_price')
  return price.priceCents
}

/** Metered hours, billed afterwards (R4.11). The plan's price is the most a month costs. */
function usedIn({ priceMicros }: ServiceRow, { start, end }: Period, capCents: Cents): Cents {
  const seconds = secondsBetween(start, end)
  return hourlyCharge({ seconds, priceMicros: priceMicros ?? 0, capCents })
}

/** What the period itself is worth after discounts, in cents; its invoice's other line is a setup fee. */
export function worthOf(
  [line]: readonly { subtotalCents: Cents; discountCents: Cents }[],
  priceCents: Cents,
): Cents {
  return line ? cents(line.subtotalCents - line.discountCents) : priceCents
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}
