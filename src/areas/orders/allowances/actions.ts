import { hasUsableMethod } from '#billing'
import { creditBalance } from '#ledger'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { listNotPrepaid } from '#services'
import type { Quote, QuoteLine } from '#store'
import type { UserRow } from '#users'
import type { OrderTerms } from '../settings.ts'
import {
  countUnpaidOrders,
  findAllowance,
  firstHoldEnd,
  listOpenOrders,
  upsertAllowance,
} from './queries.ts'
import { assertAllowed, heldUntil, type LimitName, limitsOf, paymentOf, unitsOf } from './rules.ts'

/**
 * Decides on an order of a locked customer before anything is written: throws 422 when they may not
 * have it unpaid, and answers until when it holds stock, room and coupons.
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
  const sold = quote.lines.filter(({ setupFee }) => !setupFee)
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
  assertAllowed({ lines: sold.map(wantedOf), currency, totalCents }, customer, terms)
  const productIds = sold.map(({ productId }) => productId)
  const hours = terms.holdAgainHours
  const held = {
    units: unitsHeld(orders, now),
    endsAt: await firstHoldEnd(tx, key, { productIds, hours }, now),
  }
  return heldUntil({ units: unitsOf(sold), addressConfirmed }, held, limits, terms, now)
}

function wantedOf(line: QuoteLine) {
  const { productId, quantity, interval, trialDays, planPrice } = line
  const chargedCents = line.subtotalCents - line.discountCents
  const { priceMicros, priceCents } = planPrice
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

/** Sets limits of a locked person; null goes back to the shop's. What is not named stays. */
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
