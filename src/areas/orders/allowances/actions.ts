import { hasUsableMethod } from '#billing'
import { creditBalance } from '#ledger'
import { sumCents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { listNotPrepaid } from '#services'
import { isPlanLine, type Quote, type QuoteLine, servicePriceOf } from '#store'
import { settingsOf } from '#tenants'
import type { UserRow } from '#users'
import { type OrderTerms, orderSettings } from '../settings.ts'
import {
  countUnpaidOrders,
  findAllowance,
  firstHoldEnd,
  listOpenOrders,
  upsertAllowance,
} from './queries.ts'
import {
  assertAllowed,
  assertMethodNotNeeded,
  heldUntil,
  type LimitName,
  limitsOf,
  paymentOf,
  unitsOf,
} from './rules.ts'

/**
 * Decides on an order before anything is written; the customer's row is locked. Throws 422 if they may not
 * have it unpaid, and returns until when stock, room and coupons are held for it.
 */
export async function allowOrder(
  tx: Tx,
  user: UserRow,
  { quote, terms }: { quote: Quote; terms: OrderTerms },
  now: Instant,
): Promise<Instant> {
  const { tenantId, id: userId } = user
  const key = { tenantId, userId }
  const { currency, totalCents } = quote
  const sold = quote.lines.filter(isPlanLine)
  const orders = await listOpenOrders(tx, key)
  const limits = limitsOf(terms, await findAllowance(tx, key))
  const addressConfirmed = user.emailVerifiedAt !== null
  const customer = {
    ...{ addressConfirmed, limits, orders },
    hasMethod: await hasUsableMethod(tx, key, now),
    creditCents: await creditBalance(tx, { ...key, currency }),
    services: await listNotPrepaid(tx, key, now),
    unpaidToday: await countUnpaidOrders(tx, key, now),
  }
  assertAllowed(
    { lines: sold.map((line) => wantedOf(line, quote)), currency, totalCents },
    customer,
    terms,
  )
  const productIds = sold.map(({ productId }) => productId)
  const hours = terms.holdAgainHours
  const held = {
    units: unitsHeld(orders, now),
    endsAt: await firstHoldEnd(tx, key, { productIds, hours }, now),
  }
  return heldUntil({ units: unitsOf(sold), addressConfirmed }, held, limits, terms, now)
}

/** Throws 409 for a customer with open hourly services whose last payment method is being removed (R4.11). */
export async function assertMayLoseMethods(tx: Tx, key: UserKey, now: Instant): Promise<void> {
  const { tenantId, userId } = key
  const terms = await settingsOf(tx, tenantId, orderSettings)
  const services = await listNotPrepaid(tx, { tenantId, userId }, now)
  for (const currency of new Set(services.map((it) => it.currency))) {
    const creditCents = await creditBalance(tx, { tenantId, userId, currency })
    assertMethodNotNeeded(currency, { services, creditCents }, terms)
  }
}

function wantedOf(line: QuoteLine, { lines }: Pick<Quote, 'lines'>) {
  const { itemId, productId, quantity, interval, trialDays } = line
  const periods = lines.filter((it) => it.itemId === itemId && !it.setupFee)
  const chargedCents = sumCents(periods.map((it) => it.subtotalCents - it.discountCents))
  const { priceMicros, priceCents } = servicePriceOf(line)
  const payment = paymentOf({ interval, trialDays, chargedCents })
  return { productId, quantity, payment, priceMicros, priceCents }
}

function unitsHeld(orders: Awaited<ReturnType<typeof listOpenOrders>>, now: Instant): number {
  return orders.reduce(
    (sum, { heldUntil: until, units }) => (until && until > now ? sum + units : sum),
    0,
  )
}

/** The limits of a person, how much of them is used, and which of them staff set. */
export async function allowanceOf(db: Db, key: UserKey, terms: OrderTerms, now: Instant) {
  const [own, orders, services] = await Promise.all([
    findAllowance(db, key),
    listOpenOrders(db, key),
    listNotPrepaid(db, key, now),
  ])
  const limits = limitsOf(terms, own)
  const perProduct = Map.groupBy(
    orders.flatMap(({ productIds }) => [...new Set(productIds)]),
    (productId) => productId,
  )
  const most = Math.max(0, ...[...perProduct.values()].map(({ length }) => length))
  const used = {
    maxOpenServices: services.length,
    maxOpenOrders: orders.length,
    openOrdersPerProduct: most,
    maxHeldUnits: unitsHeld(orders, now),
  }
  const entry = (name: LimitName) => ({
    used: used[name],
    limit: limits[name],
    ownLimit: own?.[name] ?? null,
  })
  return {
    openServices: entry('maxOpenServices'),
    openOrders: entry('maxOpenOrders'),
    openOrdersPerProduct: entry('openOrdersPerProduct'),
    heldUnits: entry('maxHeldUnits'),
    changedBy: own?.changedBy ?? null,
    changedAt: own?.changedAt ?? null,
  }
}

type Change = Partial<Record<LimitName, number | null>>

/** Sets limits of a person whose row is locked; null returns to the shop's. Limits that are not named stay. */
export async function changeAllowance(
  tx: Tx,
  key: UserKey,
  { change, changedBy }: { change: Change; changedBy: string },
  now: Instant,
): Promise<void> {
  const own = await findAllowance(tx, key)
  const value = (name: LimitName) =>
    change[name] === undefined ? (own?.[name] ?? null) : change[name]
  await upsertAllowance(tx, {
    tenantId: key.tenantId,
    userId: key.userId,
    maxOpenServices: value('maxOpenServices'),
    maxOpenOrders: value('maxOpenOrders'),
    openOrdersPerProduct: value('openOrdersPerProduct'),
    maxHeldUnits: value('maxHeldUnits'),
    changedBy,
    changedAt: now,
  })
}
