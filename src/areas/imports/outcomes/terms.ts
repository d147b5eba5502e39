import { type RawBuilder, sql } from 'kysely'
import type { Resource } from '../staging/resources.ts'
import type { ImportKey } from '../staging/writer.ts'
import { cents } from '../writing/rows.ts'

function rows(resource: Resource, as: string, { tenantId, id }: ImportKey): RawBuilder<unknown> {
  return sql`(select * from ${sql.raw(`imports.staged_${resource}`)}
    where tenant_id = ${tenantId} and import_id = ${id}) as ${sql.raw(as)}`
}

/** Requests to cancel. Of two requests for a service, the earlier end counts. */
export function cancellationsOf(key: ImportKey): RawBuilder<unknown> {
  return sql`
    update imports.staged_services as target set cancel = wanted.kind
    from (
      select service, min(kind) as kind from ${rows('cancellations', 'request', key)} group by service
    ) as wanted
    where target.tenant_id = ${key.tenantId} and target.import_id = ${key.id}
      and target.source_id = wanted.service and target.state in ('active', 'suspended')
      and coalesce(target.months, 0) > 0`
}

/**
 * Subscriptions at a payment provider that are rows of their own. A subscription charges the services on the invoice that
 * began it; if that invoice names none, it may charge any service of its customer.
 */
export function subscriptionsOf(key: ImportKey): RawBuilder<unknown> {
  return sql`
    with named as (
      select charge.row_number, charge.client, charge.reference, line.reference as service
      from ${rows('subscriptions', 'charge', key)}
      left join ${rows('invoice_items', 'line', key)} on line.invoice = nullif(charge.invoice, 0)
        and line.type = 'Hosting' and line.reference > 0
    )
    update imports.staged_services as target set subscription = charged.reference
    from (
      select item.row_number, min(named.reference) as reference
      from ${rows('services', 'item', key)}
      join named on named.client = item.client
        and (named.service is null or named.service = item.source_id)
      where coalesce(item.months, 0) > 0
      group by item.row_number
    ) as charged
    where target.tenant_id = ${key.tenantId} and target.import_id = ${key.id}
      and target.row_number = charged.row_number`
}

/** Whether the agreed amount of a service, with its `term`, includes a limited promotion. */
const HELD = sql`term.promoted = 'included' and term.limited and term.shown > 0`

/**
 * Discounts of renewals. The discount of a customer's group applies to each invoice. A recurring promotion is either
 * already deducted from the agreed amount or on a separate line next to the full amount, even if the full amount was
 * different then: the newest invoice of the service shows which, and the number of its invoices shows how often it was
 * used. If the agreed amount includes a promotion for a limited number of invoices, the service gets its full price and
 * the rest of the promotion.
 */
export function discountsOf(key: ImportKey): RawBuilder<unknown> {
  return sql`
    with lines as (
      select reference, invoice, sum(amount) filter (where type = 'Hosting') as full_amount,
        sum(amount) filter (where type = 'PromoHosting') as promotion
      from ${rows('invoice_items', 'line', key)}
      where type in ('Hosting', 'PromoHosting') and invoice > 0
      group by reference, invoice
    ), newest as (
      select distinct on (reference) * from lines where full_amount is not null
      order by reference, invoice desc
    ), used as (
      select reference, count(*) filter (where lines.promotion < 0) as times,
        count(*) filter (where lines.promotion < 0 and invoice.state = 'open') as unpaid
      from lines join ${rows('invoices', 'invoice', key)} on invoice.source_id = lines.invoice
        and invoice.state <> 'void'
      group by reference
    ), terms as (
      select item.row_number, team.name, team.discount, promotion.code, promotion.type,
        -- A fixed amount is in the main currency: in another, the invoice has it.
        case when promotion.type = 'percent' or currency.main then promotion.value
          else -newest.promotion end as value,
        currency.code as currency, currency.decimals, promotion.recurrences,
        case when promotion.source_id is null then null
          when newest.full_amount is null then 'unclear'
          -- Without a line of its own nobody can tell whether a limited one is over.
          when promotion.recurrences > 0 and newest.promotion is null and used.times = 0 then 'unclear'
          when newest.promotion < 0 and newest.full_amount + newest.promotion <> item.amount
            then 'apart'
          else 'included' end as promoted,
        promotion.recurrences + 1 - coalesce(used.times, 0) + coalesce(used.unpaid, 0) as cycles,
        promotion.recurrences > 0 as limited, newest.full_amount, -newest.promotion as shown
      from ${rows('services', 'item', key)}
      join ${rows('clients', 'client', key)} on client.source_id = item.client
      left join ${rows('currencies', 'currency', key)}
        on currency.source_id = coalesce(nullif(item.currency, 0), client.currency)
      left join ${rows('client_groups', 'team', key)}
        on team.source_id = client.client_group and team.discount between 1 and 10000
      left join ${rows('coupons', 'promotion', key)} on promotion.source_id = item.promotion
        and promotion.recurring and promotion.type in ('percent', 'fixed') and promotion.value > 0
      left join newest on newest.reference = item.source_id
      left join used on used.reference = item.source_id
      where coalesce(item.months, 0) > 0 and item.state in ('active', 'suspended')
        and (team.source_id is not null or promotion.source_id is not null)
    )
    update imports.staged_services as target
    set coupons = (case when term.discount is null then '[]'::jsonb
        else jsonb_build_array(${kept('percent', 'term.name', 'term.discount', 'forever')}) end)
      || (case when term.promoted = 'apart' and (term.recurrences = 0 or term.cycles > 0)
        then jsonb_build_array(${kept('term.type', 'term.code', 'term.value', 'cycles')})
        when ${HELD} and term.cycles > 0
        -- After the discount of the group, which was on what the promotion had left.
        then jsonb_build_array(${kept('fixed', 'term.code', 'round(term.shown * (10000 - coalesce(term.discount, 0)) / 10000.0)::bigint', 'cycles')})
        else '[]'::jsonb end),
      full_amount = case when ${HELD} then term.full_amount end,
      discount = concat_ws(',', case when term.discount is not null then 'group' end,
        'promotion_' || term.promoted)
    from terms as term
    where target.tenant_id = ${key.tenantId} and target.import_id = ${key.id}
      and target.row_number = term.row_number and term.decimals is not null`
}

