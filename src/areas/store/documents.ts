import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { billingProfilesOf } from '#users'
import type { CouponTerms } from './pricing/coupons.ts'
import type { PricedDocument } from './pricing/document.ts'
import type { OrderLine } from './pricing/lines.ts'
import { price } from './pricing/rules.ts'
import { listTaxRatesOf } from './products/queries.ts'
import {
  decisionIn,
  type TaxContext,
  taxContextFor,
  taxContextsOf,
  taxCustomerOf,
  taxHomeOf,
} from './tax.ts'
import type { TaxDecision } from './tax-rates/decision.ts'

/** A line whose tax is still to be decided. */
export type UntaxedLine = Omit<OrderLine, 'tax'>

/** Adds to every line how it is taxed. Throws 422 if a rate is not known. */
export function withDecisions<L extends UntaxedLine & { taxRateId: string | null }>(
  context: TaxContext,
  lines: readonly L[],
): (L & { readonly tax: TaxDecision })[] {
  return lines.map((line) => ({ ...line, tax: decisionIn(context, line.taxRateId) }))
}

/** Prices lines whose tax is decided, in cents of `currency` and in the seller's price mode. */
export function documentOf<L extends OrderLine>(
  context: TaxContext,
  currency: string,
  lines: readonly L[],
  coupons: readonly CouponTerms[],
): PricedDocument<L> {
  const { seller, customer } = context
  const { priceMode } = seller
  const { reason } = decisionIn(context, null)
  const priced = price(lines, coupons, priceMode)
  return { ...priced, currency, priceMode, taxCountry: customer.country, taxReason: reason }
}

/** Lines sold to a user, and the coupons they are sold with. */
export type Sale<L> = {
  userId: string
  currency: string
  lines: readonly L[]
  coupons?: readonly CouponTerms[]
}

type Priced<L extends UntaxedLine> = PricedDocument<
  L & { taxRateId: string | null; tax: TaxDecision }
>

/**
 * Prices a sale to a user as of `at`: tax decided per product (a line without one has the standard rate),
 * coupons deducted without checking again whether they may be used. 422 for an unknown tax rate.
 */
export async function priceFor<L extends UntaxedLine>(
  db: Db,
  { tenantId, ...sale }: Sale<L> & { tenantId: string },
  at: Instant,
): Promise<Priced<L>> {
  const price = await pricesFor(db, { tenantId, sales: [sale] }, at)
  return price(sale)
}

/** Buyers and the products that they buy. */
type Buying = { userId: string; lines: readonly Pick<UntaxedLine, 'productId'>[] }

/**
 * Reads what prices sales of these products to these users, and returns a function that prices each sale as
 * `priceFor` does. Each sale is priced separately, so that one that cannot be priced does not fail the others.
 */
export async function pricesFor(
  db: Db,
  { tenantId, sales }: { tenantId: string; sales: readonly Buying[] },
  at: Instant,
): Promise<<L extends UntaxedLine>(sale: Sale<L>) => Priced<L>> {
  const lines = sales.flatMap((sale) => sale.lines)
  const productIds = new Set(lines.flatMap(({ productId }) => productId ?? []))
  const userIds = new Set(sales.map(({ userId }) => userId))
  const [rates, people, home] = await Promise.all([
    listTaxRatesOf(db, tenantId, [...productIds]),
    billingProfilesOf(db, tenantId, [...userIds]),
    taxHomeOf(db, tenantId),
  ])
  const customers = new Map([...userIds].map((id) => [id, taxCustomerOf(people.get(id))]))
  const contextOf = await taxContextsOf(db, {
    ...{ tenantId, at, home, customers: [...customers.values()] },
    taxRateIds: [...new Set(rates.values())],
  })
  return ({ userId, currency, lines, coupons = [] }) => {
    const context = contextOf(customers.get(userId) ?? null)
    const rated = lines.map((line) => ({ ...line, taxRateId: rates.get(line.productId) ?? null }))
    return documentOf(context, currency, withDecisions(context, rated), coupons)
  }
}

type ProductSale = { tenantId: string; userId: string; productId: string | null; at: Instant }

/** How a sale of a product to a user at an instant is taxed (R2.2). Throws 422 for an unknown rate. */
export async function taxDecisionFor(
  db: Db,
  { tenantId, userId, productId, at }: ProductSale,
): Promise<TaxDecision> {
  const rates = await listTaxRatesOf(db, tenantId, productId === null ? [] : [productId])
  const taxRateId = rates.get(productId) ?? null
  const context = await taxContextFor(db, { tenantId, userId, taxRateIds: [taxRateId], at })
  return decisionIn(context, taxRateId)
}
