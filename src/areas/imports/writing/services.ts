import { type RawBuilder, sql } from 'kysely'
import type { ImportedOrder } from '#orders'
import type { Tx } from '#platform/database/index.ts'
import type { ImportedService } from '#services'
import { invoiceOf, laneWithInvoice, mayBeIn, withInvoice } from './documents.ts'
import {
  BY_PERSON,
  cents,
  countOf,
  idOf,
  intervalOf,
  joined,
  madeAt,
  PARTY,
  type Part,
  staged,
  type Writing,
  wanted,
} from './rows.ts'

/**
 * The places in which customers of a dump live, as `place`, and whether the old system charged no tax there: of its rules,
 * the one for the region counts before that for the country, and that before the one for all countries.
 */
function untaxedPlaces({ tenantId, id }: Writing): RawBuilder<unknown> {
  return sql`
    left join (
      select home.country, home.region, coalesce(sum(rule.rate), 0) <= 0 as untaxed
      from (
        select distinct country, region from imports.staged_clients
        where tenant_id = ${tenantId} and import_id = ${id}
      ) as home
      left join lateral (
        select distinct on (level) rate from imports.staged_tax_rates as rate
        where rate.tenant_id = ${tenantId} and rate.import_id = ${id}
          and rate.outcome is distinct from 'failed' and rate.country in ('', home.country)
          and lower(btrim(rate.region)) in ('', lower(btrim(home.region)))
        order by level, btrim(rate.region) <> '' desc, rate.country <> '' desc, source_id
      ) as rule on true
      group by home.country, home.region
    ) as place on place.country = client.country and place.region = client.region`
}

/** Replaces the ids of options in the old system by the components of services here, once the options are written. */
export async function nameOptions(tx: Tx, writing: Writing): Promise<void> {
  const { tenantId, id } = writing
  await sql`
    update imports.staged_services as target set components = named.components
    from (
      select item.row_number, jsonb_agg(jsonb_build_object(
        'key', record.key, 'kind', 'option', 'sourceId', record.id, 'valueId', chosen.id,
        'quantity', part.quantity, 'text', null, 'name', record.name,
        'label', coalesce(chosen.label, concat_ws(' ', part.quantity, record.unit)),
        'position', part.position, 'priceCents', part."priceCents", 'feeCents', 0,
        'priceMicros', null, 'valueCents', 0) order by part.position) as components
      from imports.staged_services as item
      cross join lateral jsonb_to_recordset(item.components) as part
        (option bigint, value bigint, quantity bigint, position integer, "priceCents" bigint)
      ${joined('options', 'option', 'part.option')}
      join store.options as record on record.tenant_id = ${tenantId}
        and record.id = ${idOf(writing, 'options', 'option')}
      ${joined('option_values', 'value', 'part.value', 'left join')}
      left join store.option_values as chosen on chosen.tenant_id = ${tenantId}
        and chosen.id = ${idOf(writing, 'option_values', 'value')}
      where item.tenant_id = ${tenantId} and item.import_id = ${id} and item.components is not null
      group by item.row_number
    ) as named
    where target.tenant_id = ${tenantId} and target.import_id = ${id}
      and target.row_number = named.row_number`.execute(tx)
}

const NAME = sql`coalesce(nullif(left(btrim(item.name), 200), ''),
  nullif(left(btrim(product.name), 200), ''), '-')`

/** Services of one part, or those that are updated. `hasRates`: whether the tax rates of the old system say who paid tax. */
export function serviceRows(
  writing: Writing,
  { which, hasRates }: { readonly which: RawBuilder<unknown>; readonly hasRates: boolean },
): RawBuilder<ImportedService> {
  const { id } = writing
  return sql<ImportedService>`
    select ${idOf(writing, 'services', 'item')} as id, ${idOf(writing, 'clients', 'owner')} as user_id,
      ${idOf(writing, 'products', 'product')} as product_id,
      ${NAME} as name,
      greatest(${cents('coalesce(item.full_amount, item.amount)')}, 0) as price_cents, currency.code as currency,
      ${intervalOf('item.months')} as interval, ${countOf('item.months')} as interval_count,
      case when coalesce(item.months, 0) > 0 and item.state <> 'pending' then item.next_due_at end
        as paid_to,
      item.state, case when item.state = 'ended' then case lower(item.status)
        when 'terminated' then 'terminated' when 'fraud' then 'fraud'
        when 'completed' then 'completed' else 'canceled' end end as end_reason,
      item.ended_at, ${madeAt(writing, 'item.created_at')} as created_at,
      jsonb_build_object('importId', ${id}::text, 'formerId', item.source_id::text,
        'name', ${NAME}, 'status', item.status, 'cycle', item.cycle,
        'firstCents', ${cents('item.first_amount')}, 'amountCents', ${cents('item.amount')},
        'fullCents', ${cents('item.full_amount')},
        'untaxed', product.taxable is false or coalesce(client.tax_exempt, false)
          ${hasRates ? sql`or coalesce(place.untaxed, false)` : sql``},
        'quantity', item.quantity, 'cancel', item.cancel, 'subscription', item.subscription,
        'overdue', coalesce(item.overdue, true) and item.state = 'suspended',
        'discount', nullif(item.discount, '')) as imported,
      coalesce(item.coupons, '[]') as coupons, coalesce(item.components, '[]') as components
    from ${staged('services', 'item')}
    ${PARTY}
    ${joined('products', 'product', 'item.product')}
    ${hasRates ? untaxedPlaces(writing) : sql``}
    where ${which}
    ${BY_PERSON}`
}

/** Orders. One that was paid with an invoice of another client is in the last part. */
export function orderRows(part: Part): RawBuilder<ImportedOrder> {
  return sql<ImportedOrder>`
    select ${idOf(part, 'orders', 'item')} as id, item.source_id, ${idOf(part, 'clients', 'owner')} as user_id,
      item.number, item.status, ${cents('item.amount')} as amount_cents, currency.code as currency,
      ${invoiceOf(part)} as invoice_id, item.created_at as ordered_at
    from ${withInvoice('orders')}
    ${PARTY}
    ${joined('clients', 'debtor', 'invoice.client', 'left join')}
    where ${wanted(part, 'item')} and ${laneWithInvoice()} = ${part.lane}::bigint
      and ${mayBeIn(part)}
    ${BY_PERSON}`
}
