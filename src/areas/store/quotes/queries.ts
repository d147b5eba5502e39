import { sql } from 'kysely'
import type { Db } from '#platform/database/index.ts'
import type { CartCouponRow } from '../carts/queries.ts'
import { NOT_SOLD, pricesWhen } from '../plans/queries.ts'
import { triedBy } from '../trials/queries.ts'

/** Who is quoted: a customer, or a visitor who is not known yet. */
export type QuotedFor = { readonly tenantId: string; readonly userId: string | null }

/**
 * Plans with their products, on sale or not, priced in a currency (null if they have no price in it), and whether
 * the buyer has tried the product.
 */
export function listQuotedPlans(
  db: Db,
  { tenantId, userId }: QuotedFor,
  { planIds, currency }: { readonly planIds: readonly string[]; readonly currency: string },
) {
  const ownCurrency = sql<boolean>`plan.currency = ${currency}`
  return db
    .selectFrom('store.plans as plan')
    .innerJoin('store.products as product', (join) =>
      join
        .onRef('product.tenantId', '=', 'plan.tenantId')
        .onRef('product.id', '=', 'plan.productId'),
    )
    .leftJoin('store.plan_prices as price', (join) =>
      join
        .onRef('price.tenantId', '=', 'plan.tenantId')
        .onRef('price.planId', '=', 'plan.id')
        .on('price.currency', '=', currency),
    )
    .select(['plan.id as planId', 'plan.name as planName', 'plan.interval', 'plan.intervalCount'])
    .select(['plan.trialDays', 'product.id as productId', 'product.name as productName'])
    .select(['product.slug as productSlug', 'product.categoryId', 'product.taxRateId'])
    .select(['product.stock', 'product.locationIds', 'product.provisioning'])
    .select(pricesWhen(ownCurrency))
    .select(NOT_SOLD.as('gone'))
    .select((userId ? triedBy(userId) : sql<boolean>`false`).as('tried'))
    .where('plan.tenantId', '=', tenantId)
    .where('plan.id', '=', sql<string>`any(${[...planIds]}::uuid[])`)
    .execute()
}

/** Coupons by their codes, with how often the buyer has used each of them. */
export function listQuotedCoupons(
  db: Db,
  { tenantId, userId }: QuotedFor,
  codes: readonly string[],
): Promise<CartCouponRow[]> {
  return db
    .selectFrom('store.coupons as coupon')
    .selectAll('coupon')
    .select(
      sql<number>`(
        select count(*) from store.coupon_redemptions
        where tenant_id = coupon.tenant_id and coupon_id = coupon.id
          and user_id = ${userId}::uuid and released_at is null
      )`.as('usedByCustomer'),
    )
    .where('tenantId', '=', tenantId)
    .where('code', '=', sql<string>`any(${[...codes]}::text[])`)
    .orderBy('code')
    .execute()
}
