import type { PriceMode } from '#lib/tax.ts'
import { type CouponDiscount, type CouponTerms, withDiscounts } from './coupons.ts'
import { type AmountedLine, type OrderLine, withAmounts } from './lines.ts'
import { type Amounts, sumAmounts, type TaxGroup, taxGroups, withTax } from './totals.ts'

export type PricedLine<L extends OrderLine = OrderLine> = AmountedLine<L> & Amounts

/** A cart or an invoice with every amount worked out, in cents. */
export type Pricing<L extends OrderLine = OrderLine> = Amounts & {
  readonly lines: PricedLine<L>[]
  readonly coupons: CouponDiscount[]
  readonly taxes: TaxGroup[]
}

/**
 * Prices a cart, an order or an invoice: line amounts, then discounts, then tax per group, then
 * totals (R1.3). Other fields of a line are returned with it. Whether a coupon may be used is
 * checked when it is entered, not by this function. Throws 422 for an inclusive price whose tax is
 * unknown (R1.6).
 */
export function price<L extends OrderLine>(
  lines: readonly L[],
  coupons: readonly CouponTerms[],
  mode: PriceMode,
): Pricing<L> {
  const discounted = withDiscounts(withAmounts(lines, mode), coupons)
  const taxed = withTax(discounted.lines, mode)
  return {
    ...sumAmounts(taxed),
    lines: taxed,
    coupons: discounted.coupons,
    taxes: taxGroups(taxed),
  }
}
