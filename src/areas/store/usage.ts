import type { Area } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'

/** How many services that have not ended have each plan, and each product. */
export type Usage = {
  readonly plans: ReadonlyMap<string, number>
  readonly products: ReadonlyMap<string, number>
}

/** Counts the services of products and of their plans: one query for all of them. */
export async function usageOf(
  areas: readonly Area[],
  db: Db,
  tenantId: string,
  productIds: readonly string[],
): Promise<Usage> {
  const plans = new Map<string, number>()
  const products = new Map<string, number>()
  const servicesOf = areas.find((area) => area.servicesOf)?.servicesOf
  if (!servicesOf || productIds.length === 0) return { plans, products }
  for (const { productId, planId, count } of await servicesOf(db, tenantId, productIds)) {
    plans.set(planId, count)
    products.set(productId, (products.get(productId) ?? 0) + count)
  }
  return { plans, products }
}
