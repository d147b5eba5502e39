import { type RawBuilder, sql } from 'kysely'
import type {
  CatalogueRows,
  ImportedCategory,
  ImportedCoupon,
  ImportedOption,
  ImportedOptionGroup,
  ImportedOptionLink,
  ImportedOptionPrice,
  ImportedOptionValue,
  ImportedPrice,
  ImportedProduct,
  ImportedTaxRate,
} from '#store'
import { WEEKS } from '../staging/resources.ts'
import {
  cents,
  countOf,
  idOf,
  intervalOf,
  joined,
  staged,
  updated,
  type Writing,
  wanted,
} from './rows.ts'

/** Rates without a country apply everywhere: no country has this code. */
const EVERYWHERE = 'ZZ'

/** The catalogue, each part as a query. */
export function catalogueRows(writing: Writing): CatalogueRows {
  return {
    categories: categories(writing),
    products: products(writing),
    plans: plans(writing),
    coupons: coupons(writing),
    taxRates: taxRates(writing),
    optionGroups: optionGroups(writing),
    optionLinks: optionLinks(writing),
    options: options(writing),
    optionValues: optionValues(writing),
    optionPrices: optionPrices(writing),
  }
}

function categories(writing: Writing): RawBuilder<ImportedCategory> {
  return sql<ImportedCategory>`
    select ${idOf(writing, 'categories', 'item')} as id, ${nameIn('item.name')} as name, hidden,
      ${positionIn('item.position')} as position
    from ${staged('categories', 'item')} where ${wanted(writing, 'item')}`
}

function products(writing: Writing): RawBuilder<ImportedProduct> {
  return sql<ImportedProduct>`
    select ${idOf(writing, 'products', 'item')} as id, ${nameIn('item.name')} as name,
      item.hidden or item.retired as hidden, ${positionIn('item.position')} as position,
      case when category.source_id is not null
        then ${idOf(writing, 'categories', 'category')} end as category_id,
      nullif(btrim(left(regexp_replace(regexp_replace(item.description, '<br[^>]*>', E'\n', 'gi'),
        '<[^>]*>', '', 'g'), 10000)), '') as description,
      case when item.stock is not null then least(greatest(item.stock, 0), 1000000) end::integer
        as stock, item.retired as archived
    from ${staged('products', 'item')}
    ${joined('categories', 'category', 'item.category', 'left join')}
    where ${wanted(writing, 'item')}`
}

/** A price for each cycle, product and currency; and archived plans for cycles that are no longer sold. */
function plans(writing: Writing): RawBuilder<ImportedPrice> {
  const { id, now } = writing
  return sql<ImportedPrice>`
    select imports.id_of(${now}::timestamptz, ${id}::uuid, 'plans ' || coalesce(months, 0), product)
        as plan_id,
      product_id, ${NAME} as name,
      ${intervalOf('months')} as interval, ${countOf('months')} as interval_count,
      code as currency, price as price_cents, fee as setup_fee_cents,
      row_number() over (partition by product, coalesce(months, 0) order by main desc, place) = 1
        as main,
      not offered as archived
    from (
      select distinct on (product, coalesce(months, 0), code) *,
        bool_or(offered) over (partition by product, coalesce(months, 0)) as sold
      from (
        ${offered(writing)} union all ${given(writing)} union all ${agreed(writing)}
      ) as price
      order by product, coalesce(months, 0), code, offered desc, price desc, place
    ) as price
    where offered or not sold`
}

const NAME = sql.raw(`case coalesce(months, -1) when -1 then 'Free' when 0 then 'One time'
  when 1 then 'Monthly' when 3 then 'Quarterly' when 6 then 'Half-yearly' when 12 then 'Yearly'
  when 24 then 'Every two years' when 36 then 'Every three years'
  when ${WEEKS + 1} then 'Weekly'
  else case when months > ${WEEKS} then 'Every ' || months - ${WEEKS} || ' weeks'
    when months % 12 = 0 then 'Every ' || months / 12 || ' years'
    else 'Every ' || months || ' months' end end`)

/** How a price is paid: as it stores itself, else as its product does. */
const PAYS = sql.raw('coalesce(item.pays, product.pays)')

function offered(writing: Writing) {
  return sql`
    select item.product, ${idOf(writing, 'products', 'product')} as product_id,
      case ${PAYS} when 'recurring' then given.months when 'one_time' then 0 end as months,
      currency.code, coalesce(currency.main, false) as main, currency.source_id as place,
      case ${PAYS} when 'free' then 0 else ${cents('given.amount')} end as price,
      case ${PAYS} when 'free' then 0 else ${cents('greatest(given.fee, 0)')} end as fee,
      true as offered
    from ${staged('prices', 'item')}
    ${joined('products', 'product', 'item.product')}
    ${joined('currencies', 'currency', 'item.currency')}
    cross join lateral unnest(item.months, item.amounts, item.setup_fees)
      with ordinality as given (months, amount, fee, number)
    where ${wanted(writing, 'item')} and item.kind = 'product' and case ${PAYS} when 'recurring' then given.amount >= 0
      when 'one_time' then given.number = 1 and given.amount >= 0 else given.number = 1 end`
}

