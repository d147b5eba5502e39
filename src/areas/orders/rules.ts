import type { LineTexts } from '#billing'
import { allocate, type Cents, cents, portion, sumCents } from '#lib/money.ts'
import type { ShownLocation } from '#panel'
import { besideText, type KeptComponent, valuesOfLines, withValues } from '#services'
import {
  type Component,
  type CouponDuration,
  type CouponTerms,
  couponIsFor,
  type PlanPrice,
  type QuoteLine,
  sumOfComponents,
} from '#store'
import type { OrderItemRow, OrderRow } from './queries.ts'
import type { Order, OrderStatus } from './schema.ts'

type Facts = Pick<OrderRow, 'paidAt' | 'fulfilledAt' | 'canceledAt'>

/** Derived from the dates; never stored. */
export function statusOf({ paidAt, fulfilledAt, canceledAt }: Facts): OrderStatus {
  if (fulfilledAt) return 'fulfilled'
  if (canceledAt) return 'canceled'
  return paidAt ? 'paid' : 'pending'
}

type Priced = { quantity: number; subtotalCents: number; discountCents: number }

/** The price of each unit of a line for its first period, in cents; the parts add up to the line. */
export function valuesPerUnit({ quantity, subtotalCents, discountCents }: Priced): Cents[] {
  const value = cents(subtotalCents - discountCents)
  return allocate(value, new Array<number>(quantity).fill(1))
}

type ItemLine = Priced & { readonly setupFee: boolean; readonly component: string | null }

/** The value of one unit of an item in its first period, with its components beside the plan. */
export type UnitWorth = {
  readonly valueCents: Cents
  readonly components: readonly KeptComponent[]
}

/** The value of each unit of an item in its first period, from the lines of its plan and of its components. */
export function worthPerUnit(
  lines: readonly ItemLine[],
  components: readonly Component[],
): UnitWorth[] {
  const periods = lines.filter(({ setupFee }) => !setupFee)
  const shares = periods.map((line) => ({ ...line, parts: valuesPerUnit(line) }))
  const [plan] = periods
  return Array.from({ length: plan?.quantity ?? 0 }, (_, unit) => {
    const own = shares.map(({ component, parts: { [unit]: subtotalCents = cents(0) } }) => {
      return { component, subtotalCents, discountCents: cents(0), setupFee: false }
    })
    return {
      valueCents: sumCents(own.map((it) => it.subtotalCents)),
      components: withValues(components, valuesOfLines(own)),
    }
  })
}

/** The price of each item with its setup fee and tax, in cents, by its id. */
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
  Partial<Pick<QuoteLine, 'component' | 'components'>> &
  Parameters<typeof couponIsFor>[1]

/** The price of a period of one service of a line: its plan and all its components. */
function periodPriceOf({ planPrice, components = [] }: Ordered): Cents {
  return sumCents([planPrice.priceCents, sumOfComponents(components).priceCents])
}

/**
 * The coupons that each service of a line keeps: those that apply to it (R1.9). A fixed amount was deducted
 * once for all lines it applies to, so each service keeps a share in proportion to its price, in whole cents.
 */
export function keptCoupons(
  { couponTerms, lines }: { couponTerms: readonly Coupon[]; lines: readonly Ordered[] },
  line: Ordered,
): Coupon[] {
  const priceCents = periodPriceOf(line)
  const own = couponTerms.filter((coupon) => couponIsFor(coupon, line))
  return own.map((coupon) => {
    const sold = lines.filter((it) => !it.setupFee && !it.component && couponIsFor(coupon, it))
    const whole = sold.reduce((sum, it) => sum + periodPriceOf(it) * it.quantity, 0)
    const { amountCents, ...terms } = termsOf(coupon)
    const part = amountCents && whole > 0 ? portion(amountCents, priceCents, whole) : amountCents
    return { ...terms, amountCents: part }
  })
}

/** The terms of a coupon, without how often it may be used. */
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
> &
  Partial<Pick<QuoteLine, 'component' | 'components'>>

/**
 * The text of an invoice line, in the customer's language: the plan's line also lists the components without a line
 * of their own. The period begins when the invoice is paid (R4.1), so before that only its
 * length can be stated (R3.11).
 */
export function descriptionOf(
  { productName, planName, ...line }: Described,
  texts: LineTexts,
): string {
  const { setupFee, trialDays, interval, intervalCount, component, components = [] } = line
  const plan = `${productName}, ${planName}`
  if (setupFee) return texts.setup(component ? textOf(component, texts) : plan)
  const isLater = trialDays > 0 || interval === 'hour'
  const unlisted = components.filter(({ priceCents }) => isLater || priceCents === 0)
  const what = component ? textOf(component, texts) : besideText(plan, unlisted, texts)
  if (trialDays > 0) return texts.trial(what, trialDays)
  if (interval === null || interval === 'one_time' || interval === 'hour') return what
  return texts.fromPayment(what, { interval, intervalCount })
}

