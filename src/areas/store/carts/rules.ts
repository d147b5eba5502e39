import { type Cents, cents } from '#lib/money.ts'
import { type Detail, Problem, unprocessable } from '#lib/problem.ts'
import type { PriceMode } from '#lib/tax.ts'
import type { Instant } from '#lib/time.ts'
import { shownLocation } from '#panel'
import { type Component, type ComponentPrice, sumOfComponents } from '../components/rules.ts'
import type { UntaxedLine } from '../documents.ts'
import {
  assertApplicable,
  assertRedeemable,
  assertStackable,
  type CouponDiscount,
} from '../pricing/coupons.ts'
import type { PricedDocument } from '../pricing/document.ts'
import type { AmountedLine, OrderLine } from '../pricing/lines.ts'
import { type PricedLine, price } from '../pricing/rules.ts'
import { sumAmounts } from '../pricing/totals.ts'
import { outOfStock } from '../stock/rules.ts'
import type { CartCouponRow, ItemRow } from './queries.ts'
import type { Cart } from './schema.ts'

/** One charge of a cart item: its plan, a component beside the plan, or a fee of either. */
export type CartLine = UntaxedLine & {
  readonly itemId: string
  readonly productId: string
  readonly planId: string
  readonly taxRateId: string | null
  /** What the customer calls it, else the product's name. */
  readonly name: string
  readonly productName: string
  readonly planName: string
  readonly intervalCount: number
  readonly options: Record<string, string | number | boolean>
  readonly environment: Record<string, string>
  /** The location of its server; null if the product has no locations. */
  readonly locationId: string | null
  /** If above 0, nothing is due before this many days are over. */
  readonly trialDays: number
  /** The component that it charges; null for the plan. */
  readonly component: Component | null
  /** All components of the item, also those that cost nothing now. */
  readonly components: readonly Component[]
  /**
   * The undiscounted price of what it charges: of one period (by the hour: the most that a month costs), of the setup
   * and of an hour.
   */
  readonly planPrice: {
    readonly priceCents: Cents
    readonly setupFeeCents: Cents
    readonly priceMicros: number | null
  }
}

export type QuoteLine = PricedLine<CartLine & OrderLine>

const NOTHING = cents(0)

type PricedItem = ItemRow & { readonly priceCents: Cents }

/** Whether a line is for the plan of an item: neither a component nor a fee. */
export function isPlanLine({ setupFee, component }: Pick<CartLine, 'setupFee' | 'component'>) {
  return !setupFee && component === null
}

/** What one service of a line costs in total: its plan and all components. */
export function servicePriceOf({
  planPrice,
  components,
}: Pick<CartLine, 'planPrice' | 'components'>): ComponentPrice {
  const { priceCents, setupFeeCents: feeCents, priceMicros } = planPrice
  return sumOfComponents([{ priceCents, feeCents, priceMicros }, ...components])
}

/**
 * Whether an item can be bought: its plan exists and has a price in the cart's currency, with the location and options
 * that were chosen.
 */
export function isOnSale(item: ItemRow): item is PricedItem {
  const isWhole = item.locationFault === null && item.optionFaults.length === 0
  return !item.gone && item.priceCents !== null && isWhole
}

/**
 * What is due now for the items of a cart: a plan by the hour is billed afterwards, a trial begins free of charge,
 * everything else is paid in advance; fees are lines of their own (R4.3, R4.11), and so is each component that costs
 * something. A trial is for one unit of a product that the customer has not tried yet, and wants to try.
 */
export function linesOf(items: readonly PricedItem[]): CartLine[] {
  const trying = new Set<string>()
  return items.flatMap((item) => {
    const { productId, trialDays, quantity, tried, trial, interval } = item
    const mayTry = trialDays > 0 && quantity === 1 && !tried && trial
    const onTrial = mayTry && !trying.has(productId)
    if (onTrial) trying.add(productId)
    const line = lineOf(item, onTrial ? trialDays : 0)
    const due = { isLater: onTrial || interval === 'hour', areFeesLater: onTrial }
    const parts = item.components.flatMap((component) => {
      const { priceCents, feeCents: setupFeeCents, priceMicros } = component
      const planPrice = { priceCents, setupFeeCents, priceMicros }
      const charges = chargesOf({ ...line, component, planPrice }, due)
      return charges.filter(({ unitPriceCents }) => unitPriceCents > 0)
    })
    return [...chargesOf(line, due), ...parts]
  })
}

