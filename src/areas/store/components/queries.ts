import { sql } from 'kysely'
import { cents } from '#lib/money.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { insertRows } from '#platform/database/rows.ts'
import type { NewComponentPrice } from './schema.ts'

export type PriceRow = Omit<
  Row<'store.component_prices'>,
  'tenantId' | 'locationId' | 'optionId' | 'valueId' | 'tierId'
>

/** What a price belongs to. */
export type PricedKey = Pick<Row<'store.component_prices'>, 'tenantId' | 'kind' | 'pricedId'>

/** The prices of several locations, options, values and tiers, in a fixed order. */
export function listPriceRows(
  db: Db,
  tenantId: string,
  pricedIds: readonly string[],
): Promise<PriceRow[]> {
  return db
    .selectFrom('store.component_prices')
    .select(['kind', 'pricedId', 'interval', 'intervalCount', 'currency'])
    .select(['priceCents', 'feeCents', 'priceMicros'])
    .where('tenantId', '=', tenantId)
    .where('pricedId', '=', sql<string>`any(${[...pricedIds]}::uuid[])`)
    .orderBy('pricedId')
    .orderBy('currency')
    .orderBy(sql`array_position(array['hour', 'week', 'month', 'year', 'one_time'], interval)`)
    .orderBy('intervalCount')
    .execute()
}

/** Replaces the prices of one location, option, value or tier. */
export async function replacePriceRows(
  tx: Tx,
  { tenantId, kind, pricedId }: PricedKey,
  prices: readonly NewComponentPrice[],
): Promise<void> {
  await tx
    .deleteFrom('store.component_prices')
    .where('tenantId', '=', tenantId)
    .where('pricedId', '=', pricedId)
    .where('kind', '=', kind)
    .execute()
  const rows = prices.map((it) => ({
    ...{ tenantId, kind, pricedId, interval: it.interval, intervalCount: it.intervalCount ?? 1 },
    ...{ currency: it.currency, priceCents: it.priceCents, feeCents: it.feeCents ?? cents(0) },
    priceMicros: it.priceMicros ?? null,
  }))
  await insertRows(tx, 'store.component_prices', rows)
}
