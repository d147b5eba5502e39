import { type LocationRow, listLocationsAmong } from '#panel'
import type { Db } from '#platform/database/index.ts'
import { type Choice, type Chosen, chosenOf } from './rules.ts'

/** The locations that products name, archived or not: one query, none where no product has any. */
export async function locationsOfProducts(
  db: Db,
  tenantId: string,
  products: readonly { readonly locationIds: readonly string[] }[],
): Promise<LocationRow[]> {
  const ids = [...new Set(products.flatMap(({ locationIds }) => locationIds))]
  return ids.length > 0 ? listLocationsAmong(db, tenantId, ids) : []
}

/** Things that buyers want, with where each is to stand. */
export async function withLocations<T extends Choice>(
  db: Db,
  tenantId: string,
  items: readonly T[],
): Promise<(T & Chosen)[]> {
  const known = await locationsOfProducts(db, tenantId, items)
  return items.map((item) => ({ ...item, ...chosenOf(item, known) }))
}
