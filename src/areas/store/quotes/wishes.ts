import { assertNoLink } from '#lib/links.ts'
import { notFound, Problem, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { settingsOf } from '#tenants'
import { billingProfileOf } from '#users'
import { type Quote, quoteOf } from '../carts/checkout.ts'
import { type CouponChoice, everyCoupon, isOnSale, linesOf } from '../carts/rules.ts'
import { type CartServer, serversOf } from '../carts/servers.ts'
import { withSelections } from '../components/selection.ts'
import { documentOf, withDecisions } from '../documents.ts'
import { listPlansOnSale } from '../plans/queries.ts'
import { priceIn } from '../plans/rules.ts'
import { couponCodeOf } from '../pricing/coupons.ts'
import { withAmounts } from '../pricing/lines.ts'
import { isNewCustomer } from '../redemptions/queries.ts'
import { storeSettings } from '../settings.ts'
import { taxContextOf, taxCustomerOf, taxHomeOf } from '../tax.ts'
import type { TaxCustomer } from '../tax-rates/decision.ts'
import { listQuotedCoupons, listQuotedPlans, type QuotedFor } from './queries.ts'
import type { QuoteRequest } from './schema.ts'

type WantedItem = QuoteRequest['items'][number] & { readonly trial?: boolean }

/** What is wanted, without a cart. */
export type WantedOrder = Pick<QuoteRequest, 'coupons' | 'currency'> & {
  readonly items: readonly WantedItem[]
}

/** The buyer of a quote; `customer` decides on the tax. */
export type QuoteBuyer = QuotedFor & { readonly customer: TaxCustomer | null }

/** Prices wanted items as a cart with them is priced, with those of the coupons that `choose` picks. */
export async function priceWishes(
  db: Db,
  { customer, ...buyer }: QuoteBuyer,
  { items: wanted, coupons: typed = [], currency: asked }: WantedOrder,
  { now, choose }: { now: Instant; choose: CouponChoice },
) {
  const { tenantId, userId } = buyer
  const home = await taxHomeOf(db, tenantId)
  const currency = asked ?? home.seller.currency
  const codes = typed.map(couponCodeOf)
  const planIds = wanted.map(({ planId }) => planId)
  const [plans, coupons] = await Promise.all([
    listQuotedPlans(db, buyer, { currency, planIds }),
    listQuotedCoupons(db, buyer, codes),
  ])
  const byId = new Map(plans.map((plan) => [plan.planId, plan]))
  const items = await withSelections(
    db,
    { tenantId, currency },
    wanted.flatMap((item, index) => {
      const plan = byId.get(item.planId)
      return plan ? [{ ...plan, ...wishOf(item, index) }] : []
    }),
  )
  const taxRateIds = items.map(({ taxRateId }) => taxRateId)
  const context = await taxContextOf(db, { tenantId, customer, taxRateIds, at: now, home })
  const lines = withDecisions(context, linesOf(items.filter(isOnSale)))
  const amounted = withAmounts(lines, context.seller.priceMode)
  const newCustomer = userId === null || (await isNewCustomer(db, { tenantId, userId }))
  const use = { lines: amounted, currency, newCustomer, now }
  const applied = choose(coupons, use)
  const document = documentOf(context, currency, lines, applied)
  return { items, coupons, applied, document, codes, use }
}

/** An item of a request as it would be in a cart. */
function wishOf(item: WantedItem, index: number) {
  const { quantity = 1, name = null, locationId = null, options = {}, environment = {} } = item
  const { trial = true } = item
  return { id: String(index), quantity, name, options, environment, locationId, trial }
}

/** A customer as the buyer of a quote. */
export async function quoteBuyerOf(db: Db, { tenantId, userId }: UserKey): Promise<QuoteBuyer> {
  const customer = taxCustomerOf(await billingProfileOf(db, { tenantId, userId }))
  return { tenantId, userId, customer }
}

/**
 * The currency of an order, as a new cart gets it: the wanted one, else the seller's if the first plan has a price in
 * it, else the plan's own. Throws 404 for a plan that the shop does not have on sale, 422 `currency_not_available`.
 */
export async function currencyFor(
  db: Db,
  tenantId: string,
  { items, currency }: Pick<WantedOrder, 'items' | 'currency'>,
): Promise<string> {
  const planIds = items.map(({ planId }) => planId)
  const [{ seller }, found] = await Promise.all([
    taxHomeOf(db, tenantId),
    listPlansOnSale(db, tenantId, planIds),
  ])
  const plans = planIds.map((id) => {
    const plan = found.find((it) => it.id === id)
    if (!plan) throw notFound('Plan')
    return plan
  })
  const [first] = plans
  if (!first) return currency ?? seller.currency
  const settled = currency ?? (priceIn(first, seller.currency) ? seller.currency : first.currency)
  if (plans.every((plan) => priceIn(plan, settled))) return settled
  throw unprocessable(`This plan is not sold in ${settled}.`, 'currency_not_available')
}

/**
 * Prices items for an order of a customer, as a checkout prices their cart; nothing is reserved. Throws 404 for a
 * coupon that does not exist, 422 with the reason if something cannot be ordered as it is.
 */
export async function priceOrder(
  db: Db,
  user: UserKey,
  wanted: WantedOrder,
  now: Instant,
): Promise<Quote> {
  for (const { name } of wanted.items) assertNoLink('name', name)
  const { maxUnitsPerOrder } = await settingsOf(db, user.tenantId, storeSettings)
  const units = wanted.items.reduce((sum, { quantity = 1 }) => sum + quantity, 0)
  if (units > maxUnitsPerOrder) {
    throw unprocessable('This is more than one order may hold.', 'cart_full')
  }
  const buyer = await quoteBuyerOf(db, user)
  const priced = await priceWishes(db, buyer, wanted, { now, choose: everyCoupon })
  const { codes, coupons } = priced
  if (codes.some((code) => !coupons.some((it) => it.code === code))) {
    throw new Problem(404, 'There is no coupon with this code.', { code: 'coupon_unknown' })
  }
  return quoteOf(priced)
}

/** The servers that will be created from wanted items; those of unknown plans are left out. */
export async function wantedServersOf(
  db: Db,
  buyer: UserKey,
  { items, currency }: Pick<WantedOrder, 'items'> & { readonly currency: string },
): Promise<CartServer[]> {
  const planIds = items.map(({ planId }) => planId)
  const plans = await listQuotedPlans(db, buyer, { currency, planIds })
  const rows = items.flatMap((item, index) => {
    const plan = plans.find(({ planId }) => planId === item.planId)
    if (!plan) return []
    const { productId, provisioning, locationIds, trialDays, interval, intervalCount } = plan
    const { name: _name, ...wish } = wishOf(item, index)
    const product = { productId, provisioning, locationIds }
    return [{ ...wish, ...product, trialDays, interval, intervalCount, currency }]
  })
  return serversOf(db, buyer.tenantId, rows)
}
