import { listLocationsAmong } from '#panel'
import type { Db } from '#platform/database/index.ts'
import { listPriceRows } from '../components/queries.ts'
import type { Terms } from '../components/rules.ts'
import { type Choice, type Chosen, chosenOf, type PricedLocation } from './rules.ts'

/** The locations that products name, archived or not, with their surcharges; no query if no product names any. */
export async function locationsOfProducts(
  db: Db,
  tenantId: string,
  products: readonly { readonly locationIds: readonly string[] }[],
): Promise<PricedLocation[]> {
  return locationsNamed(
    db,
    tenantId,
    products.flatMap(({ locationIds }) => locationIds),
  )
}

/** Locations by their ids, archived or not, with their surcharges; no query without an id. */
export async function locationsNamed(
  db: Db,
  tenantId: string,
  named: readonly string[],
): Promise<PricedLocation[]> {
  const ids = [...new Set(named)]
  if (ids.length === 0) return []
  const [locations, rows] = await Promise.all([
    listLocationsAmong(db, tenantId, ids),
    listPriceRows(db, tenantId, ids),
  ])
  const prices = Map.groupBy(rows, ({ pricedId }) => pricedId)
  return locations.map((it) => ({ ...it, prices: prices.get(it.id) ?? [] }))
}

/** Items that buyers want in a currency, with the location of each. */
export async function withLocations<T extends Choice & Omit<Terms, 'currency'>>(
  db: Db,
  { tenantId, currency }: { tenantId: string; currency: string },
  items: readonly T[],
): Promise<(T & Chosen)[]> {
  const known = await locationsOfProducts(db, tenantId, items)
  return items.map((item) => ({ ...item, ...chosenOf(item, known, { ...item, currency }) }))
}