/** Free plans that have no price. */
function given(writing: Writing) {
  const { tenantId, id } = writing
  return sql`
    select item.source_id, ${idOf(writing, 'products', 'item')}, null::bigint, currency.code, true,
      currency.source_id, 0, 0, true
    from ${staged('products', 'item')}
    cross join (${mainCurrency(writing)}) as currency
    where ${wanted(writing, 'item')} and exists (
      select from imports.staged_plans as plan
      left join imports.staged_prices as price on price.tenant_id = plan.tenant_id
        and price.import_id = plan.import_id and price.plan = plan.source_id
      where plan.tenant_id = ${tenantId} and plan.import_id = ${id} and plan.kind = 'product'
        and plan.pays = 'free' and plan.product = item.source_id and price.source_id is null)`
}

/** The prices of services in cycles that the catalogue may no longer have. */
function agreed(writing: Writing) {
  return sql`
    select item.product, ${idOf(writing, 'products', 'product')} as product_id, item.months,
      currency.code, false as main, currency.source_id as place,
      least(greatest(${cents('item.amount')}, 0), 100000000) as price, 0 as fee, false as offered
    from ${staged('services', 'item')}
    ${joined('clients', 'client', 'item.client')}
    ${joined('currencies', 'currency', 'coalesce(item.currency, client.currency)')}
    ${joined('products', 'product', 'item.product')}
    where (${wanted(writing, 'item')} or ${updated(writing, 'item')}) and not exists (
      select from store.plans as plan
      where plan.tenant_id = item.tenant_id and plan.product_id = product.target_id
        and plan.interval = ${intervalOf('item.months')}
        and plan.interval_count = ${countOf('item.months')})`
}

function coupons(writing: Writing): RawBuilder<ImportedCoupon> {
  return sql<ImportedCoupon>`
    select ${idOf(writing, 'coupons', 'item')} as id, upper(item.code) as code, item.type,
      case item.type when 'percent' then item.value end::integer as percent_basis_points,
      case item.type when 'fixed' then ${cents('item.value')} end as amount_cents,
      currency.code as currency,
      case when not item.recurring then 'once' when item.recurrences = 0 then 'forever'
        else 'cycles' end as duration,
      case when item.recurring and item.recurrences > 0
        then least(item.recurrences + 1, 1000) end::integer as duration_cycles,
      nullif(item.max_uses, 0)::integer as max_redemptions,
      case when item.once_per_client then 1 end as max_redemptions_per_user,
      greatest(item.uses, 0)::integer as redemptions, item.starts_at as valid_from,
      item.ends_at as valid_to, item.new_clients_only as new_customers_only,
      coalesce(goods.ids, '{}') as product_ids,
      item.restricted or goods.ids is null as archived
    from ${staged('coupons', 'item')}
    cross join (${mainCurrency(writing)}) as currency
    left join lateral (
      select array_agg(${idOf(writing, 'products', 'product')}) as ids
      from ${staged('products', 'product')}
      where product.tenant_id = item.tenant_id and product.import_id = item.import_id
        and product.source_id::text = any(string_to_array(replace(item.products, ' ', ''), ','))
    ) as goods on true
    where ${wanted(writing, 'item')}`
}

/** The currency of prices that name none. */
function mainCurrency({ tenantId, id }: Writing) {
  return sql`
    select source_id, code, decimals from imports.staged_currencies
    where tenant_id = ${tenantId} and import_id = ${id}
      and outcome is null and decimals is not null
    order by coalesce(main, false) desc, source_id limit 1`
}

function taxRates(writing: Writing): RawBuilder<ImportedTaxRate> {
  return sql<ImportedTaxRate>`
    select ${idOf(writing, 'tax_rates', 'item')} as id, ${nameIn('item.name')} as name,
      case when item.country ~ '^[A-Z]{2}$' then item.country else ${EVERYWHERE} end as country,
      least(greatest(round(item.rate / 10.0), 0), 10000)::integer as rate_basis_points
    from ${staged('tax_rates', 'item')} where ${wanted(writing, 'item')}`
}

function optionGroups(writing: Writing): RawBuilder<ImportedOptionGroup> {
  return sql<ImportedOptionGroup>`
    select ${idOf(writing, 'option_groups', 'item')} as id, ${lineIn('item.name')} as name, 0 as position
    from ${staged('option_groups', 'item')} where ${wanted(writing, 'item')}`
}

