import { sql } from 'kysely'
import { kindOf, type NamedObject } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'

/** The objects of this area among these ids, with their names. */
export function objectsAmong(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<NamedObject[]> {
  const categories = db
    .selectFrom('store.categories')
    .select(['id', 'name', kindOf('category')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
  const products = db
    .selectFrom('store.products')
    .select(['id', 'name', kindOf('product')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
  const plans = db
    .selectFrom('store.plans as plan')
    .innerJoin('store.products as product', (join) =>
      join
        .onRef('product.tenantId', '=', 'plan.tenantId')
        .onRef('product.id', '=', 'plan.productId'),
    )
    .select(['plan.id', sql<string>`concat_ws(' · ', product.name, plan.name)`.as('name')])
    .select(kindOf('plan'))
    .where('plan.tenantId', '=', tenantId)
    .where('plan.id', 'in', ids)
  const coupons = db
    .selectFrom('store.coupons')
    .select(['id', 'code as name', kindOf('coupon')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
  const taxRates = db
    .selectFrom('store.tax_rates')
    .select(['id', 'name', kindOf('tax_rate')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
  const groups = db
    .selectFrom('store.option_groups')
    .select(['id', 'name', kindOf('option_group')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
  const options = db
    .selectFrom('store.options')
    .select(['id', 'name', kindOf('option')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
  return categories
    .unionAll(products)
    .unionAll(plans)
    .unionAll(coupons)
    .unionAll(taxRates)
    .unionAll(groups)
    .unionAll(options)
    .execute()
}