/** What is due now for a plan or a component: a period, and its fee if it has one. */
function chargesOf(
  line: Omit<CartLine, 'unitPriceCents' | 'setupFee'>,
  { isLater, areFeesLater }: { isLater: boolean; areFeesLater: boolean },
): CartLine[] {
  const { priceCents, setupFeeCents } = line.planPrice
  const period = { ...line, unitPriceCents: isLater ? NOTHING : priceCents, setupFee: false }
  if (areFeesLater || setupFeeCents === 0) return [period]
  return [period, { ...line, unitPriceCents: setupFeeCents, setupFee: true }]
}

function lineOf(item: PricedItem, trialDays: number) {
  const { id: itemId, name, priceCents, priceMicros, components } = item
  const { productId, planId, taxRateId, categoryId, productName, planName } = item
  const { interval, intervalCount, quantity, options, environment } = item
  return {
    ...{ itemId, productId, planId, taxRateId, categoryId, productName, planName },
    ...{ interval, intervalCount, quantity, options, environment, trialDays },
    locationId: item.location?.id ?? null,
    name: name ?? productName,
    planPrice: { priceCents, setupFeeCents: item.setupFeeCents ?? NOTHING, priceMicros },
    ...{ component: null, components },
  }
}

/** Throws 422 if a cart contains more of a product than is in stock. */
export function assertInStock(
  items: readonly Pick<ItemRow, 'productId' | 'stock' | 'quantity'>[],
): void {
  for (const [, same] of Map.groupBy(items, ({ productId }) => productId)) {
    const stock = same[0]?.stock ?? null
    const wanted = same.reduce((sum, { quantity }) => sum + quantity, 0)
    if (stock !== null && wanted > stock) throw outOfStock()
  }
}

type Use = {
  readonly lines: readonly AmountedLine[]
  readonly currency: string
  readonly newCustomer: boolean
  readonly now: Instant
}

/** Picks the coupons that are deducted; throws 422 if a mandatory one may not be used (R1.8). */
export type CouponChoice = (coupons: readonly CartCouponRow[], use: Use) => readonly CartCouponRow[]

/** All coupons are mandatory: the cart is being bought. */
export const everyCoupon: CouponChoice = (coupons, use) => {
  assertUsable(coupons, use)
  return coupons
}

/** The coupons that may be used now: a cart can be viewed with any coupons in it. */
export const usableCoupons: CouponChoice = (coupons, use) => {
  const usable: CartCouponRow[] = []
  for (const coupon of coupons) if (isUsable([...usable, coupon], use)) usable.push(coupon)
  return usable
}

/** The coupon that has just been entered is mandatory; of the others, those that may be used now. */
export function usableCouponsAnd(code: string): CouponChoice {
  return (coupons, use) => {
    const others = coupons.filter((coupon) => coupon.code !== code)
    const entered = coupons.filter((coupon) => coupon.code === code)
    return everyCoupon([...usableCoupons(others, use), ...entered], use)
  }
}

function assertUsable(coupons: readonly CartCouponRow[], use: Use): void {
  const { lines, currency, newCustomer, now } = use
  for (const coupon of coupons) {
    const { usedByCustomer: redemptions, archivedAt } = coupon
    if (archivedAt) throw unprocessable('This coupon has ended.', 'coupon_not_applicable')
    assertRedeemable(coupon, { redemptions, newCustomer }, now)
    assertApplicable(coupon, lines, currency)
  }
  assertStackable(coupons)
}