function textOf({ name, label }: Component, texts: LineTexts): string {
  return texts.component(name, label)
}

/** The basis of an order's price: its lines at the prices of their plans, and its coupons. */
export type KeptQuote = NonNullable<OrderRow['quote']>

type KeptLine = KeptQuote['lines'][number]
type Placed = Omit<
  KeptLine,
  'itemId' | 'free' | 'unitPriceCents' | 'interval' | 'intervalCount' | 'components' | 'onTrial'
> &
  Pick<QuoteLine, 'planPrice' | 'trialDays' | 'interval' | 'intervalCount'> &
  Pick<QuoteLine, 'itemId' | 'components'> & { readonly isOfPlan: boolean }

/**
 * The parts of a quote that are stored to price its order again: the lines of plans, with their components, and of
 * their setup fees; `itemIds` maps the items of the cart to those of the order.
 */
export function keptQuote(
  { couponTerms }: { couponTerms: readonly Coupon[] },
  lines: readonly Placed[],
  itemIds: ReadonlyMap<string, string>,
): KeptQuote {
  return {
    lines: lines.flatMap(({ itemId, planPrice, trialDays, interval, isOfPlan, ...line }) => {
      if (!isOfPlan) return []
      const { productId, categoryId, planId, quantity, setupFee, description, serviceId } = line
      const free = !setupFee && (trialDays > 0 || interval === 'hour')
      const { components, intervalCount } = line
      const beside = { components: [...components], intervalCount, onTrial: trialDays > 0 }
      const kept = {
        ...{ productId, categoryId, planId, quantity, setupFee, description, serviceId, free },
        itemId: itemIds.get(itemId) ?? itemId,
        interval: interval ?? 'one_time',
        unitPriceCents: setupFee ? planPrice.setupFeeCents : planPrice.priceCents,
      }
      return [setupFee || line.components.length === 0 ? kept : { ...kept, ...beside }]
    }),
    coupons: couponTerms.map(termsOf),
  }
}

/**
 * The lines of plans and of their setup at present prices. A plan that is not on sale any more keeps its ordered
 * price; what is not charged yet stays free, and a setup fee of zero is left out.
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

/** The lines for the components of a line's plan at present, and for their fees; free ones have no line. */
export function componentLinesOf(
  line: KeptLine,
  components: readonly Component[],
  texts: LineTexts,
) {
  const { interval, intervalCount = 1, free, onTrial = false } = line
  return components.flatMap((component) => {
    const charges = [
      { setupFee: false, unitPriceCents: free ? cents(0) : component.priceCents },
      { setupFee: true, unitPriceCents: onTrial ? cents(0) : component.feeCents },
    ]
    const due = charges.filter(({ unitPriceCents }) => unitPriceCents > 0)
    return due.map((charge) => {
      const sold = { productName: '', planName: '', trialDays: 0, interval, intervalCount }
      const description = descriptionOf({ ...sold, ...charge, component }, texts)
      return { ...line, ...charge, component: component.key, description }
    })
  })
}

/** The longest server name that game panels accept. */
const MAX_NAME = 191

/** The names of the units of a line: numbered if there are several, and never too long. */
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
  /** The components of its services beside their plan. */
  components: KeptComponent[]
  /** The location of its servers; null if none was chosen. */
  location: ShownLocation | null
  /** The name of its first service; null before there is one. */
  serviceName: string | null
}

/** An order as its customer sees it; `underWay` are the invoices with a payment in progress. */
export function viewOf(
  order: OrderRow,
  items: readonly OrderItemView[],
  underWay: ReadonlySet<string>,
): Order {
  const { id, number, totalCents, currency, invoiceId } = order
  const { termsVersion, note, createdAt, startsAt, paidAt, fulfilledAt, canceledAt } = order
  const status = statusOf(order)
  return {
    ...{ id, number, status, totalCents, currency, invoiceId },
    payable: status === 'pending' && totalCents > 0 && !underWay.has(invoiceId),
    items: items.map((item) => ({
      ...{ id: item.id, productId: item.productId, planId: item.planId },
      ...{ productName: item.productName, planName: item.planName },
      name: item.serviceName ?? item.productName,
      location: item.location,
      ...{ quantity: item.quantity, serviceIds: item.serviceIds, totalCents: item.totalCents },
    })),
    placedByStaff: order.placedBy !== null,
    heldUntil: status === 'pending' ? order.heldUntil : null,
    ...{ termsVersion, note, createdAt, startsAt, paidAt, fulfilledAt, canceledAt },
  }
}
