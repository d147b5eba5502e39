import type { RawBuilder } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { deleteImportedOptions, insertImportedOptions, type OptionIds } from './options.ts'
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
  { categories, products, plans, coupons, taxRates, ...options }: CatalogueRows,
  now: Instant,
): Promise<void> {
  await insertImportedCategories(tx, tenantId, categories, now)
  await insertImportedProducts(tx, tenantId, products, now)
  await insertImportedPlans(tx, tenantId, plans, now)
  await insertImportedCoupons(tx, tenantId, coupons, now)
  await insertImportedTaxRates(tx, tenantId, taxRates, now)
  await insertImportedOptions(tx, tenantId, options, now)
}

/** The rows of a catalogue that an import has written, as queries of ids. */
export type CatalogueIds = Readonly<
  Record<'categories' | 'products' | 'plans' | 'coupons' | 'taxRates', RawBuilder<unknown>>
> &
  OptionIds

/** Removes what an import has written to the catalogue. */
export async function removeImportedCatalogue(
  tx: Tx,
  tenantId: string,
  ids: CatalogueIds,
): Promise<void> {
  await deleteImportedOptions(tx, tenantId, ids)
  await deleteCatalogue(tx, tenantId, ids)
}
