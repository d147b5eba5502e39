import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import type { Instant } from '#lib/time.ts'
import { compiled } from '#platform/database/compiled.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import { insertRows, updateRows } from '#platform/database/rows.ts'
import type { Tables } from '#platform/database/tables.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import type { OptionTerms, OptionValue, PriceRow, Tier } from './terms.ts'

export type OptionKey = Pick<Row<'store.options'>, 'tenantId' | 'id'>

/** An option as it is stored, with its values, tiers and prices. */
export type OptionRow = Row<'store.options'> & OptionTerms

const ISO = sql.lit('YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')

/**
 * The values, tiers and prices of an `option`, each in their order, within the statement that reads the option.
 */
function inside() {
  const own = (table: RawBuilder<unknown>) =>
    sql`from ${table} where tenant_id = option.tenant_id and option_id = option.id`
  const values = sql<OptionValue[]>`(
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', id, 'key', key, 'label', label, 'isDefault', is_default, 'stock', stock,
      'stockReturns', stock_returns, 'locationIds', location_ids, 'requires', requires, 'effect', effect,
      'archivedAt', to_char(archived_at at time zone 'UTC', ${ISO})
    ) order by archived_at is not null, position, id), '[]')
    ${own(sql`store.option_values`)})`
  const tiers = sql<Tier[]>`(
    select coalesce(jsonb_agg(jsonb_build_object('upTo', up_to) order by position), '[]')
    ${own(sql`store.option_tiers`)})`
  const prices = sql<PriceRow[]>`(
    select coalesce(jsonb_agg(jsonb_build_object(
      'value', value.key, 'tier', tier.position, 'interval', price.interval,
      'intervalCount', price.interval_count, 'currency', price.currency,
      'priceCents', price.price_cents, 'feeCents', price.fee_cents, 'priceMicros', price.price_micros
    ) order by price.currency, price.interval, price.interval_count, value.position, tier.position), '[]')
    from (
      select option.id union all
      select id ${own(sql`store.option_values`)} union all
      select id ${own(sql`store.option_tiers`)}
    ) as priced
    join store.component_prices as price
      on price.tenant_id = option.tenant_id and price.priced_id = priced.id and price.kind <> 'location'
    left join store.option_values as value
      on value.tenant_id = option.tenant_id and value.id = price.value_id
    left join store.option_tiers as tier
      on tier.tenant_id = option.tenant_id and tier.id = price.tier_id)`
  return [values.as('values'), tiers.as('tiers'), prices.as('prices')] as const
}

function selectOptions(db: Db, tenantId: string) {
  return db
    .selectFrom('store.options as option')
    .selectAll('option')
    .select(inside())
    .where('option.tenantId', '=', tenantId)
}

/** An option, archived or not. */
export function findOption(db: Db, { tenantId, id }: OptionKey): Promise<OptionRow | undefined> {
  return selectOptions(db, tenantId).where('option.id', '=', id).executeTakeFirst()
}

/** An option that is not archived. */
export async function findOpenOption(db: Db, key: OptionKey): Promise<OptionRow | undefined> {
  const option = await findOption(db, key)
  return option?.archivedAt === null ? option : undefined
}

