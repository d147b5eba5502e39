import { sql } from 'kysely'
import { HOUSE_REASONS } from '#billing'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { lockService, updateService } from '../queries.ts'
import { withdrawPeriods } from '../renewals/closing.ts'
import { liftNonPayment, settlePeriods } from '../renewals/settlement.ts'
import { PERIOD, withWorth } from './queries.ts'

/** How to treat a current period that the other system never invoiced. */
export type RunningPeriods = 'leave' | 'invoice'

export type BegunRenewals = {
  begun: number
  movedOn: number
  /** Periods covered by an open invoice of the other system. */
  invoicedThere: number
  /** Services with a request to cancel. */
  ending: number
}

/** Active recurring services, as `service`, that do not renew in this shop yet. */
export const NOT_BEGUN = sql`service.interval in ('week', 'month', 'year')
  and service.activated_at is not null and service.ended_at is null
  and service.end_wanted_at is null and service.next_invoice_at is null
  and service.anchor_at is not null and not exists (
    select from services.periods as begun
    where begun.tenant_id = service.tenant_id and begun.service_id = service.id)`

/**
 * Whether an imported `invoice` is a renewal of the `service` on its lines, unless it was for an earlier time: it was
 * open when it was imported, or came paid with a newer dump that did not update the service. Imports of earlier
 * versions have stored only its status.
 */
export const RENEWS = sql`(coalesce(invoice.imported ->> 'state',
    case when invoice.imported ->> 'status' in ('Unpaid', 'Payment Pending', 'unpaid', 'pending')
      then 'open' end) = 'open'
  or (invoice.imported ->> 'state' = 'paid' and invoice.imported ->> 'importId'
    > coalesce(service.imported ->> 'updatedBy', service.imported ->> 'importId')))`

/**
 * Locks the services of an import that do not renew yet, and then their open invoices: a payment or a newer dump that
 * is missed when renewals start would leave its period unpaid.
 */
export async function lockNotBegun(
  tx: Tx,
  { tenantId, importId }: { tenantId: string; importId: string },
): Promise<void> {
  const theirs = sql`services.services as service
    where service.tenant_id = ${tenantId} and service.imported ->> 'importId' = ${importId}
      and ${NOT_BEGUN}`
  await sql`select from ${theirs} order by service.id for update`.execute(tx)
  await sql`
    select from billing.invoices
    where tenant_id = ${tenantId} and imported is not null and status = 'open' and id in (
      select line.invoice_id from billing.invoice_lines as line
      where line.tenant_id = ${tenantId} and line.service_id in (select service.id from ${theirs})
    )
    order by id for update`.execute(tx)
}

export type NotBegun = { readonly importId: string; readonly count: number }

/** Each import whose services do not all renew here yet, and how many do not; the oldest import first. */
export function countNotBegun(db: Db, tenantId: string): Promise<NotBegun[]> {
  return db
    .selectFrom('services.services as service')
    .select([
      sql<string>`service.imported ->> 'importId'`.as('importId'),
      sql<number>`count(*)::integer`.as('count'),
    ])
    .where('service.tenantId', '=', tenantId)
    .where('service.imported', 'is not', null)
    .where(sql<boolean>`${NOT_BEGUN}`)
    .groupBy('importId')
    .orderBy('importId')
    .execute()
}

type Planned = { id: string; movedOn: boolean; ending: boolean; invoiced: number; settled: boolean }

/**
 * Starts renewals of the active imported services; those that already renew are skipped. Each open invoice of the
 * other system becomes the renewal of its services: its periods follow the paid ones in the order of their due
 * dates, with reminders and suspension from now on. Past periods without an invoice are skipped.
 */
