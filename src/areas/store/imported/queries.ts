import { type RawBuilder, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { pageSegments } from '#platform/pages/addresses.ts'
import type { CatalogueIds } from './actions.ts'
import type { OptionRows } from './options.ts'

export type ImportedCategory = { id: string; name: string; hidden: boolean; position: number }

export type ImportedProduct = ImportedCategory & {
  category_id: string | null
  description: string | null
  stock: number | null
  archived: boolean
}

/** A price of a plan in one currency; the price in the plan's own currency is `main`. */
export type ImportedPrice = {
  plan_id: string
  product_id: string
  name: string
  interval: 'one_time' | 'week' | 'month' | 'year'
  interval_count: number
  currency: string
  price_cents: number
  setup_fee_cents: number
  main: boolean
  archived: boolean
}

export type ImportedCoupon = {
  id: string
  code: string
  type: 'percent' | 'fixed'
  percent_basis_points: number | null
  amount_cents: number | null
  currency: string
  duration: 'once' | 'cycles' | 'forever'
  duration_cycles: number | null
  max_redemptions: number | null
  max_redemptions_per_user: number | null
  redemptions: number
  valid_from: Instant | null
  valid_to: Instant | null
  new_customers_only: boolean
  product_ids: string[]
  archived: boolean
}

export type ImportedTaxRate = {
  id: string
  name: string
  country: string
  rate_basis_points: number
}

/** The parts of a catalogue, each as a query. */
export type CatalogueRows = OptionRows & {
  readonly categories: RawBuilder<ImportedCategory>
  readonly products: RawBuilder<ImportedProduct>
  readonly plans: RawBuilder<ImportedPrice>
  readonly coupons: RawBuilder<ImportedCoupon>
  readonly taxRates: RawBuilder<ImportedTaxRate>
}

/** A name as a slug; with the end of the id if the slug is taken. */
function slugged(rows: RawBuilder<{ id: string; name: string }>, taken: RawBuilder<unknown>) {
  return sql`
    select named.*, case when named.copy > 1 or exists (
        select from (${taken}) as other where other.slug = named.plain
      ) then named.plain || '-' || right(named.id::text, 6) else named.plain end as slug
    from (
      select plain.*, row_number() over (partition by plain.plain order by plain.id) as copy
      from (
        select given.*, coalesce(nullif(trim(both '-' from left(regexp_replace(lower(
            regexp_replace(normalize(given.name, NFKD), '[\u0300-\u036f]', '', 'g')),
            '[^a-z0-9]+', '-', 'g'), 70)), ''), 'item') as plain
        from (${rows}) as given
      ) as plain
    ) as named`
}

export async function insertImportedCategories(
  tx: Tx,
  tenantId: string,
  rows: RawBuilder<ImportedCategory>,
  now: Instant,
): Promise<void> {
  const taken = sql`
    select slug from store.categories where tenant_id = ${tenantId} and archived_at is null
    union all select unnest(${pageSegments()}::text[])`
  await sql`
    insert into store.categories (tenant_id, id, slug, name, position, hidden, created_at)
    select ${tenantId}, id, slug, name, position, hidden, ${now} from (${slugged(rows, taken)}) as it
  `.execute(tx)
}

export async function insertImportedProducts(
  tx: Tx,
  tenantId: string,
  rows: RawBuilder<ImportedProduct>,
  now: Instant,
): Promise<void> {
  const taken = sql`
    select slug from store.products where tenant_id = ${tenantId} and archived_at is null`
  await sql`
    insert into store.products
      (tenant_id, id, slug, name, description, category_id, stock, hidden, position, created_at,
       archived_at)
    select ${tenantId}, id, slug, name, description, category_id, stock, hidden, position, ${now},
      case when archived then ${now}::timestamptz end
    from (${slugged(rows, taken)}) as it
  `.execute(tx)
}

/** Writes plans with the price in their own currency, and their prices in the others. */
export async function insertImportedPlans(
  tx: Tx,
  tenantId: string,
  rows: RawBuilder<ImportedPrice>,
  now: Instant,
): Promise<void> {
  await sql`
    with given as materialized (${rows}), plan as (
      insert into store.plans
        (tenant_id, id, product_id, name, interval, interval_count, price_cents, currency,
         setup_fee_cents, created_at, archived_at)
      select ${tenantId}, plan_id, product_id, name, interval, interval_count, price_cents, currency,
        setup_fee_cents, ${now}, case when archived then ${now}::timestamptz end
      from given where main
    )
    insert into store.plan_prices (tenant_id, plan_id, currency, price_cents, setup_fee_cents)
    select ${tenantId}, plan_id, currency, price_cents, setup_fee_cents from given where not main
  `.execute(tx)
}

/** Writes coupons; one whose code is in use in our database is archived at once. */
export async function insertImportedCoupons(
  tx: Tx,
  tenantId: string,
  rows: RawBuilder<ImportedCoupon>,
  now: Instant,
): Promise<void> {
  await sql`
    insert into store.coupons
      (tenant_id, id, code, type, percent_basis_points, amount_cents, currency, duration,
       duration_cycles, max_redemptions, max_redemptions_per_user, redemptions, valid_from, valid_to,
       new_customers_only, product_ids, created_at, archived_at)
    select ${tenantId}, id, code, type, percent_basis_points, amount_cents, currency, duration,
      duration_cycles, max_redemptions, max_redemptions_per_user, redemptions,
      case when valid_to <= valid_from then null else valid_from end, valid_to, new_customers_only,
      product_ids, ${now}, case when archived or exists (
        select from store.coupons as known
        where known.tenant_id = ${tenantId} and known.code = given.code and known.archived_at is null
      ) then ${now}::timestamptz end
    from (${rows}) as given
  `.execute(tx)
}

export async function insertImportedTaxRates(
  tx: Tx,
  tenantId: string,
  rows: RawBuilder<ImportedTaxRate>,
  now: Instant,
): Promise<void> {
  await sql`
    with given as materialized (${rows}), rate as (
      insert into store.tax_rates
        (tenant_id, id, name, country, class, category, created_at, archived_at)
      select ${tenantId}, id, name, country, 'imported', 'S', ${now}, ${now} from given
    )
    insert into store.tax_rate_versions
      (tenant_id, tax_rate_id, country, class, valid_from, rate_basis_points, archived_at)
    select ${tenantId}, id, country, 'imported', ${now}::date, rate_basis_points, ${now} from given
  `.execute(tx)
}

export async function deleteCatalogue(
  tx: Tx,
  tenantId: string,
  { categories, products, plans, coupons, taxRates }: CatalogueIds,
): Promise<void> {
  const gone = async (table: string, column: string, ids: RawBuilder<unknown>) => {
    await sql`delete from ${sql.table(`store.${table}`)}
      where tenant_id = ${tenantId} and ${sql.ref(column)} in (${ids})`.execute(tx)
  }
  const goneWithImages = async (table: string, ids: RawBuilder<unknown>) => {
    await sql`with gone as (
        delete from ${sql.table(`store.${table}`)} where tenant_id = ${tenantId} and id in (${ids})
        returning image_id
      )
      delete from store.images where tenant_id = ${tenantId}
        and id in (select image_id from gone)`.execute(tx)
  }
  await gone('plan_prices', 'plan_id', plans)
  await gone('plans', 'id', plans)
  await gone('coupons', 'id', coupons)
  await goneWithImages('products', products)
  await goneWithImages('categories', categories)
  await gone('tax_rate_versions', 'tax_rate_id', taxRates)
  await gone('tax_rates', 'id', taxRates)
}
