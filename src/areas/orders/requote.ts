import { lockExpired, proFormaEnd, replaceQuote } from '#billing'
import type { Instant } from '#lib/time.ts'
import type { Requote } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { lockPendingServices, type NewPrice, repriceServices } from '#services'
import { type CouponTerms, listPlansOnSale, type PlanPrice, priceFor, priceIn } from '#store'
import { lockOrder, type OrderRow, updateItem, updateOrder } from './queries.ts'
import { type KeptQuote, linesOfToday, totalsPerItem, valuesPerUnit } from './rules.ts'

/**
 * Prices an unpaid order as of now: its plans' prices, tax rates and what is known of the customer
 * may have changed; its coupons count as they did (R3.4). Where it costs something else, order, items
 * and services go over to a new invoice. Stock and coupons are held for the order, and stay.
 */
export const requoteOrder: Requote = async (tx, { tenantId, invoiceId, reference, pages }, now) => {
  const order = reference ? await lockOrder(tx, { tenantId, id: reference }) : undefined
  if (!order?.quote || order.invoiceId !== invoiceId || order.paidAt || order.canceledAt)
    return null
  await lockPendingServices(tx, tenantId, order.id)
  const prices = await pricesOf(tx, order, order.quote)
  const document = await documentOf(tx, order, { quote: order.quote, prices }, now)
  const expired = await lockExpired(tx, { tenantId, invoiceId, pages }, document)
  if (!expired) return null
  const dueAt = await proFormaEnd(tx, tenantId, now)
  const invoice = await replaceQuote(tx, expired, { document, dueAt }, now)
  const { totalCents } = document
  await updateOrder(tx, order, { invoiceId: invoice.id, totalCents })
  for (const [id, itemCents] of totalsPerItem(document.lines)) {
    await updateItem(tx, { tenantId, id }, { totalCents: itemCents })
  }
  const newPrices = new Map<string, NewPrice>()
  for (const line of document.lines) {
    if (line.setupFee) continue
    const price = prices.get(line.planId)
    newPrices.set(line.itemId, { valuesCents: valuesPerUnit(line), ...(price && { price }) })
  }
  const moved = { tenantId, orderId: order.id, invoiceId: invoice.id }
  await repriceServices(tx, moved, newPrices)
  return { invoiceId: invoice.id }
}

/** What the plans of an order cost now, in its currency; one that is not sold is left out. */
async function pricesOf(
  tx: Tx,
  { tenantId, currency }: OrderRow,
  { lines }: KeptQuote,
): Promise<Map<string, PlanPrice>> {
  const planIds = new Set(lines.map(({ planId }) => planId))
  const plans = await listPlansOnSale(tx, tenantId, [...planIds])
  return new Map(
    plans.flatMap((plan) => {
      const price = priceIn(plan, currency)
      return price ? [[plan.id, price] as const] : []
    }),
  )
}

function documentOf(
  tx: Tx,
  { tenantId, userId, currency }: OrderRow,
  { quote, prices }: { quote: KeptQuote; prices: ReadonlyMap<string, PlanPrice> },
  now: Instant,
) {
  const lines = linesOfToday(quote, (planId) => prices.get(planId))
  const coupons = quote.coupons as unknown as CouponTerms[]
  return priceFor(tx, { tenantId, userId, currency, lines, coupons }, now)
}