export async function planRenewals(
  tx: Tx,
  {
    tenantId,
    importId,
    runningPeriods,
  }: { tenantId: string; importId: string; runningPeriods: RunningPeriods },
  now: Instant,
): Promise<BegunRenewals> {
  const { rows } = await sql<Planned>`
    with running as materialized (
      select service.*, ${PERIOD} as lasting, steps.number,
        coalesce(service.imported ->> 'cancel', '') <> '' as canceled
      from services.services as service
      cross join lateral (
        select step as number
        from generate_series(0, case service.interval when 'week' then 2600 else 600 end) as step
        where service.anchor_at + step * ${PERIOD} > ${now}::timestamptz
        order by step limit 1
      ) as steps
      where service.tenant_id = ${tenantId} and service.imported ->> 'importId' = ${importId}
        and ${NOT_BEGUN}
      for update of service
    ), named as (
      select service.tenant_id, service.id, invoice.id as invoice_id, invoice.status = 'paid' as paid,
        coalesce(invoice.paid_at, ${now}) as paid_at, invoice.due_at,
        -- An older one is for a time that the other system counts as paid: it is a debt.
        coalesce(invoice.due_at >= service.anchor_at - service.lasting / 2, true) as ahead,
        greatest(sum(line.total_cents), 0)::bigint as charged_cents
      from running as service
      join billing.invoice_lines as line
        on line.tenant_id = service.tenant_id and line.service_id = service.id
      join billing.invoices as invoice
        on invoice.tenant_id = line.tenant_id and invoice.id = line.invoice_id
      where ${RENEWS} and invoice.status in ('open', 'paid')
      group by service.tenant_id, service.id, service.anchor_at, service.lasting, invoice.tenant_id,
        invoice.id
    ), numbered as (
      select *, row_number() over (partition by id, ahead order by due_at, invoice_id) - 1 as place
      from named
    ), counted as (
      select id, (count(*) filter (where ahead))::integer as covered, bool_and(paid) as settled
      from numbered group by id
    ), target as (
      select running.*, coalesce(counted.covered, 0) as covered, counted.settled,
        case when canceled then coalesce(counted.covered, 0) else greatest(coalesce(counted.covered, 0),
          running.number - case when ${runningPeriods} = 'invoice' and running.number > 0 then 1 else 0 end
        ) end as reached
      from running left join counted on counted.id = running.id
    ), planned as (
      update services.services as service
      set current_period_start = target.anchor_at + (target.current - 1) * target.lasting,
        current_period_end = target.anchor_at + target.current * target.lasting,
        invoiced_to = target.anchor_at + target.reached * target.lasting,
        cancel_at_period_end = service.cancel_at_period_end or target.canceled,
        next_invoice_at = case when not target.canceled then ${now}::timestamptz end,
        suspend_reasons = case when target.suspended_at is not null and target.settled is not null
          and coalesce((target.imported ->> 'overdue')::boolean, false)
          then array['unpaid'] else service.suspend_reasons end
      from (
        select *, case when covered = 0 then reached else 0 end as current from target
      ) as target
      where target.tenant_id = service.tenant_id and target.id = service.id
      returning service.tenant_id, service.id, service.product_id, service.plan_id,
        service.price_cents, service.value_cents, service.components,
        coalesce(service.imported ->> 'fullCents', service.imported ->> 'amountCents')::bigint as agreed_cents,
        service.current_period_start, service.current_period_end,
        service.suspend_reasons, target.covered, target.reached, target.canceled, target.settled,
        target.anchor_at, target.lasting
    ), period as (
      -- What is paid for, or counts as that.
      select tenant_id, id, product_id, plan_id, price_cents, value_cents, components,
        current_period_start as starts_at, current_period_end as ends_at,
        null::uuid as invoice_id, ${now}::timestamptz as paid_at, current_period_start as due_at,
        false as is_debt
      from planned
      union all
      select planned.tenant_id, planned.id, product_id, plan_id, price_cents,
        -- In the price mode of this shop, to which its price may have been converted.
        coalesce(round(charged_cents * price_cents::numeric / nullif(agreed_cents, 0)), charged_cents)::bigint,
        components,
        case when ahead then anchor_at + place * lasting else ${now} end,
        case when ahead then anchor_at + (place + 1) * lasting else ${now} end, invoice_id,
        case when paid then paid_at end, greatest(due_at, ${now}::timestamptz), not ahead
      from planned join numbered on numbered.id = planned.id
      where ahead or not paid
      union all
      -- Time behind the invoiced periods that is over and was never invoiced.
      select tenant_id, id, product_id, plan_id, price_cents, value_cents, components,
        anchor_at + covered * lasting, anchor_at + reached * lasting, null, ${now}::timestamptz,
        anchor_at + covered * lasting, false
      from planned where covered > 0 and reached > covered
    ), written as (
      insert into services.periods
        (tenant_id, id, service_id, starts_at, ends_at, product_id, plan_id, price_cents,
         value_cents, components, created_at, invoice_id, paid_at, due_at, dunning_at, is_debt)
      select tenant_id, platform.new_id(${now}::timestamptz), id, starts_at, ends_at, product_id,
        plan_id, price_cents, value_cents,
        ${withWorth('components', 'price_cents', sql`value_cents`)}, ${now}, invoice_id, paid_at, due_at,
        case when paid_at is null then ${now}::timestamptz end, is_debt
      from period
    )
    select id, reached > covered as "movedOn", canceled as ending, covered as invoiced,
      'unpaid' = any(suspend_reasons) and coalesce(settled, false) as settled
    from planned order by id`.execute(tx)
  // Customers do not pay for time after the end that they have requested.
  for (const { id } of rows.filter(({ ending, invoiced }) => ending && invoiced > 0)) {
    const service = await lockService(tx, { tenantId, id })
    if (!service) continue
    const invoicedTo = await withdrawPeriods(tx, service, HOUSE_REASONS.canceled, now)
    await updateService(tx, service, { invoicedTo })
  }
  // Customers who paid in this shop before renewals started: their servers no longer need to be suspended.
  for (const { id } of rows.filter(({ settled }) => settled)) {
    await liftNonPayment(tx, { tenantId, id }, now)
  }
  return countsOf(rows)
}

function countsOf(rows: readonly Planned[]): BegunRenewals {
  const counts = { begun: rows.length, movedOn: 0, invoicedThere: 0, ending: 0 }
  for (const { movedOn, ending, invoiced } of rows) {
    counts.movedOn += movedOn ? 1 : 0
    counts.ending += ending ? 1 : 0
    counts.invoicedThere += invoiced
  }
  return counts
}

/**
 * Settles the periods of invoices that an import has found paid in the other system: its customers are not charged
 * again.
 */
export async function settleImported(
  tx: Tx,
  { tenantId, importId }: { tenantId: string; importId: string },
  now: Instant,
): Promise<void> {
  const { rows } = await sql<{ invoiceId: string }>`
    select distinct invoice.id as "invoiceId" from services.periods as period
    join billing.invoices as invoice
      on invoice.tenant_id = period.tenant_id and invoice.id = period.invoice_id
    where period.tenant_id = ${tenantId} and period.paid_at is null and period.voided_at is null
      and invoice.status = 'paid' and invoice.imported ->> 'updatedBy' = ${importId}
    order by invoice.id`.execute(tx)
  for (const { invoiceId } of rows) await settlePeriods(tx, { tenantId, invoiceId }, now)
}