/** Options by their ids, also archived ones and those of archived groups, because services keep them. */
export function optionsNamed(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<OptionRow[]> {
  return selectOptions(db, tenantId)
    .where('option.id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('option.position')
    .orderBy('option.id')
    .execute()
}

type Offered = OptionRow & { readonly productId: string }

const offeredWith = compiled(
  (db, { tenantId, productIds }: { tenantId: string; productIds: readonly string[] }) =>
    selectOptions(db, tenantId)
      .innerJoin('store.option_groups as set', (join) =>
        join.onRef('set.tenantId', '=', 'option.tenantId').onRef('set.id', '=', 'option.groupId'),
      )
      .innerJoin('store.option_group_products as link', (join) =>
        join.onRef('link.tenantId', '=', 'set.tenantId').onRef('link.groupId', '=', 'set.id'),
      )
      .select('link.productId')
      .where('set.archivedAt', 'is', null)
      .where('link.productId', '=', sql<string>`any(${productIds}::uuid[])`)
      .orderBy('set.position')
      .orderBy('set.id')
      .orderBy('option.position')
      .orderBy('option.id'),
)

/**
 * The options of products by product, in the order of the order form, also hidden and archived ones, in one
 * statement. A product without any is left out.
 */
export async function optionsOf(
  db: Db,
  tenantId: string,
  productIds: readonly string[],
): Promise<Map<string, OptionRow[]>> {
  if (productIds.length === 0) return new Map()
  const rows: Offered[] = await offeredWith(db, { tenantId, productIds })
  return Map.groupBy(rows, ({ productId }) => productId)
}

/** The options of a tenant or of one group, newest first; or the archived ones. */
export function listOptions(
  db: Db,
  { tenantId, groupId, archived }: { tenantId: string; groupId?: string; archived: boolean },
  page: PageQuery,
) {
  const query = selectOptions(db, tenantId).where(
    'option.archivedAt',
    archived ? 'is not' : 'is',
    null,
  )
  return pageOf(groupId ? query.where('option.groupId', '=', groupId) : query, page, 'option.id')
}

/** The options on sale of a group, in their order. */
export function optionsOfGroup(
  db: Db,
  { tenantId, groupId }: { tenantId: string; groupId: string },
): Promise<OptionRow[]> {
  return selectOptions(db, tenantId)
    .where('option.groupId', '=', groupId)
    .where('option.archivedAt', 'is', null)
    .orderBy('option.position')
    .orderBy('option.id')
    .execute()
}

type Documents = Pick<Row<'store.options'>, 'effect' | 'translations'>
type Written = Omit<Insertable<Tables['store.options']>, keyof Documents> & Documents

export async function insertOption(
  tx: Tx,
  { effect, translations, ...row }: Written,
): Promise<void> {
  await tx
    .insertInto('store.options')
    .values({ ...row, effect: effect && json(effect), translations: json(translations) })
    .execute()
}

type Change = Omit<Updateable<Tables['store.options']>, keyof Documents> & Partial<Documents>

export async function updateOption(
  tx: Tx,
  { tenantId, id }: OptionKey,
  { effect, translations, ...change }: Change,
): Promise<void> {
  await tx
    .updateTable('store.options')
    .set({
      ...{ id, ...change },
      ...(effect !== undefined && { effect: effect && json(effect) }),
      ...(translations !== undefined && { translations: json(translations) }),
    })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Archives an option; false if it does not exist, or is already archived. */
export async function archiveOptionRow(
  tx: Tx,
  { tenantId, id }: OptionKey,
  now: Instant,
): Promise<boolean> {
  const row = await tx
    .updateTable('store.options')
    .set({ archivedAt: now })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('archivedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Sets the positions of options to the order of these ids. */
export function arrangeOptions(
  tx: Tx,
  tenantId: string,
  optionIds: readonly string[],
): Promise<void> {
  const rows = optionIds.map((id, position) => ({ tenantId, id, position }))
  return updateRows(tx, 'store.options', ['tenantId', 'id'], rows)
}

export type ValueRow = Row<'store.option_values'>

/** Writes the values of an option: existing ones are changed, the others added. */
export async function writeValues(
  tx: Tx,
  { changed, added }: { changed: readonly ValueRow[]; added: readonly ValueRow[] },
): Promise<void> {
  await updateRows(tx, 'store.option_values', ['tenantId', 'id'], changed)
  await insertRows(tx, 'store.option_values', added)
}

/** The ids of the tiers of an option, in their order. */
export async function tierIdsOf(db: Db, { tenantId, id }: OptionKey): Promise<string[]> {
  const rows = await db
    .selectFrom('store.option_tiers')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('optionId', '=', id)
    .orderBy('position')
    .execute()
  return rows.map((row) => row.id)
}

/** Replaces the tiers of an option; the prices of the former tiers are already deleted. */
export async function replaceTiers(
  tx: Tx,
  { tenantId, id: optionId }: OptionKey,
  tiers: readonly (Tier & { readonly id: string })[],
): Promise<void> {
  await tx
    .deleteFrom('store.option_tiers')
    .where('tenantId', '=', tenantId)
    .where('optionId', '=', optionId)
    .execute()
  const rows = tiers.map(({ id, upTo }, position) => ({ tenantId, id, optionId, position, upTo }))
  await insertRows(tx, 'store.option_tiers', rows)
}

/** Deletes the prices of an option, its values and its tiers. */
export async function deletePrices(
  tx: Tx,
  tenantId: string,
  pricedIds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('store.component_prices')
    .where('tenantId', '=', tenantId)
    .where('kind', '<>', 'location')
    .where('pricedId', '=', sql<string>`any(${[...pricedIds]}::uuid[])`)
    .execute()
}

/** Writes price rows of any of them with one statement. */
export function insertPrices(
  tx: Tx,
  rows: readonly Omit<
    Row<'store.component_prices'>,
    'locationId' | 'optionId' | 'valueId' | 'tierId'
  >[],
): Promise<void> {
  return insertRows(tx, 'store.component_prices', rows)
}
