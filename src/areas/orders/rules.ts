import type { LineTexts } from '#billing'
import { allocate, type Cents, cents, portion, sumCents } from '#lib/money.ts'
import type { ShownLocation } from '#panel'
import {
  type CouponDuration,
  type CouponTerms,
  couponIsFor,
  type PlanPrice,
  type QuoteLine,
} from '#store'
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

/** What each item costs with its setup fee and tax, in cents, by its id. */
export function totalsPerItem(
  lines: readonly Pick<QuoteLine, 'itemId' | 'totalCents'>[],
): ReadonlyMap<string, Cents> {
  const totals = new Map<string, Cents>()
  for (const { itemId, totalCents } of lines) {
    totals.set(itemId, sumCents([totals.get(itemId) ?? cents(0), totalCents]))
  }
  return totals
}

type Coupon = CouponTerms & CouponDuration
type Ordered = Pick<QuoteLine, 'planPrice' | 'setupFee' | 'quantity'> &
  Parameters<typeof couponIsFor>[1]

/**
 * The coupons that each service of a line keeps: those that are for it (R1.9). A fixed amount was taken
 * off all that it is for, so each service keeps the part that its price is of that, in whole cents.
 */
export function keptCoupons(
  { couponTerms, lines }: { couponTerms: readonly Coupon[]; lines: readonly Ordered[] },
  line: Ordered,
): Coupon[] {
  const { priceCents } = line.planPrice
  const own = couponTerms.filter((coupon) => couponIsFor(coupon, line))
  return own.map((coupon) => {
    const sold = lines.filter((it) => !it.setupFee && couponIsFor(coupon, it))
    const whole = sold.reduce((sum, it) => sum + it.planPrice.priceCents * it.quantity, 0)
    const { amountCents, ...terms } = termsOf(coupon)
    const part = amountCents && whole > 0 ? portion(amountCents, priceCents, whole) : amountCents
    return { ...terms, amountCents: part }
  })
}

/** What a coupon says, without how often it may be used. */
function termsOf({ code, type, percentBasisPoints, amountCents, ...terms }: Coupon): Coupon {
  return {
    ...{ code, type, percentBasisPoints, amountCents },
    ...{ minimumCents: terms.minimumCents, currency: terms.currency },
    ...{ includeSetupFee: terms.includeSetupFee, stackable: terms.stackable },
    ...{ productIds: terms.productIds, categoryIds: terms.categoryIds, planIds: terms.planIds },
    ...{ intervals: terms.intervals, duration: terms.duration },
    durationCycles: terms.durationCycles,
  }
}

type Described = Pick<
  QuoteLine,
  'productName' | 'planName' | 'setupFee' | 'trialDays' | 'interval' | 'intervalCount'
>

/**
 * What an invoice calls a line, in the customer's language. The period that is sold begins when the invoice is paid (R4.1), so its
 * length is all that can be said of it before (R3.11).
 */
export function descriptionOf(
  { productName, planName, ...line }: Described,
  texts: LineTexts,
): string {
  const { setupFee, trialDays, interval, intervalCount } = line
  const what = `${productName}, ${planName}`
  if (setupFee) return texts.setup(what)
  if (trialDays > 0) return texts.trial(what, trialDays)
  if (interval === null || interval === 'one_time' || interval === 'hour') return what
  return texts.fromPayment(what, { interval, intervalCount })
}

/** What an order was priced of: its lines at the prices of their plans, and its coupons. */
export type KeptQuote = NonNullable<OrderRow['quote']>

type Placed = Omit<KeptQuote['lines'][number], 'itemId' | 'free' | 'unitPriceCents' | 'interval'> &
  Pick<QuoteLine, 'planPrice' | 'trialDays' | 'interval' | 'itemId'>

/** What is kept of a quote to price its order again; `itemIds` by what was in the cart. */
export function keptQuote(
  { couponTerms }: { couponTerms: readonly Coupon[] },
  lines: readonly Placed[],
  itemIds: ReadonlyMap<string, string>,
): KeptQuote {
  return {
    lines: lines.map(({ itemId, planPrice, trialDays, interval, ...line }) => {
      const { productId, categoryId, planId, quantity, setupFee, description, serviceId } = line
      const free = !setupFee && (trialDays > 0 || interval === 'hour')
      return {
        ...{ productId, categoryId, planId, quantity, setupFee, description, serviceId, free },
        itemId: itemIds.get(itemId) ?? itemId,
        interval: interval ?? 'one_time',
        unitPriceCents: setupFee ? planPrice.setupFeeCents : planPrice.priceCents,
      }
    }),
    coupons: couponTerms.map(termsOf),
  }
}

/**
 * The lines of an order at the prices its plans have now. A plan that is not on sale any more has the
 * price it was ordered at; what is not charged yet stays free, and a fee that is none is left out.
 */
export function linesOfToday(
  { lines }: KeptQuote,
  priceOfPlan: (planId: string) => Pick<PlanPrice, 'priceCents' | 'setupFeeCents'> | undefined,
) {
  return lines.flatMap((line) => {
    const price = priceOfPlan(line.planId)
    const asOrdered = cents(line.unitPriceCents)
    const listed = (line.setupFee ? price?.setupFeeCents : price?.priceCents) ?? asOrdered
    if (line.setupFee && listed === 0) return []
    return [{ ...line, unitPriceCents: line.free ? cents(0) : listed }]
  })
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

export type OrderItemView = OrderItemRow & {
  serviceIds: string[]
  productName: string
  planName: string
  /** Where its servers are to stand; null where none was chosen. */
  location: ShownLocation | null
  /** What its first service is called; null before there is one. */
  serviceName: string | null
}

/** An order as its customer sees it. */
export function viewOf(order: OrderRow, items: readonly OrderItemView[]): Order {
  const { id, number, totalCents, currency, invoiceId } = order
  const { termsVersion, createdAt, startsAt, paidAt, fulfilledAt, canceledAt } = order
  return {
    ...{ id, number, status: statusOf(order), totalCents, currency, invoiceId },
    items: items.map((item) => ({
      ...{ id: item.id, productId: item.productId, planId: item.planId },
      ...{ productName: item.productName, planName: item.planName },
      name: item.serviceName ?? item.productName,
      location: item.location,
      ...{ quantity: item.quantity, serviceIds: item.serviceIds, totalCents: item.totalCents },
    })),
    ...{ termsVersion, createdAt, startsAt, paidAt, fulfilledAt, canceledAt },
  }
}
