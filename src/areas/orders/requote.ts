import { lineTextsFor, lockExpired, proFormaEnd, replaceQuote } from '#billing'
import type { Instant } from '#lib/time.ts'
import type { Requote } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { lockPendingServices, type NewPrice, repriceServices, withoutFees } from '#services'
import {
  type Component,
  type CouponTerms,
  listPlansOnSale,
  type PlanPrice,
  priceFor,
  priceIn,
  priceSelections,
  sumOfComponents,
} from '#store'
import { lockOrder, type OrderRow, updateItem, updateOrder } from './queries.ts'
import {
  componentLinesOf,
  type KeptQuote,
  linesOfToday,
  totalsPerItem,
  worthPerUnit,
} from './rules.ts'

/**
 * Prices an unpaid order as of now: its plans' prices, tax rates and the customer's data
 * may have changed; its coupons count as they did (R3.4). If the price differs, order, items
 * and services move to a new invoice. Stock and coupons stay held for the order.
 */
export const requoteOrder: Requote = async (tx, { tenantId, invoiceId, reference, pages }, now) => {
  const order = reference ? await lockOrder(tx, { tenantId, id: reference }) : undefined
  if (!order?.quote || order.invoiceId !== invoiceId || order.paidAt || order.canceledAt)
    return null
  await lockPendingServices(tx, tenantId, order.id)
  const prices = await pricesOf(tx, order, order.quote)
  const beside = await componentsOf(tx, order, { quote: order.quote, prices })
  const document = await documentOf(tx, order, { quote: order.quote, prices, beside }, now)
  const expired = await lockExpired(tx, { tenantId, invoiceId, pages }, document)
  if (!expired) return null
  const usual = await proFormaEnd(tx, tenantId, now)
  const { placedBy, heldUntil } = order
  const dueAt = placedBy && heldUntil && heldUntil > usual ? heldUntil : usual
  const invoice = await replaceQuote(tx, expired, { document, dueAt }, now)
  const { totalCents } = document
  await updateOrder(tx, order, { invoiceId: invoice.id, totalCents })
  for (const [id, itemCents] of totalsPerItem(document.lines)) {
    await updateItem(tx, { tenantId, id }, { totalCents: itemCents })
  }
  const newPrices = new Map<string, NewPrice>()
  for (const [itemId, lines] of Map.groupBy(document.lines, (line) => line.itemId)) {
    const [line] = lines
    if (!line) continue
    const components = beside.get(itemId) ?? []
    const due = line.onTrial ? components : withoutFees(components)
    const worth = worthPerUnit(lines, due)
    const price = wholePrice(prices.get(line.planId), components)
    newPrices.set(itemId, {
      valuesCents: worth.map(({ valueCents }) => valueCents),
      components: worth.map((it) => it.components),
      ...(price && { price }),
    })
  }
  const moved = { tenantId, orderId: order.id, invoiceId: invoice.id }
  await repriceServices(tx, moved, newPrices)
  return { invoiceId: invoice.id }
}

/** The present prices of the plans of an order, in its currency; plans not on sale are left out. */
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

/**
 * The components beside the plans of an order at present prices, by item. If a component or its plan is not on sale
 * any more, its ordered price stays.
 */
async function componentsOf(
  tx: Tx,
  { tenantId, currency }: OrderRow,
  { quote: { lines }, prices }: Omit<Today, 'beside'>,
): Promise<Beside> {
  const items = lines.filter(({ components = [] }) => components.length > 0)
  const wanted = items.map(({ interval, intervalCount = 1, components = [] }) => ({
    terms: { interval, intervalCount, currency },
    selected: components,
  }))
  const priced = await priceSelections(tx, tenantId, wanted)
  return new Map(
    items.map(({ itemId, planId, components = [] }, index) => {
      return [itemId, (prices.has(planId) && priced[index]) || components]
    }),
  )
}

type Beside = ReadonlyMap<string, readonly Component[]>

/** The whole price of a service; undefined if its plan has no present price. */
function wholePrice(plan: PlanPrice | undefined, components: readonly Component[]) {
  if (!plan) return undefined
  const { setupFeeCents } = plan
  const { priceCents, priceMicros } = sumOfComponents([
    { ...plan, feeCents: setupFeeCents },
    ...components,
  ])
  return { priceCents, priceMicros, setupFeeCents }
}

type Today = {
  readonly quote: KeptQuote
  readonly prices: ReadonlyMap<string, PlanPrice>
  readonly beside: Beside
}

async function documentOf(
  tx: Tx,
  { tenantId, userId, currency }: OrderRow,
  { quote, prices, beside }: Today,
  now: Instant,
) {
  const texts = await lineTextsFor(tx, { tenantId, userId })
  const plans = linesOfToday(quote, (planId) => prices.get(planId))
  const lines = [...Map.groupBy(plans, ({ itemId }) => itemId)].flatMap(([itemId, own]) => {
    const [plan] = own
    const parts = plan ? componentLinesOf(plan, beside.get(itemId) ?? [], texts) : []
    return [...own.map((line) => ({ ...line, component: null })), ...parts]
  })
  const coupons = quote.coupons as unknown as CouponTerms[]
  return priceFor(tx, { tenantId, userId, currency, lines, coupons }, now)
}
