import { type RawBuilder, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { ImportedServices } from './actions.ts'
import { discounted, MONTHLY, PERIOD, planOf, withWorth } from './queries.ts'

/** Locks services, in the order of their ids. */
export async function lockImportedServices(
  tx: Tx,
  tenantId: string,
  ids: RawBuilder<{ id: string }>,
): Promise<void> {
  await sql`
    select from services.services
    where tenant_id = ${tenantId} and id in (${ids}) order by id for update`.execute(tx)
}

/**
 * Updates locked services of an earlier import to their current state in the other system, as if they were imported
 * only now. Nothing is provisioned, suspended or invoiced by this.
 */
export async function updateImportedServices(
  tx: Tx,
  { tenantId, importId, rows }: ImportedServices,
  now: Instant,
): Promise<void> {
  await sql`
    with given as materialized (${rows}), changed as (
      update services.services as service
      set product_id = given.product_id, plan_id = given.plan_id,
        -- Imports of earlier versions did not store the name; a service that was renamed then is not updated.
        name = case when service.name <> coalesce(service.imported ->> 'name', service.name)
          then service.name else given.name end,
        price_cents = given.price_cents,
        value_cents = ${discounted('given.price_cents', 'given.coupons')},
        interval = given.interval, interval_count = given.interval_count,
        anchor_at = given.paid_to, current_period_start = given.paid_to - given.lasting,
        current_period_end = given.paid_to, invoiced_to = given.paid_to,
        paid_at = case when given.state <> 'pending'
          then coalesce(service.paid_at, given.created_at) end,
        activated_at = case when given.state <> 'pending'
          then coalesce(service.activated_at, given.created_at) end,
        suspended_at = case given.state when 'suspended'
          then coalesce(service.suspended_at, ${now}::timestamptz) end,
        suspend_reasons = case given.state when 'suspended' then array['admin'] else '{}' end,
        ended_at = case given.state when 'ended'
          then coalesce(given.ended_at, service.ended_at, ${now}::timestamptz) end,
        end_reason = given.end_reason,
        coupons = given.coupons,
        components = ${withWorth('given.components', 'given.price_cents', discounted('given.price_cents', 'given.coupons'))},
        imported = given.imported || jsonb_build_object(
          'importId', service.imported ->> 'importId', 'updatedBy', ${importId}::text)
      from (select given.*, plan.id as plan_id, ${PERIOD} as lasting from given ${planOf(tenantId)}) as given
      where service.tenant_id = ${tenantId} and service.id = given.id
      returning service.*
    ), earning as (
      select id, user_id, currency, case
        when interval in ('week', 'month', 'year') and paid_at is not null and ended_at is null
          and current_period_end is not null
        then ${MONTHLY} else 0 end as monthly
      from changed
    ), noted as (
      select service_id, sum(change_cents)::bigint as monthly from services.recurring
      where tenant_id = ${tenantId} and service_id in (select id from changed) group by service_id
    )
    insert into services.recurring
      (tenant_id, id, service_id, user_id, currency, change_cents, created_at)
    select ${tenantId}::uuid, platform.new_id(${now}::timestamptz), earning.id, user_id, currency,
      earning.monthly - coalesce(noted.monthly, 0), ${now}
    from earning left join noted on noted.service_id = earning.id
    where earning.monthly <> coalesce(noted.monthly, 0)
  `.execute(tx)
}

/**
 * Restores services to their state before an import changed them at the given time; `before` are their rows from then.
 */
export async function restoreImportedServices(
  tx: Tx,
  tenantId: string,
  { at, before }: { readonly at: Instant; readonly before: RawBuilder<unknown> },
): Promise<void> {
  await sql`select services.restore_imported(${tenantId}::uuid, ${at}::timestamptz, array(${before}))`.execute(
    tx,
  )
}
