import type { Area } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'

/** How many services that have not ended have a product, and each of its plans. */
export type Usage = { readonly total: number; readonly plans: ReadonlyMap<string, number> }

/** Counts the services of a product and of its plans. */
export async function usageOf(
  areas: readonly Area[],
  db: Db,
  { tenantId, productId }: { tenantId: string; productId: string },
): Promise<Usage> {
  const servicesOf = areas.find((area) => area.servicesOf)?.servicesOf
  const counted = (await servicesOf?.(db, tenantId, productId)) ?? []
  return {
    total: counted.reduce((sum, { count }) => sum + count, 0),
    plans: new Map(counted.map(({ planId, count }) => [planId, count])),
  }
}
