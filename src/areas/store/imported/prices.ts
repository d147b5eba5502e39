import { sql } from 'kysely'
import type { PriceMode } from '#lib/tax.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { decisionIn, taxContextOf } from '../tax.ts'
import type { CatalogueIds } from './actions.ts'

type Rate = { taxRateId: string | null; rate: number }

/**
 * Converts the prices of plans and options, and the amounts of coupons, to the other tax mode, so that a customer in the country
 * of the seller pays the same total. Returns the number of plans. Throws 422 if a tax rate is not known.
 */
export async function convertImportedPrices(
  tx: Tx,
  tenantId: string,
  {
    plans,
    options,
    coupons,
    to,
  }: Pick<CatalogueIds, 'plans' | 'options' | 'coupons'> & { readonly to: PriceMode },
  now: Instant,
): Promise<number> {
  const { rows } = await sql<{ id: string; taxRateId: string | null }>`
    select plan.id, product.tax_rate_id as "taxRateId"
    from store.plans as plan
    join store.products as product
      on product.tenant_id = plan.tenant_id and product.id = plan.product_id
    where plan.tenant_id = ${tenantId} and plan.id in (${plans})
    order by plan.id for update of plan`.execute(tx)
  const taxRateIds = [...new Set([null, ...rows.map(({ taxRateId }) => taxRateId)])]
  const context = await taxContextOf(tx, { tenantId, customer: null, taxRateIds, at: now })
  const rates = taxRateIds.map((taxRateId): Rate => {
    return { taxRateId, rate: decisionIn(context, taxRateId).rateBasisPoints ?? 0 }
  })
  const standard = rates.find(({ taxRateId }) => taxRateId === null)?.rate ?? 0
  const converted = (amount: string) =>
    to === 'exclusive'
      ? sql`(${sql.raw(amount)} - round(${sql.raw(amount)}::numeric * rate / (10000 + rate)))::bigint`
      : sql`least(${sql.raw(amount)} + round(${sql.raw(amount)}::numeric * rate / 10000), 100000000)::bigint`
  const priced = sql`
    select plan.tenant_id, plan.id, given.rate
    from store.plans as plan
    join store.products as product
      on product.tenant_id = plan.tenant_id and product.id = plan.product_id
    join jsonb_to_recordset(${JSON.stringify(rates)}::jsonb) as given ("taxRateId" uuid, rate integer)
      on given."taxRateId" is not distinct from product.tax_rate_id
    where plan.tenant_id = ${tenantId} and plan.id = any(${rows.map(({ id }) => id)}::uuid[])`
  await sql`
    update store.plan_prices as price
    set price_cents = ${converted('price.price_cents')},
      setup_fee_cents = ${converted('price.setup_fee_cents')}
    from (${priced}) as priced
    where price.tenant_id = priced.tenant_id and price.plan_id = priced.id`.execute(tx)
  await sql`
    update store.plans as plan
    set price_cents = ${converted('plan.price_cents')},
      setup_fee_cents = ${converted('plan.setup_fee_cents')}
    from (${priced}) as priced
    where plan.tenant_id = priced.tenant_id and plan.id = priced.id`.execute(tx)
  await sql`
    update store.component_prices as price
    set price_cents = ${converted('price.price_cents')},
      fee_cents = ${converted('price.fee_cents')}
    from (select ${standard}::integer as rate) as given
    where price.tenant_id = ${tenantId} and price.kind in ('value', 'tier') and price.priced_id in (
      select id from store.option_values where tenant_id = ${tenantId} and option_id in (${options})
      union all
      select id from store.option_tiers where tenant_id = ${tenantId} and option_id in (${options}))`.execute(
    tx,
  )
  await sql`
    update store.coupons as coupon
    set amount_cents = greatest(${converted('coupon.amount_cents')}, 1)
    from (select ${standard}::integer as rate) as given
    where coupon.tenant_id = ${tenantId} and coupon.amount_cents is not null
      and coupon.id in (${coupons})`.execute(tx)
  return rows.length
}
