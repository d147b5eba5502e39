import { sql } from 'kysely'
import { DAY_MS, HOUR_MS, type Instant, later } from '#lib/time.ts'
import { type Db, type Row, read, type Tx } from '#platform/database/index.ts'
import type { ExpectedInvoice } from '#services'
import type { ImportKey } from '../staging/writer.ts'

export type ReconciliationRow = Row<'imports.reconciliations'>
export type ReconciliationKey = ImportKey & { readonly days: number }

/** The invoices of an import are compared with the expected ones after this many days. */
const RECONCILED_AFTER = [7, 30] as const

/** Whether renewals of an import have begun. */
export async function hasBegun(db: Db, { tenantId, id }: ImportKey): Promise<boolean> {
  const row = await db
    .selectFrom('imports.reconciliations')
    .select('days')
    .where('tenantId', '=', tenantId)
    .where('importId', '=', id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The imports whose renewals have begun. */
export async function listBegun(db: Db, tenantId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('imports.reconciliations')
    .select('importId')
    .distinct()
    .where('tenantId', '=', tenantId)
    .execute()
  return rows.map(({ importId }) => importId)
}

/** Plans the reconciliations of an import whose renewals begin. Returns false if they are planned already. */
export async function planReconciliations(
  tx: Tx,
  { tenantId, id: importId }: ImportKey,
  now: Instant,
): Promise<boolean> {
  const planned = await tx
    .insertInto('imports.reconciliations')
    .values(
      RECONCILED_AFTER.map((days) => {
        const throughAt = later(now, days * DAY_MS)
        // Invoices of the last day may be written a little later.
        const dueAt = later(throughAt, HOUR_MS)
        return { tenantId, importId, days, beganAt: now, throughAt, dueAt }
      }),
    )
    .onConflict((it) => it.doNothing())
    .returning('days')
    .execute()
  return planned.length > 0
}

export async function insertExpected(
  tx: Tx,
  { tenantId, id: importId }: ImportKey,
  invoices: readonly ExpectedInvoice[],
): Promise<void> {
  if (invoices.length === 0) return
  await sql`
    insert into imports.expected_invoices
      (tenant_id, import_id, service_id, starts_at, invoice_at, user_id, currency, plan_id,
       former_cents, net_cents, total_cents)
    select ${tenantId}::uuid, ${importId}::uuid, "serviceId", "startsAt", "invoiceAt", "userId", currency, "planId",
      "formerCents", "netCents", "totalCents"
    from jsonb_to_recordset(${JSON.stringify(invoices)}::jsonb) as it ("serviceId" uuid,
      "startsAt" timestamptz, "invoiceAt" timestamptz, "userId" uuid, currency text, "planId" uuid,
      "formerCents" bigint, "netCents" bigint, "totalCents" bigint)
    on conflict do nothing`.execute(tx)
}

/** Reconciliations of all tenants that are due. */
export function listDueReconciliations(db: Db, now: Instant, limit: number) {
  return db
    .selectFrom('imports.reconciliations')
    .select(['tenantId', 'importId', 'days'])
    .where('readyAt', 'is', null)
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(limit)
    .execute()
}

/** Locks a reconciliation that is not ready. */
export function lockReconciliation(tx: Tx, { tenantId, id, days }: ReconciliationKey) {
  return tx
    .selectFrom('imports.reconciliations')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('importId', '=', id)
    .where('days', '=', days)
    .where('readyAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export async function markReady(tx: Tx, row: ReconciliationRow, now: Instant): Promise<void> {
  await tx
    .updateTable('imports.reconciliations')
    .set({ readyAt: now })
    .where('tenantId', '=', row.tenantId)
    .where('importId', '=', row.importId)
    .where('days', '=', row.days)
    .execute()
}

/**
 * Writes the comparison of each customer's expected invoices with those that were issued. A difference of a period
 * is explained by a fact that is recorded with the service or its invoice, or it is `unexplained`.
 */
export async function insertReconciled(
  tx: Tx,
  { tenantId, importId, days, beganAt, throughAt }: ReconciliationRow,
): Promise<void> {
  await sql`
    with expected as (
      select * from imports.expected_invoices
      where tenant_id = ${tenantId} and import_id = ${importId} and invoice_at <= ${throughAt}
    ), billed as (
      select period.service_id, period.starts_at,
        (array_agg(period.plan_id order by period.id desc))[1] as plan_id,
        bool_or(period.voided_at is not null or invoice.status = 'void') as voided,
        coalesce(sum(line.net_cents) filter (where invoice.status <> 'void'), 0)::bigint as net_cents,
        coalesce(sum(line.total_cents) filter (where invoice.status <> 'void'), 0)::bigint as total_cents
      from services.services as service
      join services.periods as period
        on period.tenant_id = service.tenant_id and period.service_id = service.id
      join billing.invoices as invoice
        on invoice.tenant_id = period.tenant_id and invoice.id = period.invoice_id
      cross join lateral (
        select sum(net_cents) as net_cents, sum(total_cents) as total_cents
        from billing.invoice_lines
        where tenant_id = invoice.tenant_id and invoice_id = invoice.id and service_id = service.id
      ) as line
      where service.tenant_id = ${tenantId} and service.imported ->> 'importId' = ${importId}
        and invoice.imported is null and invoice.kind = 'renewal' and invoice.created_at >= ${beganAt}
        and (invoice.created_at <= ${throughAt} or exists (
          select from expected where expected.service_id = period.service_id
            and expected.starts_at = period.starts_at))
      group by period.service_id, period.starts_at
    ), compared as (
      select coalesce(expected.user_id, service.user_id) as user_id,
        coalesce(expected.currency, service.currency) as currency, service.id as service_id,
        coalesce(expected.former_cents, 0) as former_cents,
        coalesce(expected.total_cents, 0) as expected_cents,
        coalesce(billed.total_cents, 0) as billed_cents,
        case
          when expected.total_cents = billed.total_cents then null
          when billed.voided then 'voided'
          when expected.plan_id <> billed.plan_id then 'plan_changed'
          when exists (select from services.price_changes as change
            where change.tenant_id = service.tenant_id and change.service_id = service.id)
            then 'price_changed'
          when expected.net_cents = billed.net_cents then 'tax_changed'
          when billed.service_id is null and (service.ended_at is not null
            or service.end_wanted_at is not null or service.cancel_at_period_end) then 'ended'
          when billed.service_id is null and exists (select from services.periods as unpaid
            where unpaid.tenant_id = service.tenant_id and unpaid.service_id = service.id
              and unpaid.starts_at < expected.starts_at and unpaid.paid_at is null
              and unpaid.voided_at is null) then 'unpaid'
          else 'unexplained'
        end as reason
      from expected
      full join billed on billed.service_id = expected.service_id
        and billed.starts_at = expected.starts_at
      join services.services as service on service.tenant_id = ${tenantId}
        and service.id = coalesce(expected.service_id, billed.service_id)
    ), customer as (
      select user_id, currency, sum(former_cents)::bigint as former_cents,
        sum(expected_cents)::bigint as expected_cents, sum(billed_cents)::bigint as billed_cents,
        coalesce(sum(abs(billed_cents - expected_cents)) filter (where reason = 'unexplained'), 0)::bigint
          as unexplained_cents,
        coalesce(array_agg(distinct reason) filter (where reason is not null), '{}') as reasons,
        coalesce(array_agg(distinct service_id) filter (where reason is not null), '{}') as service_ids
      from compared group by user_id, currency
    )
    insert into imports.reconciled_customers
      (tenant_id, import_id, days, place, user_id, currency, former_cents, expected_cents,
       billed_cents, unexplained_cents, reasons, service_ids)
    select ${tenantId}, ${importId}, ${days}, row_number() over (
        order by unexplained_cents > 0 desc, cardinality(reasons) > 0 desc, user_id, currency),
      user_id, currency, former_cents, expected_cents, billed_cents, unexplained_cents, reasons,
      service_ids
    from customer`.execute(tx)
}

export type ReconciledTotal = {
  days: number
  currency: string
  customers: number
  unexplained: number
  formerCents: number
  expectedCents: number
  billedCents: number
  unexplainedCents: number
}

/** The totals of each reconciliation of an import, by currency. */
export function listTotals(db: Db, { tenantId, id }: ImportKey): Promise<ReconciledTotal[]> {
  return read<ReconciledTotal>(
    db,
    `select days, currency, count(*)::integer as customers,
       (count(*) filter (where unexplained_cents > 0))::integer as unexplained,
       sum(former_cents)::float8 as "formerCents", sum(expected_cents)::float8 as "expectedCents",
       sum(billed_cents)::float8 as "billedCents", sum(unexplained_cents)::float8 as "unexplainedCents"
     from imports.reconciled_customers where tenant_id = $1 and import_id = $2
     group by days, currency order by days, currency`,
    [tenantId, id],
  )
}

export function listReconciliations(db: Db, { tenantId, id }: ImportKey) {
  return db
    .selectFrom('imports.reconciliations')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('importId', '=', id)
    .orderBy('days')
    .execute()
}

/** Customers of a reconciliation after a place in its order. */
export function listReconciled(
  db: Db,
  { tenantId, id, days }: ReconciliationKey,
  { after, limit }: { readonly after: number; readonly limit: number },
) {
  return db
    .selectFrom('imports.reconciled_customers as customer')
    .leftJoin('users.users as person', (join) =>
      join
        .onRef('person.tenantId', '=', 'customer.tenantId')
        .onRef('person.id', '=', 'customer.userId'),
    )
    .select([
      ...(['place', 'userId', 'person.email', 'currency', 'formerCents', 'expectedCents'] as const),
      ...(['billedCents', 'unexplainedCents', 'reasons', 'serviceIds'] as const),
    ])
    .where('customer.tenantId', '=', tenantId)
    .where('importId', '=', id)
    .where('days', '=', days)
    .where('place', '>', after)
    .orderBy('place')
    .limit(limit)
    .execute()
}
