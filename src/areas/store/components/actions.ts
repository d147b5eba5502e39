import type { Tx } from '#platform/database/index.ts'
import { assertCurrency } from '../checks.ts'
import { replacePriceRows } from './queries.ts'
import { assertPriceRows } from './rules.ts'
import type { NewComponentPrice } from './schema.ts'

/**
 * Replaces what a location costs in addition to plans: services keep their price. Throws 400 for an unknown
 * currency, 422 `price_twice` and `price_micros_mismatch`.
 */
export async function setLocationPrices(
  tx: Tx,
  { tenantId, id }: { tenantId: string; id: string },
  prices: readonly NewComponentPrice[],
): Promise<void> {
  for (const [index, { currency }] of prices.entries()) {
    assertCurrency(currency, `prices.${index}.currency`)
  }
  assertPriceRows(prices)
  await replacePriceRows(tx, { tenantId, kind: 'location', pricedId: id }, prices)
}
