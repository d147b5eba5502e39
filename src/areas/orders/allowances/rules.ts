import { type Cents, cents, sumCents } from '#lib/money.ts'
import { conflict, type Problem, unprocessable } from '#lib/problem.ts'
import { HOUR_MS, type Instant, later, MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import { hourlyCharge } from '#services'
import type { OrderTerms } from '../settings.ts'

/** Limits of one customer: the shop's, or those that staff set for them. */
export type Limits = Pick<OrderTerms, LimitName>
export type LimitName = (typeof LIMITS)[number]

export const LIMITS = [
  'maxOpenServices',
  'maxOpenOrders',
  'openOrdersPerProduct',
  'maxHeldUnits',
] as const

/** How a line of an order is paid: only `prepaid` is paid before the customer has the service. */
export type Payment = 'prepaid' | 'hourly' | 'trial' | 'free'

export type WantedLine = Metered & {
  readonly productId: string
  readonly quantity: number
  readonly payment: Payment
}

/** The price of an hour in micros, and the most a month costs in cents. */
type Metered = { readonly priceMicros: number | null; readonly priceCents: Cents }

export type OpenService = Metered & { readonly interval: string; readonly currency: string }

export type OpenOrder = { readonly number: string; readonly productIds: readonly string[] }

/** The facts about a customer who orders that the rules need. */
export type Customer = {
  readonly addressConfirmed: boolean
  readonly hasMethod: boolean
  /** Credit that is free to use, in cents of the order's currency. */
  readonly creditCents: Cents
  /** Services that are open and not paid in advance. */
  readonly services: readonly OpenService[]
  /** Orders that are neither paid nor canceled. */
  readonly orders: readonly OpenOrder[]
  /** How many orders of the last 24 hours are not paid, including canceled ones. */
  readonly unpaidToday: number
  readonly limits: Limits
}

export type Wanted = {
  readonly lines: readonly WantedLine[]
  readonly currency: string
  /** What is to be paid now, in cents. */
  readonly totalCents: Cents
}

/** How a line of a cart is paid; `chargedCents` is what it costs now, after discounts. */
export function paymentOf(line: {
  readonly interval: string | null
  readonly trialDays: number
  readonly chargedCents: number
}): Payment {
  if (line.trialDays > 0) return 'trial'
  if (line.interval === 'hour') return 'hourly'
  return line.chargedCents === 0 ? 'free' : 'prepaid'
}

/**
 * Whether a customer may have an order before it is paid (R4.3, R4.11). The one place that
 * decides this. Throws 422 with what is missing: `address_unconfirmed`, `payment_method_required`,
 * `open_services_limit`, `order_open`, `open_orders_limit`, `unpaid_orders_limit`.
 */
export function assertAllowed(wanted: Wanted, customer: Customer, terms: OrderTerms): void {
  const refusal =
    addressMissing(wanted, customer, terms) ??
    methodMissing(wanted, customer, terms) ??
    tooManyServices(wanted, customer) ??
    tooManyOrders(wanted, customer, terms)
  if (refusal) throw refusal
}

function isNotPrepaid({ payment }: WantedLine): boolean {
  return payment !== 'prepaid'
}

function addressMissing({ lines }: Wanted, customer: Customer, terms: OrderTerms) {
  if (!terms.confirmedAddress || customer.addressConfirmed || !lines.some(isNotPrepaid)) return
  return unprocessable(
    'Confirm your e-mail address first: this order is not paid in advance.',
    'address_unconfirmed',
  )
}

function methodMissing(wanted: Wanted, customer: Customer, terms: OrderTerms) {
  if (customer.hasMethod) return
  const trial = wanted.lines.some(({ payment }) => payment === 'trial')
  if (terms.trialNeedsMethod && trial) {
    const message =
      'Add a payment method first: a trial needs one. Or set `trial` to false on the cart item to buy it at once.'
    return unprocessable(message, 'payment_method_required')
  }
  const hourly = wanted.lines.some(({ payment }) => payment === 'hourly')
  if (!terms.hourlyNeedsMethod || !hourly || hasCredit(wanted, customer, terms)) return
  const { hourlyCreditHours: hours } = terms
  const credit = hours > 0 ? `, or add credit for ${hours} hours of all your hourly services` : ''
  const message = `Add a payment method first${credit}: plans by the hour are billed afterwards.`
  return unprocessable(message, 'payment_method_required')
}

/** Whether credit covers some hours of everything that is billed hourly, including open services. */
function hasCredit(
  wanted: Wanted,
  customer: Pick<Customer, 'services' | 'creditCents'>,
  { hourlyCreditHours: hours }: OrderTerms,
) {
  if (hours === 0) return false
  const seconds = (hours * HOUR_MS) / SECOND_MS
  const cost = ({ priceMicros, priceCents }: Metered, units: number) =>
    hourlyCharge({ seconds, priceMicros: priceMicros ?? 0, capCents: priceCents }) * units
  const ordered = wanted.lines.filter(({ payment }) => payment === 'hourly')
  const open = customer.services.filter(
    ({ interval, currency }) => interval === 'hour' && currency === wanted.currency,
  )
  const needed = [...ordered.map((it) => cost(it, it.quantity)), ...open.map((it) => cost(it, 1))]
  return customer.creditCents >= sumCents(needed) + wanted.totalCents
}

/**
 * Throws 409 if a customer may not lose their last payment method: open services in a currency are billed by the hour,
 * and credit does not cover them (R4.11).
 */
export function assertMethodNotNeeded(
  currency: string,
  customer: Pick<Customer, 'services' | 'creditCents'>,
  terms: OrderTerms,
): void {
  const isHourly = (it: OpenService) => it.interval === 'hour' && it.currency === currency
  if (!terms.hourlyNeedsMethod || !customer.services.some(isHourly)) return
  if (hasCredit({ lines: [], currency, totalCents: cents(0) }, customer, terms)) return
  throw conflict(
    'You have services that are billed by the hour. Add another payment method, or end them first.',
    'payment_method_needed',
  )
}

function tooManyServices({ lines }: Wanted, { services, limits }: Customer): Problem | undefined {
  const units = unitsOf(lines.filter(isNotPrepaid))
  if (units === 0 || services.length + units <= limits.maxOpenServices) return
  return unprocessable(
    `You may have ${limits.maxOpenServices} services that are not paid in advance, and have ` +
      `${services.length}. End one of them, or ask us for more.`,
    'open_services_limit',
  )
}

function tooManyOrders(
  wanted: Wanted,
  { orders, unpaidToday, limits }: Customer,
  { maxUnpaidOrdersPerDay }: OrderTerms,
): Problem | undefined {
  // An order of zero is paid at once.
  if (wanted.totalCents === 0) return
  const numbers = (open: readonly OpenOrder[]) => open.map(({ number }) => number).join(', ')
  for (const { productId } of wanted.lines) {
    const same = orders.filter(({ productIds }) => productIds.includes(productId))
    if (same.length < limits.openOrdersPerProduct) continue
    const message = `Pay or cancel order ${numbers(same)} first: it holds the same product.`
    return unprocessable(message, 'order_open')
  }
  if (orders.length >= limits.maxOpenOrders) {
    const message = `You have ${orders.length} unpaid orders. Pay or cancel one of them first: ${numbers(orders)}.`
    return unprocessable(message, 'open_orders_limit')
  }
  if (unpaidToday < maxUnpaidOrdersPerDay) return
  const message = `You have placed ${unpaidToday} orders in 24 hours without paying them. Try again tomorrow.`
  return unprocessable(message, 'unpaid_orders_limit')
}

/** The sum of the quantities. */
export function unitsOf(lines: readonly { readonly quantity: number }[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0)
}

/** What is held for a customer's unpaid orders now, and was held recently for the same products. */
export type Held = {
  readonly units: number
  /** When the first recent hold of one of the wanted products ends or ended; null without one. */
  readonly endsAt: Instant | null
}

/**
 * Until when stock, room and coupons are held for a new order; an instant that is not after `now` means
 * that nothing is held. Another order never prolongs the hold of the customer's first unpaid one.
 */
export function heldUntil(
  { units, addressConfirmed }: { units: number; addressConfirmed: boolean },
  held: Held,
  { maxHeldUnits }: Pick<Limits, 'maxHeldUnits'>,
  terms: OrderTerms,
  now: Instant,
): Instant {
  if (held.units + units > maxHeldUnits) return now
  const { holdMinutes, unconfirmedHoldMinutes } = terms
  const minutes = addressConfirmed ? holdMinutes : Math.min(holdMinutes, unconfirmedHoldMinutes)
  const own = later(now, minutes * MINUTE_MS)
  return held.endsAt && held.endsAt < own ? held.endsAt : own
}

/** The limits of a person: those that staff set, and the shop's for the rest. */
export function limitsOf(
  terms: Limits,
  raised: Partial<Record<LimitName, number | null>> | undefined,
): Limits {
  return {
    maxOpenServices: raised?.maxOpenServices ?? terms.maxOpenServices,
    maxOpenOrders: raised?.maxOpenOrders ?? terms.maxOpenOrders,
    openOrdersPerProduct: raised?.openOrdersPerProduct ?? terms.openOrdersPerProduct,
    maxHeldUnits: raised?.maxHeldUnits ?? terms.maxHeldUnits,
  }
}
