import { allocate, type Cents, cents, portion } from '#lib/money.ts'
import type { CouponDuration, CouponTerms, QuoteLine } from '#store'
import type { OrderItemRow, OrderRow } from './queries.ts'
import type { Order, OrderStatus } from './schema.ts'

type Facts = Pick<OrderRow, 'paidAt' | 'fulfilledAt' | 'canceledAt'>

/** Never stored: the state follows from what happened. */
export function statusOf({ paidAt, fulfilledAt, canceledAt }: Facts): OrderStatus {
  if (fulfilledAt) return 'fulfilled'
  if (canceledAt) return 'canceled'
  return paidAt ? 'paid' : 'pending'
}

type Priced = { quantity: number; subtotalCents: number; discountCents: number }

/** What each unit of a line costs for its first period, in cents; the parts add up to the line. */
export function valuesPerUnit({ quantity, subtotalCents, discountCents }: Priced): Cents[] {
  const value = cents(subtotalCents - discountCents)
  return allocate(value, new Array<number>(quantity).fill(1))
}

type Coupon = CouponTerms & CouponDuration
type Ordered = Pick<QuoteLine, 'planPrice' | 'setupFee' | 'quantity'>

/**
 * The coupons that each service of a line keeps (R1.9). A fixed amount was taken off the whole order,
 * so each of its services keeps the part that its price is of all of them, in whole cents.
 */
export function keptCoupons(
  { couponTerms, lines }: { couponTerms: readonly Coupon[]; lines: readonly Ordered[] },
  { planPrice: { priceCents } }: Ordered,
): Coupon[] {
  const sold = lines.filter((it) => !it.setupFee)
  const whole = sold.reduce((sum, it) => sum + it.planPrice.priceCents * it.quantity, 0)
  return couponTerms.map(({ code, type, percentBasisPoints, amountCents, ...terms }) => ({
    ...{ code, type, percentBasisPoints },
    amountCents: amountCents && whole > 0 ? portion(amountCents, priceCents, whole) : amountCents,
    ...{ minimumCents: terms.minimumCents, currency: terms.currency },
    ...{ includeSetupFee: terms.includeSetupFee, stackable: terms.stackable },
    ...{ productIds: terms.productIds, categoryIds: terms.categoryIds, planIds: terms.planIds },
    ...{ intervals: terms.intervals, duration: terms.duration },
    durationCycles: terms.durationCycles,
  }))
}

/** The longest name that game panels take. */
const MAX_NAME = 191

/** What the units of a line are called: by number where there are several, and never too long. */
export function namesPerUnit({ name, quantity }: { name: string; quantity: number }): string[] {
  return Array.from({ length: quantity }, (_, index) => {
    const suffix = quantity > 1 ? ` ${index + 1}` : ''
    return `${name.slice(0, MAX_NAME - suffix.length)}${suffix}`
  })
}

export type OrderItemView = OrderItemRow & { serviceIds: string[] }

/** An order as its customer sees it. */
export function viewOf(order: OrderRow, items: readonly OrderItemView[]): Order {
  const { id, number, totalCents, currency, invoiceId } = order
  const { createdAt, paidAt, fulfilledAt, canceledAt } = order
  return {
    ...{ id, number, status: statusOf(order), totalCents, currency, invoiceId },
    items: items.map((item) => ({
      ...{ id: item.id, productId: item.productId, planId: item.planId },
      ...{ quantity: item.quantity, serviceIds: item.serviceIds, totalCents: item.totalCents },
    })),
    ...{ createdAt, paidAt, fulfilledAt, canceledAt },
  }
}
