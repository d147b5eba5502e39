import type { RawBuilder } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import {
  type CatalogueRows,
  deleteCatalogue,
  insertImportedCategories,
  insertImportedCoupons,
  insertImportedPlans,
  insertImportedProducts,
  insertImportedTaxRates,
} from './queries.ts'

/**
 * Takes over the catalogue of another system. What it no longer sold is archived, and so are its tax
 * rates: the shop decides which of them apply.
 */
export async function importCatalogue(
  tx: Tx,
  tenantId: string,
  { categories, products, plans, coupons, taxRates }: CatalogueRows,
  now: Instant,
): Promise<void> {
  await insertImportedCategories(tx, tenantId, categories, now)
  await insertImportedProducts(tx, tenantId, products, now)
  await insertImportedPlans(tx, tenantId, plans, now)
  await insertImportedCoupons(tx, tenantId, coupons, now)
  await insertImportedTaxRates(tx, tenantId, taxRates, now)
}

/** The rows of a catalogue that an import has written, as queries of ids. */
export type CatalogueIds = Readonly<
  Record<'categories' | 'products' | 'plans' | 'coupons' | 'taxRates', RawBuilder<unknown>>
>

/** Removes what an import has written to the catalogue. */
export function removeImportedCatalogue(
  tx: Tx,
  tenantId: string,
  ids: CatalogueIds,
): Promise<void> {
  return deleteCatalogue(tx, tenantId, ids)
}
