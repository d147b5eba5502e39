import { unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { notSoldThere } from '../locations/rules.ts'
import type { CouponDuration, CouponTerms } from '../pricing/coupons.ts'
import type { PricedDocument } from '../pricing/document.ts'
import { deleteCartCoupons, deleteItems, lockCart } from './queries.ts'
import { type PricedCart, pricedCart } from './quote.ts'
import {
  assertInStock,
  assertOptions,
  everyCoupon,
  isOnSale,
  isPlanLine,
  type QuoteLine,
} from './rules.ts'

/** A cart that is about to be bought, priced, with what has to be reserved for it. */
export type Quote = PricedDocument<QuoteLine> & {
  readonly couponIds: readonly string[]
  /** The current terms of the coupons: a service keeps them (R1.9). */
  readonly couponTerms: readonly (CouponTerms & CouponDuration & { readonly id: string })[]
  /** Products of which the customer starts a trial with this order. */
  readonly trialProductIds: readonly string[]
}

/**
 * Locks the caller's cart and prices it for an order: everything is read again, nothing is reserved
 * and nothing removed. Throws 422: `cart_empty`, `plan_not_for_sale`, `out_of_stock`,
 * `coupon_not_applicable`, `tax_rate_unknown`, `location_required`, `location_unknown`.
 */
export async function lockAndPriceCart(tx: Tx, caller: UserKey, now: Instant): Promise<Quote> {
  await lockCart(tx, caller)
  return quoteOf(await pricedCart(tx, caller, { now, choose: everyCoupon }))
}

/** What is to be reserved for priced items; throws 422 unless all of them can be ordered as they are. */
export function quoteOf({ items, applied, document }: Omit<PricedCart, 'coupons'>): Quote {
  if (items.length === 0) throw unprocessable('Your cart is empty.', 'cart_empty')
  const gone = items.find((item) => !isOnSale(item))
  if (gone?.locationFault && !gone.gone) throw notSoldThere(gone.locationFault)
  assertOptions(
    items.flatMap(({ optionFaults }, index) =>
      optionFaults.map((it) => ({ ...it, path: `items.${index}.${it.path}` })),
    ),
  )
  if (gone) {
    const what = `${gone.productName}, ${gone.planName}`
    throw unprocessable(`${what} is not sold any more. Take it out.`, 'plan_not_for_sale')
  }
  assertInStock(items)
  const trials = document.lines.filter((line) => isPlanLine(line) && line.trialDays > 0)
  return {
    ...document,
    couponIds: applied.map(({ id }) => id),
    couponTerms: applied,
    trialProductIds: trials.map(({ productId }) => productId),
  }
}

/** Empties the caller's cart after its purchase. */
export async function emptyCart(tx: Tx, caller: UserKey): Promise<void> {
  await deleteItems(tx, caller)
  await deleteCartCoupons(tx, caller)
}