function optionLinks(writing: Writing): RawBuilder<ImportedOptionLink> {
  return sql<ImportedOptionLink>`
    select ${idOf(writing, 'option_groups', 'owner')} as group_id,
      ${idOf(writing, 'products', 'product')} as product_id
    from ${staged('option_links', 'item')}
    ${joined('option_groups', 'owner', 'item.option_group')}
    ${joined('products', 'product', 'item.product')}
    where ${wanted(writing, 'item')}`
}

/** The most units that a quantity has without a limit of its own. */
const MOST_UNITS = sql.raw('1000000')

/** A quantity without a minimum or a maximum has none here either. */
function options(writing: Writing): RawBuilder<ImportedOption> {
  return sql<ImportedOption>`
    select ${idOf(writing, 'options', 'item')} as id,
      ${idOf(writing, 'option_groups', 'owner')} as group_id, item.key, item.source_id::text as number,
      ${lineIn('item.name')} as name, item.kind, item.hidden, ${tierOf(writing)} as tier_id,
      ${positionIn('item.position')} as position,
      case item.kind when 'quantity' then least(greatest(item.minimum, 0), ${MOST_UNITS}) end::integer
        as minimum,
      case when item.kind = 'quantity' then
        case when item.maximum between greatest(item.minimum, 1) and ${MOST_UNITS} then item.maximum
          else ${MOST_UNITS} end end::integer as maximum
    from ${staged('options', 'item')}
    ${joined('option_groups', 'owner', 'item.option_group')}
    where ${wanted(writing, 'item')}`
}

/** The id of the only tier of a quantity, `option` or `item`. */
function tierOf({ id, now }: Writing, as = 'item') {
  return sql`imports.id_of(${now}::timestamptz, ${id}::uuid, 'option_tiers', ${sql.raw(`${as}.source_id`)})`
}

function optionValues(writing: Writing): RawBuilder<ImportedOptionValue> {
  return sql<ImportedOptionValue>`
    select ${idOf(writing, 'option_values', 'item')} as id,
      ${idOf(writing, 'options', 'option')} as option_id, option.kind,
      item.key, item.source_id::text as number, ${lineIn('item.name')} as label,
      case option.kind when 'toggle' then 1 else ${positionIn('item.position')} end as position,
      option.kind = 'select' and option.outcome is null and not item.hidden and row_number() over (
        partition by item.option, item.hidden order by item.position, item.source_id) = 1 as is_default,
      item.hidden as archived
    from ${staged('option_values', 'item')}
    ${joined('options', 'option', 'item.option')}
    where ${wanted(writing, 'item')} and option.kind <> 'quantity'`
}

/** What values cost, and each unit of a quantity: in all cycles, and once for products that are paid once. */
function optionPrices(writing: Writing): RawBuilder<ImportedOptionPrice> {
  const { tenantId, id } = writing
  const months = 'given.months'
  return sql<ImportedOptionPrice>`
    select distinct on (priced_id, interval, interval_count, currency) * from (
      select case option.kind when 'quantity' then 'tier' else 'value' end as kind,
        case option.kind when 'quantity' then ${tierOf(writing, 'option')}
          else ${idOf(writing, 'option_values', 'value')} end as priced_id,
        ${intervalOf(months)} as interval, ${countOf(months)} as interval_count,
        currency.code as currency, ${cents('given.amount')} as price_cents,
        ${cents('given.fee')} as fee_cents, item.row_number as place
      from ${staged('prices', 'item')}
      ${joined('option_values', 'value', 'item.product')}
      ${joined('options', 'option', 'value.option')}
      ${joined('currencies', 'currency', 'item.currency')}
      left join (
        select link.option_group, bool_or(product.pays = 'one_time') as is_once
        from imports.staged_option_links as link
        join imports.staged_products as product on product.tenant_id = link.tenant_id
          and product.import_id = link.import_id and product.source_id = link.product
        where link.tenant_id = ${tenantId} and link.import_id = ${id}
          and product.pays in ('one_time', 'free')
        group by link.option_group
      ) as paid on paid.option_group = option.option_group
      cross join lateral (
        select * from unnest(item.months, item.amounts, item.setup_fees)
          as given (months, amount, fee)
        union all
        select 0, case when paid.is_once then item.amounts[1] else 0 end,
          case when paid.is_once then item.setup_fees[1] else 0 end
        where paid.option_group is not null
      ) as given
      where ${wanted(writing, 'item')} and item.kind = 'configoptions'
    ) as price
    order by priced_id, interval, interval_count, currency, place`
}

function lineIn(column: string) {
  return sql.raw(
    `coalesce(nullif(left(btrim(regexp_replace(${column}, '[[:cntrl:]]', ' ', 'g')), 100), ''), '-')`,
  )
}

function nameIn(column: string) {
  return sql.raw(`coalesce(nullif(left(btrim(${column}), 200), ''), '-')`)
}

function positionIn(column: string) {
  return sql.raw(`least(greatest(${column}, 0), 1000000)::integer`)
}
