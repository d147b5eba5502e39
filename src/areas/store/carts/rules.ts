import { type Cents, cents } from '#lib/money.ts'
import { detail, Problem, unprocessable } from '#lib/problem.ts'
import type { PriceMode } from '#lib/tax.ts'
import type { Instant } from '#lib/time.ts'
import { shownLocation } from '#panel'
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

/** One thing in the cart as it is charged now: the thing itself, or its setup fee. */
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
  /** Where its server is to stand; null where the product has no locations. */
  readonly locationId: string | null
  /** Above 0, nothing is due before that many days are over. */
  readonly trialDays: number
  /** What one period costs (by the hour: a month at most), setup and an hour, undiscounted. */
  readonly planPrice: {
    readonly priceCents: Cents
    readonly setupFeeCents: Cents
    readonly priceMicros: number | null
  }
}

export type QuoteLine = PricedLine<CartLine & OrderLine>

const NOTHING = cents(0)

type PricedItem = ItemRow & { readonly priceCents: Cents }

/** Whether an item can be bought: its plan is there, with a price in the cart's currency, where it is to stand. */
export function isOnSale(item: ItemRow): item is PricedItem {
  return !item.gone && item.priceCents !== null && item.locationFault === null
}

/**
 * What is due now for the things in a cart: a plan by the hour is billed afterwards, a trial
 * begins for nothing, everything else is paid in advance; setup fees are lines of their own
 * (R4.3, R4.11). A trial is for one piece of a product the customer has not tried, and wants to try.
 */
export function linesOf(items: readonly PricedItem[]): CartLine[] {
  const trying = new Set<string>()
  return items.flatMap((item) => {
    const { productId, trialDays, quantity, tried, trial, interval } = item
    const mayTry = trialDays > 0 && quantity === 1 && !tried && trial
    const onTrial = mayTry && !trying.has(productId)
    if (onTrial) trying.add(productId)
    const line = lineOf(item, onTrial ? trialDays : 0)
    const setupFeeCents = item.setupFeeCents ?? NOTHING
    const unitPriceCents = onTrial || interval === 'hour' ? NOTHING : item.priceCents
    const thing = { ...line, unitPriceCents, setupFee: false }
    if (onTrial || setupFeeCents === 0) return [thing]
    return [thing, { ...line, unitPriceCents: setupFeeCents, setupFee: true }]
  })
}

function lineOf(item: PricedItem, trialDays: number) {
  const { id: itemId, name, priceCents, priceMicros } = item
  const { productId, planId, taxRateId, categoryId, productName, planName } = item
  const { interval, intervalCount, quantity, options, environment } = item
  return {
    ...{ itemId, productId, planId, taxRateId, categoryId, productName, planName },
    ...{ interval, intervalCount, quantity, options, environment, trialDays },
    locationId: item.location?.id ?? null,
    name: name ?? productName,
    planPrice: { priceCents, setupFeeCents: item.setupFeeCents ?? NOTHING, priceMicros },
  }
}

/** Throws 422 when a cart holds more of a product than is in stock. */
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

/** Picks the coupons that are taken off; throws 422 when one that has to count may not (R1.8). */
export type CouponChoice = (coupons: readonly CartCouponRow[], use: Use) => readonly CartCouponRow[]

/** All of them have to count: the cart is being bought. */
export const everyCoupon: CouponChoice = (coupons, use) => {
  assertUsable(coupons, use)
  return coupons
}

/** Those that may be used now: a cart can be looked at with any in it. */
export const usableCoupons: CouponChoice = (coupons, use) => {
  const usable: CartCouponRow[] = []
  for (const coupon of coupons) if (isUsable([...usable, coupon], use)) usable.push(coupon)
  return usable
}

/** This one has to count, beside those that do: it has just been entered. */
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
): UnsurveyedCart {
  return {
    items: items.map((item) => ({
      id: item.id,
      ...itemView(item, document),
      ...{ options: item.options, environment: item.environment, trial: item.trial },
    })),
    ...totalsView(document, codes),
  }
}

/** What a cart or a quote comes to. */
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

/** One thing in a cart or a quote. What is not on sale costs nothing and says so. */
export function itemView(
  item: ItemRow,
  { lines, priceMode }: Pick<PricedDocument<QuoteLine>, 'lines' | 'priceMode'>,
) {
  const { planId, productId, productSlug, productName, planName, interval, intervalCount } = item
  const own = lines.filter((line) => line.itemId === item.id)
  const thing = own.find((line) => !line.setupFee)
  const { subtotalCents, discountCents, taxCents, totalCents } = sumAmounts(own)
  return {
    ...{ planId, productId, productSlug, productName, planName, interval, intervalCount },
    trialDays: thing?.trialDays ?? 0,
    available: isOnSale(item) && (item.stock === null || item.quantity <= item.stock),
    renewalCents: thing ? renewalCents(thing, priceMode) : NOTHING,
    ...{ name: item.name ?? productName, quantity: item.quantity },
    location: item.location && shownLocation(item.location),
    unitPriceCents: thing?.unitPriceCents ?? NOTHING,
    setupFeeCents: own.find((line) => line.setupFee)?.unitPriceCents ?? NOTHING,
    ...{ subtotalCents, discountCents, taxCents, totalCents },
  }
}

/** A further period with tax and without coupons, which may have run out by then. */
function renewalCents(line: QuoteLine, mode: PriceMode): Cents {
  const period = { ...line, unitPriceCents: line.planPrice.priceCents, setupFee: false }
  return price([period], [], mode).totalCents
}

function discountOf(coupons: readonly CouponDiscount[], code: string): Cents {
  return coupons.find((coupon) => coupon.code === code)?.discountCents ?? NOTHING
}

/** Throws 422 `options_invalid`: no product has options, so none can be chosen. */
export function assertNoOptions(options: Readonly<Record<string, unknown>> = {}): void {
  const details = Object.keys(options).map((key) => {
    return detail(`options.${key}`, { kind: 'no_option' })
  })
  if (details.length === 0) return
  throw unprocessable('This product has no such options.', 'options_invalid', details)
}
