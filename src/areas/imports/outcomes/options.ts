import { sql } from 'kysely'
import type { Tx } from '#platform/database/index.ts'
import type { ImportKey } from '../staging/writer.ts'
import { cents } from '../writing/rows.ts'

/** Whether a row of an option is imported now or was before. */
const isHere = (as: string) =>
  sql.raw(`(${as}.outcome is null or ${as}.reason = 'already_imported')`)

/** The rows of an import. */
function own({ tenantId, id }: ImportKey, as: string) {
  return sql`${sql.raw(as)}.tenant_id = ${tenantId} and ${sql.raw(as)}.import_id = ${id}`
}

/**
 * What services have of options, at the prices of the old catalogue. The amount of a service includes them and stays the
 * total: what is left of it is the price of its plan. Options that cost more than the whole service cost nothing.
 */
export async function settleOptions(tx: Tx, key: ImportKey): Promise<void> {
  await sql`
    with offered as (
      select link.product, option.source_id as option, option.kind,
        row_number() over (partition by link.product
          order by option.option_group, option.position, option.source_id) as place
      from (
        select distinct product, option_group from imports.staged_option_links as link
        where ${own(key, 'link')} and ${isHere('link')}
      ) as link
      join imports.staged_options as option on ${own(key, 'option')} and ${isHere('option')}
        and option.option_group = link.option_group
    ), price as (
      select distinct on (product, currency) product, currency, months, amounts
      from imports.staged_prices as price
      where ${own(key, 'price')} and price.kind = 'configoptions' and ${isHere('price')}
      order by product, currency, row_number
    ), chosen as (
      select service.row_number, service.months, item.option, value.source_id as value,
        case when offered.kind = 'quantity' then item.quantity end as quantity, offered.place,
        offered.kind = 'quantity' as is_quantity, currency.decimals,
        coalesce(service.full_amount, service.amount) as total,
        coalesce(case when service.months is null then 0
          when service.months = 0 then price.amounts[1]
          else price.amounts[array_position(price.months, service.months)] end, 0)
          * case when offered.kind = 'quantity' then item.quantity else 1 end as amount
      from imports.staged_service_options as item
      join imports.staged_services as service on ${own(key, 'service')}
        and service.source_id = item.service and service.outcome is distinct from 'failed'
      join offered on offered.product = service.product and offered.option = item.option
      join imports.staged_option_values as value on ${own(key, 'value')} and ${isHere('value')}
        and value.option = item.option
        and (offered.kind <> 'select' or value.source_id = item.value)
      left join imports.staged_clients as client on ${own(key, 'client')}
        and client.source_id = service.client and client.outcome is distinct from 'failed'
      left join imports.staged_currencies as currency on ${own(key, 'currency')}
        and currency.source_id = coalesce(nullif(service.currency, 0), client.currency)
        and currency.outcome is distinct from 'failed'
      left join price on price.product = value.source_id and price.currency = currency.source_id
      where ${own(key, 'item')} and item.outcome is null
    ), added as (
      select *, sum(amount) over (partition by row_number) > total as exceeds from chosen
    ), settled as (
      select row_number, bool_or(exceeds) as exceeds,
        string_agg(concat_ws(':', option, value, quantity), ' ' order by option) as choices,
        jsonb_agg(jsonb_build_object('option', option,
          'value', case when not is_quantity then value end, 'quantity', quantity, 'position', place,
          'priceCents', case when exceeds then 0 else ${cents('amount', 'added')} end)
          order by place) as components
      from added group by row_number
    )
    update imports.staged_services as target
    set components = settled.components, choices = settled.choices,
      options_exceed = settled.exceeds
    from settled
    where ${own(key, 'target')} and target.row_number = settled.row_number`.execute(tx)
}

/** Gives the options of services of an earlier import the outcome of their service, once that is known. */
export async function followOptions(tx: Tx, key: ImportKey): Promise<void> {
  await sql`
    update imports.staged_service_options as target
    set outcome = service.outcome, reason = service.reason
    from imports.staged_services as service
    where ${own(key, 'target')} and target.outcome is null and ${own(key, 'service')}
      and service.source_id = target.service and service.outcome in ('merged', 'skipped')`.execute(
    tx,
  )
}
