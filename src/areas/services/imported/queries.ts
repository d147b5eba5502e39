import { type RawBuilder, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import { type Db, read, type Tx } from '#platform/database/index.ts'
import type { ServiceRow } from '../queries.ts'
import { WEEKS, WEEKS_PER_MONTH } from '../recurring/rules.ts'
import { MEMBER_PERMISSIONS } from '../schema.ts'

export type ImportedService = {
  id: string
  user_id: string
  product_id: string
  name: string
  price_cents: number
  currency: string
  interval: 'one_time' | 'week' | 'month' | 'year'
  interval_count: number
  /** Until when it is paid; null if it does not recur. */
  paid_to: Instant | null
  state: 'pending' | 'active' | 'suspended' | 'ended'
  end_reason: 'terminated' | 'canceled' | 'fraud' | 'completed' | null
  ended_at: Instant | null
  created_at: Instant
  imported: NonNullable<ServiceRow['imported']>
  /** Its options with their prices, which are parts of its price; what they are worth follows from its own worth. */
  components: ServiceRow['components']
  /** Discounts of its renewals, stored as coupons. */
  coupons: ServiceRow['coupons']
}

/** The length of a period of a row with `interval` and `interval_count`, as SQL. */
export const PERIOD = sql`(case interval when 'week' then make_interval(weeks => interval_count)
  when 'year' then make_interval(years => interval_count)
  else make_interval(months => interval_count) end)`

/** What a period at a price costs after the coupons of an imported service, of which there are at most two, as SQL. */
export function discounted(price: string, coupons: string): RawBuilder<unknown> {
  const percent = (at: number) =>
    `(10000 - coalesce((${coupons} -> ${at} ->> 'percentBasisPoints')::integer, 0)) / 10000.0`
  const fixed = (at: number) => `coalesce((${coupons} -> ${at} ->> 'amountCents')::bigint, 0)`
  return sql.raw(`greatest(0, round(round(${price} * ${percent(0)}) * ${percent(1)})
    - ${fixed(0)} - ${fixed(1)})::bigint`)
}

/** Components with their shares of what a whole service is worth at its price, as SQL. */
export function withWorth(components: string, price: string, worth: RawBuilder<unknown>) {
  const parts = sql.raw(components)
  return sql`case when ${parts} = '[]' then ${parts} else (
    select jsonb_agg(part || jsonb_build_object('valueCents', coalesce(floor(
      (part ->> 'priceCents')::numeric * ${worth} / nullif(${sql.raw(price)}, 0))::bigint, 0)) order by place)
    from jsonb_array_elements(${parts}) with ordinality as parts (part, place)) end`
}

/** The monthly recurring revenue of a row of a service, in cents, computed as `perMonth` does, as SQL. */
export const MONTHLY = sql`greatest(0, round(value_cents::numeric
  * case interval when 'week' then ${WEEKS_PER_MONTH}::integer else 1 end
  / (interval_count * case interval when 'week' then ${WEEKS}::integer when 'year' then 12 else 1 end)
  )::bigint)`

/** The plan of a row of `ImportedService`, as `plan`. */
export function planOf(tenantId: string): RawBuilder<unknown> {
  return sql`join (
      select distinct on (product_id, interval, interval_count) product_id as plan_product,
        interval as plan_interval, interval_count as plan_count, id
      from store.plans where tenant_id = ${tenantId}
      order by product_id, interval, interval_count, archived_at desc nulls first, id
    ) as plan on plan_product = given.product_id and plan_interval = given.interval
      and plan_count = given.interval_count`
}

/**
 * Stores services without a server: a later comparison with the panel finds the server. Records their monthly recurring
 * revenue, like every other change of it.
 */
export async function insertImportedServices(
  tx: Tx,
  tenantId: string,
  rows: RawBuilder<ImportedService>,
  now: Instant,
): Promise<void> {
  await sql`
    with given as materialized (${rows}), service as (
      insert into services.services
        (tenant_id, id, user_id, product_id, plan_id, name, price_cents, value_cents, currency,
         interval, interval_count, anchor_at, current_period_start, current_period_end, invoiced_to,
         external_id, created_at, paid_at, activated_at, suspended_at, suspend_reasons, ended_at,
         end_reason, immediate_start, imported, coupons, components)
      select ${tenantId}, given.id, given.user_id, given.product_id, plan.id, given.name,
        given.price_cents, ${discounted('given.price_cents', 'given.coupons')}, given.currency, given.interval, given.interval_count,
        paid_to, paid_to - ${PERIOD}, paid_to, paid_to,
        'svc-' || platform.new_id(${now}::timestamptz), given.created_at,
        case when state <> 'pending' then given.created_at end,
        case when state <> 'pending' then given.created_at end,
        case state when 'suspended' then ${now}::timestamptz end,
        case state when 'suspended' then array['admin'] else '{}' end,
        case state when 'ended' then coalesce(given.ended_at, ${now}::timestamptz) end,
        end_reason, true, imported, coupons, ${withWorth('given.components', 'given.price_cents', discounted('given.price_cents', 'given.coupons'))}
      from given
      ${planOf(tenantId)}
      returning *
    ), owner as (
      insert into services.members
        (tenant_id, user_id, service_id, role, permissions, created_at)
      select ${tenantId}, user_id, id, 'owner', ${[...MEMBER_PERMISSIONS]}::text[], created_at
      from given
    ), earning as (
      select id, user_id, currency, ${MONTHLY} as monthly from service
      where interval in ('week', 'month', 'year') and paid_at is not null and ended_at is null
        and current_period_end is not null
    )
    insert into services.recurring
      (tenant_id, id, service_id, user_id, currency, change_cents, created_at)
    select ${tenantId}::uuid, platform.new_id(${now}::timestamptz), id, user_id, currency, monthly,
      ${now}
    from earning where monthly > 0
  `.execute(tx)
}

/** The sums over the services of an import in this shop, by currency, in cents as text. */
export function sumImportedServices(
  db: Db,
  { tenantId, importId }: { tenantId: string; importId: string },
): Promise<{ what: string; currency: string; amount: string; sum: string }[]> {
  return read(
    db,
    `select 'services' as what, currency, amount, sum::text from (
       select currency, count(*) as count,
         sum((imported ->> 'amountCents')::bigint) as recurring,
         sum((imported ->> 'firstCents')::bigint) as first
       from services.services where tenant_id = $1 and
         coalesce(imported ->> 'updatedBy', imported ->> 'importId') = $2
       group by currency
     ) as summed cross join lateral (values ('count', count), ('recurringCents', recurring),
       ('firstCents', first)) as it (amount, sum)`,
    [tenantId, importId],
  )
}
