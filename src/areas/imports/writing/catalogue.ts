import { type RawBuilder, sql } from 'kysely'
import type {
  CatalogueRows,
  ImportedCategory,
  ImportedCoupon,
  ImportedPrice,
  ImportedProduct,
  ImportedTaxRate,
} from '#store'
import { cents, idOf, joined, staged, updated, type Writing, wanted } from './rows.ts'

/** Rates without a country count everywhere: no country has this code. */
const EVERYWHERE = 'ZZ'

/** The catalogue, each part as a query. */
export function catalogueRows(writing: Writing): CatalogueRows {
  return {
    categories: categories(writing),
    products: products(writing),
    plans: plans(writing),
    coupons: coupons(writing),
    taxRates: taxRates(writing),
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
      least(greatest(item.stock, 0), 1000000)::integer as stock, item.retired as archived
    from ${staged('products', 'item')}
    ${joined('categories', 'category', 'item.category', 'left join')}
    where ${wanted(writing, 'item')}`
}

/** A price for each cycle, product and currency; and plans for cycles that are sold no longer. */
function plans(writing: Writing): RawBuilder<ImportedPrice> {
  const { id, now } = writing
  return sql<ImportedPrice>`
    select imports.id_of(${now}::timestamptz, ${id}::uuid, 'plans ' || coalesce(months, 0), product)
        as plan_id,
      product_id, ${NAME} as name,
      case when months is null or months = 0 then 'one_time' when months < 12 then 'month'
        else 'year' end as interval,
      case when coalesce(months, 0) = 0 then 1 when months < 12 then months else months / 12 end
        ::integer as interval_count,
      code as currency, price as price_cents, fee as setup_fee_cents,
      row_number() over (partition by product, coalesce(months, 0) order by main desc, place) = 1
        as main,
      not offered as archived
    from (
      select distinct on (product, coalesce(months, 0), code) *,
        bool_or(offered) over (partition by product, coalesce(months, 0)) as sold
      from (${offered(writing)} union all ${agreed(writing)}) as price
      order by product, coalesce(months, 0), code, offered desc, price desc, place
    ) as price
    where offered or not sold`
}

const NAME = sql.raw(`case coalesce(months, -1) when -1 then 'Free' when 0 then 'One time'
  when 1 then 'Monthly' when 3 then 'Quarterly' when 6 then 'Half-yearly' when 12 then 'Yearly'
  when 24 then 'Every two years' else 'Every three years' end`)

function offered(writing: Writing) {
  return sql`
    select item.product, ${idOf(writing, 'products', 'product')} as product_id,
      case product.pays when 'recurring' then given.months when 'one_time' then 0 end as months,
      currency.code, coalesce(currency.main, false) as main, currency.source_id as place,
      case product.pays when 'free' then 0 else ${cents('given.amount')} end as price,
      case product.pays when 'free' then 0 else ${cents('greatest(given.fee, 0)')} end as fee,
      true as offered
    from ${staged('prices', 'item')}
    ${joined('products', 'product', 'item.product')}
    ${joined('currencies', 'currency', 'item.currency')}
    cross join lateral unnest(item.months, item.amounts, item.setup_fees)
      with ordinality as given (months, amount, fee, number)
    where ${wanted(writing, 'item')} and case product.pays when 'recurring' then given.amount >= 0
      when 'one_time' then given.number = 1 and given.amount >= 0 else given.number = 1 end`
}

/** What services cost in cycles that the catalogue may no longer have. */
function agreed(writing: Writing) {
  return sql`
    select item.product, ${idOf(writing, 'products', 'product')} as product_id, item.months,
      currency.code, false as main, currency.source_id as place,
      least(greatest(${cents('item.amount')}, 0), 100000000) as price, 0 as fee, false as offered
    from ${staged('services', 'item')}
    ${joined('clients', 'client', 'item.client')}
    ${joined('currencies', 'currency', 'client.currency')}
    ${joined('products', 'product', 'item.product')}
    where (${wanted(writing, 'item')} or ${updated(writing, 'item')}) and not exists (
      select from store.plans as plan
      where plan.tenant_id = item.tenant_id and plan.product_id = product.target_id
        and plan.interval = case when coalesce(item.months, 0) = 0 then 'one_time'
          when item.months < 12 then 'month' else 'year' end
        and plan.interval_count = case when coalesce(item.months, 0) = 0 then 1
          when item.months < 12 then item.months else item.months / 12 end)`
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
    cross join (
      select code, decimals from imports.staged_currencies
      where tenant_id = ${writing.tenantId} and import_id = ${writing.id}
        and outcome is null and decimals is not null
      order by coalesce(main, false) desc, source_id limit 1
    ) as currency
    left join lateral (
      select array_agg(${idOf(writing, 'products', 'product')}) as ids
      from ${staged('products', 'product')}
      where product.tenant_id = item.tenant_id and product.import_id = item.import_id
        and product.source_id::text = any(string_to_array(replace(item.products, ' ', ''), ','))
    ) as goods on true
    where ${wanted(writing, 'item')}`
}

function taxRates(writing: Writing): RawBuilder<ImportedTaxRate> {
  return sql<ImportedTaxRate>`
    select ${idOf(writing, 'tax_rates', 'item')} as id, ${nameIn('item.name')} as name,
      case when item.country ~ '^[A-Z]{2}$' then item.country else ${EVERYWHERE} end as country,
      least(greatest(round(item.rate / 10.0), 0), 10000)::integer as rate_basis_points
    from ${staged('tax_rates', 'item')} where ${wanted(writing, 'item')}`
}

function nameIn(column: string) {
  return sql.raw(`coalesce(nullif(left(btrim(${column}), 200), ''), '-')`)
}

function positionIn(column: string) {
  return sql.raw(`least(greatest(${column}, 0), 1000000)::integer`)
}