function isUsable(coupons: readonly CartCouponRow[], use: Use): boolean {
  try {
    assertUsable(coupons, use)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** A cart before the panels were asked for room. */
export type UnsurveyedCart = Omit<Cart, 'items'> & {
  readonly items: readonly Omit<Cart['items'][number], 'room'>[]
}

/** What is in a cart as it is shown: priced, with the coupons that were entered. */
export function cartView(
  document: PricedDocument<QuoteLine>,
  items: readonly ItemRow[],
  codes: readonly string[],
  faults: ReadonlyMap<string, readonly Detail[]>,
): UnsurveyedCart {
  return {
    items: items.map((item) => ({
      id: item.id,
      ...itemView(item, document),
      ...{ options: item.options, environment: item.environment, trial: item.trial },
      faults: [
        ...(faults.get(item.id) ?? []).map(environmentFault),
        ...item.optionFaults.map(optionFault),
      ],
    })),
    ...totalsView(document, codes),
  }
}

/** A fault of a value, with the parts that its sentence needs in other languages. */
export function environmentFault(it: Detail) {
  return { ...it, code: 'environment_invalid' }
}

/** A fault of an option, with its rule. */
export function optionFault(it: Detail) {
  return { ...it, code: it.code ?? 'options_invalid' }
}

/** The totals of a cart or a quote. */
export function totalsView(
  { coupons, taxes, ...document }: PricedDocument<QuoteLine>,
  codes: readonly string[],
) {
  const { currency, subtotalCents, discountCents, taxCents, totalCents } = document
  return {
    coupons: codes.map((code) => ({ code, discountCents: discountOf(coupons, code) })),
    taxes: taxes.map(({ category, rateBasisPoints, netCents, taxCents }) => ({
      ...{ category, rateBasisPoints, netCents, taxCents },
    })),
    ...{ currency, subtotalCents, discountCents, taxCents, totalCents },
  }
}

/** An item of a cart or a quote. One that is not on sale costs nothing and is marked as such. */
export function itemView(
  item: ItemRow,
  { lines, priceMode }: Pick<PricedDocument<QuoteLine>, 'lines' | 'priceMode'>,
) {
  const { planId, productId, productSlug, productName, planName, interval, intervalCount } = item
  const own = lines.filter((line) => line.itemId === item.id)
  const thing = own.find(isPlanLine)
  const { subtotalCents, discountCents, taxCents, totalCents } = sumAmounts(own)
  return {
    ...{ planId, productId, productSlug, productName, planName, interval, intervalCount },
    trialDays: thing?.trialDays ?? 0,
    available: isOnSale(item) && (item.stock === null || item.quantity <= item.stock),
    renewalCents: thing ? renewalCents(thing, priceMode) : NOTHING,
    ...{ name: item.name ?? productName, quantity: item.quantity },
    location: item.location && shownLocation(item.location),
    stock: item.stock,
    unitPriceCents: thing?.unitPriceCents ?? NOTHING,
    setupFeeCents:
      own.find((line) => line.setupFee && line.component === null)?.unitPriceCents ?? NOTHING,
    components: componentsView(item, own),
    ...{ subtotalCents, discountCents, taxCents, totalCents },
  }
}

/** The components of an item, at the price for one service: that of its lines, if there are any. */
function componentsView({ components }: ItemRow, own: readonly QuoteLine[]) {
  const chargedAt = (key: string, setupFee: boolean) =>
    own.find((line) => line.component?.key === key && line.setupFee === setupFee)?.unitPriceCents
  return components.map(({ key, kind, name, label, quantity, ...it }) => ({
    ...{ key, kind, name, label, quantity },
    priceCents: chargedAt(key, false) ?? it.priceCents,
    feeCents: chargedAt(key, true) ?? it.feeCents,
    priceMicros: it.priceMicros,
  }))
}

/** A further period with tax and without coupons, which may have run out by then. */
function renewalCents(line: QuoteLine, mode: PriceMode): Cents {
  const prices = [line.planPrice, ...line.components].map(({ priceCents }) => priceCents)
  const periods = prices.map((unitPriceCents) => ({ ...line, unitPriceCents, setupFee: false }))
  return price(periods, [], mode).totalCents
}

function discountOf(coupons: readonly CouponDiscount[], code: string): Cents {
  return coupons.find((coupon) => coupon.code === code)?.discountCents ?? NOTHING
}

/** Throws 422 `options_invalid` with everything that is wrong with the options of an item. */
export function assertOptions(details: readonly Detail[]): void {
  if (details.length === 0) return
  throw unprocessable('These options cannot be ordered.', 'options_invalid', [...details])
}
