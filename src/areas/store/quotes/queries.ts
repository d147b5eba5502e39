import { sql } from 'kysely'
import type { Db } from '#platform/database/index.ts'
import type { CartCouponRow } from '../carts/queries.ts'
import { NOT_SOLD, pricesWhen } from '../plans/queries.ts'

export type PlanKeys = { tenantId: string; planIds: readonly string[]; currency: string }

/** Plans with their products, on sale or not, priced in a currency (null if they have no price in it). */
export function listQuotedPlans(db: Db, { tenantId, planIds, currency }: PlanKeys) {
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
    .where('plan.tenantId', '=', tenantId)
    .where('plan.id', '=', sql<string>`any(${[...planIds]}::uuid[])`)
    .execute()
}

/** Coupons by their codes, for a buyer who is not known yet. */
export async function listQuotedCoupons(
  db: Db,
  tenantId: string,
  codes: readonly string[],
): Promise<CartCouponRow[]> {
  const rows = await db
    .selectFrom('store.coupons')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('code', '=', sql<string>`any(${[...codes]}::text[])`)
    .orderBy('code')
    .execute()
  return rows.map((row) => ({ ...row, usedByCustomer: 0 }))
}