/**
 * Coupons for a limited number of invoices, of a system whose services cost the discounted amount until the coupon is
 * used up, and the price of their plan from then on. Each invoice of a service counts as one use. `taxOnCatalog`: the tax
 * of the customer's country is added to the price of the plan.
 */
export function limitedCouponsOf(key: ImportKey, taxOnCatalog: boolean): RawBuilder<unknown> {
  const gross = taxOnCatalog
    ? sql`round(price.amounts[1] * (100000 + greatest(coalesce(near.rate, far.rate, 0), 0)) / 100000.0)::bigint`
    : sql`price.amounts[1]`
  const ratesByCountry = taxOnCatalog
    ? sql`left join ${rows('clients', 'client', key)} on client.source_id = item.client
      left join ${rows('tax_rates', 'near', key)} on near.country = client.country and near.country <> ''
      left join ${rows('tax_rates', 'far', key)} on far.country = ''`
    : sql``
  return sql`
    with used as (
      select line.reference, count(distinct invoice.source_id) as times,
        count(distinct invoice.source_id) filter (where invoice.state = 'open') as unpaid
      from ${rows('invoice_items', 'line', key)}
      join ${rows('invoices', 'invoice', key)} on invoice.source_id = line.invoice
        and invoice.state <> 'void'
      where line.type = 'Hosting'
      group by line.reference
    ), terms as (
      select item.row_number, coupon.code, coupon.recurrences, currency.code as currency,
        currency.decimals, ${gross} * item.quantity as full_amount,
        ${gross} * item.quantity - item.amount as shown,
        coupon.recurrences + 1 - coalesce(used.times, 0) + coalesce(used.unpaid, 0) as cycles
      from ${rows('services', 'item', key)}
      join ${rows('coupons', 'coupon', key)} on coupon.source_id = item.coupon
        and coupon.type in ('percent', 'fixed') and coupon.recurrences > 0
      join ${rows('prices', 'price', key)} on price.plan = item.plan and price.currency = item.currency
      join ${rows('currencies', 'currency', key)} on currency.source_id = item.currency
      left join used on used.reference = item.source_id
      ${ratesByCountry}
      where coalesce(item.months, 0) > 0 and item.state in ('active', 'suspended')
    )
    update imports.staged_services as target
    set coupons = jsonb_build_array(${kept('fixed', 'term.code', 'term.shown', 'cycles')}),
      full_amount = term.full_amount, discount = 'promotion_included'
    from terms as term
    where target.tenant_id = ${key.tenantId} and target.import_id = ${key.id}
      and target.row_number = term.row_number and term.shown > 0 and term.cycles > 0
      and term.decimals is not null`
}

/** A coupon as it is stored with a service. */
function kept(
  type: 'percent' | 'fixed' | 'term.type',
  name: string,
  value: string,
  duration: 'forever' | 'cycles',
): RawBuilder<unknown> {
  const kind = sql.raw(type === 'term.type' ? type : `'${type}'::text`)
  const limited = sql.raw(
    duration === 'forever' ? 'false' : 'term.recurrences is not null and term.recurrences > 0',
  )
  return sql`jsonb_build_object(
    'code', left(coalesce(nullif(btrim(${sql.raw(name)}), ''), 'DISCOUNT'), 50), 'type', ${kind},
    'percentBasisPoints', case when ${kind} = 'percent' then least(${sql.raw(value)}, 10000) end,
    'amountCents', case when ${kind} = 'fixed' then ${cents(value, 'term')} end,
    'minimumCents', null, 'currency', coalesce(term.currency, ''), 'includeSetupFee', false,
    'stackable', true, 'productIds', '[]'::jsonb, 'categoryIds', '[]'::jsonb,
    'planIds', '[]'::jsonb, 'intervals', '[]'::jsonb,
    'duration', case when ${limited} then 'cycles' else 'forever' end,
    'durationCycles', case when ${limited} then term.cycles end)`
}
