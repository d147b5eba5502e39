import { type RawBuilder, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'

export type ImportedOptionGroup = { id: string; name: string; position: number }

/** A product with which a group is offered. */
export type ImportedOptionLink = { group_id: string; product_id: string }

export type ImportedOption = {
  id: string
  group_id: string
  /** In the form of a key, or empty; it is not yet unique. */
  key: string
  /** Its number in the other system. */
  number: string
  name: string
  kind: 'select' | 'toggle' | 'quantity'
  hidden: boolean
  position: number
  /** Of a quantity. */
  minimum: number | null
  maximum: number | null
  /** The id of its only tier, if it is a quantity. */
  tier_id: string
}

/** A value of a select, or the value `on` of a toggle. */
export type ImportedOptionValue = {
  id: string
  option_id: string
  kind: 'select' | 'toggle'
  key: string
  number: string
  label: string
  position: number
  is_default: boolean
  archived: boolean
}

export type ImportedOptionPrice = {
  kind: 'value' | 'tier'
  priced_id: string
  interval: 'one_time' | 'month' | 'year'
  interval_count: number
  currency: string
  price_cents: number
  fee_cents: number
}

/** The options of a catalogue, each part as a query. */
export type OptionRows = {
  readonly optionGroups: RawBuilder<ImportedOptionGroup>
  readonly optionLinks: RawBuilder<ImportedOptionLink>
  readonly options: RawBuilder<ImportedOption>
  readonly optionValues: RawBuilder<ImportedOptionValue>
  readonly optionPrices: RawBuilder<ImportedOptionPrice>
}

/** The rows of options that an import has written, as queries of ids. */
export type OptionIds = Readonly<
  Record<'optionGroups' | 'options' | 'optionValues', RawBuilder<unknown>>
>

/** A key of a component that is not an option. */
const RESERVED = 'location'

/**
 * A key of a row, `named`: that of the other system if `is_free`, else with the number of the row there. Keys of the
 * other system have no two underscores in a row, so that the second form is unique.
 */
function keyFor(fallback: string): RawBuilder<unknown> {
  const number = `replace(named.number, '-', 'm')`
  const plain = `coalesce(nullif(named.key, ''), '${fallback}')`
  return sql.raw(`case when named.is_free and named.key <> '' then named.key
    else left(${plain}, 38 - length(${number})) || '__' || ${number} end`)
}

/** Takes over the options of another system. They have no effect on servers. */
export async function insertImportedOptions(
  tx: Tx,
  tenantId: string,
  { optionGroups, optionLinks, options, optionValues, optionPrices }: OptionRows,
  now: Instant,
): Promise<void> {
  await sql`
    insert into store.option_groups (tenant_id, id, name, position, created_at)
    select ${tenantId}, id, name, position, ${now} from (${optionGroups}) as given`.execute(tx)
  await sql`
    insert into store.option_group_products (tenant_id, group_id, product_id)
    select ${tenantId}, group_id, product_id from (${optionLinks}) as given
    on conflict do nothing`.execute(tx)
  await insertOptions(tx, tenantId, options, now)
  await insertValues(tx, tenantId, optionValues, now)
  await sql`
    insert into store.component_prices
      (tenant_id, kind, priced_id, interval, interval_count, currency, price_cents, fee_cents)
    select ${tenantId}, kind, priced_id, interval, interval_count, currency, price_cents, fee_cents
    from (${optionPrices}) as given
    on conflict do nothing`.execute(tx)
}

/**
 * Writes options, and the tiers of quantities. Of options with the same key in a group, or with a product, the first
 * keeps it.
 */
async function insertOptions(
  tx: Tx,
  tenantId: string,
  rows: RawBuilder<ImportedOption>,
  now: Instant,
): Promise<void> {
  // An option is offered in its group and with each product of that: a key must be unique in all of these places.
  const placesOf = (option: RawBuilder<unknown>) => sql`
    select option.*, option.group_id as place from (${option}) as option
    union all
    select option.*, link.product_id from (${option}) as option
    join store.option_group_products as link on link.tenant_id = ${tenantId}
      and link.group_id = option.group_id`
  await sql`
    with given as materialized (${rows}), known as (
      ${placesOf(sql`select id, group_id, key from store.options where tenant_id = ${tenantId}`)}
    ), taken as (
      select id from (
        select id, key, place, row_number() over (partition by key, place order by position, id) as copy
        from (${placesOf(sql`select id, group_id, key, position from given`)}) as wanted
      ) as wanted
      where copy > 1 or key = ${RESERVED}
        or exists (select from known where known.key = wanted.key and known.place = wanted.place)
    ), named as (
      select given.*, not exists (select from taken where taken.id = given.id) as is_free from given
    ), option as (
      insert into store.options
        (tenant_id, id, group_id, key, kind, name, position, hidden, min, max, step, display,
         price_mode, created_at)
      select ${tenantId}, id, group_id, ${keyFor('option')}, kind, name, position, hidden, minimum, maximum,
        case when kind = 'quantity' then 1 end,
        case when kind = 'quantity' then case when maximum <= 100 then 'slider' else 'number' end end,
        case when kind = 'quantity' then 'per_unit' end, ${now}
      from named
    )
    insert into store.option_tiers (tenant_id, id, option_id, position)
    select ${tenantId}, tier_id, id, 0 from given where kind = 'quantity'`.execute(tx)
}

/** Writes values, each toggle with its value `off`. Of values with the same key, the first keeps it. */
async function insertValues(
  tx: Tx,
  tenantId: string,
  rows: RawBuilder<ImportedOptionValue>,
  now: Instant,
): Promise<void> {
  await sql`
    with given as materialized (${rows}), named as (
      select given.*, row_number() over (partition by option_id, key order by position, id) = 1
        and not exists (
          select from store.option_values as known where known.tenant_id = ${tenantId}
            and known.option_id = given.option_id and known.key = given.key) as is_free
      from given
    )
    insert into store.option_values
      (tenant_id, id, option_id, key, label, position, is_default, archived_at)
    select ${tenantId}::uuid, id, option_id, case kind when 'toggle' then 'on' else ${keyFor('value')} end,
      label, position, is_default, case when archived then ${now}::timestamptz end
    from named
    union all
    select ${tenantId}::uuid, platform.new_id(${now}::timestamptz), option_id, 'off', 'Off', 0, false, null::timestamptz
    from given where kind = 'toggle'`.execute(tx)
}

export async function deleteImportedOptions(
  tx: Tx,
  tenantId: string,
  {
    optionGroups,
    options,
    optionValues,
    products,
  }: OptionIds & { readonly products: RawBuilder<unknown> },
): Promise<void> {
  await sql`
    delete from store.component_prices where tenant_id = ${tenantId} and kind <> 'location' and priced_id in (
      ${optionValues} union select id from store.option_tiers
      where tenant_id = ${tenantId} and option_id in (${options}))`.execute(tx)
  await sql`delete from store.option_tiers
    where tenant_id = ${tenantId} and option_id in (${options})`.execute(tx)
  await sql`delete from store.option_values
    where tenant_id = ${tenantId} and id in (${optionValues})`.execute(tx)
  await sql`delete from store.options
    where tenant_id = ${tenantId} and id in (${options})`.execute(tx)
  await sql`delete from store.option_group_products
    where tenant_id = ${tenantId} and (group_id in (${optionGroups}) or product_id in (${products}))`.execute(
    tx,
  )
  await sql`delete from store.option_groups
    where tenant_id = ${tenantId} and id in (${optionGroups})`.execute(tx)
}
