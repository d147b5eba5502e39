import { type RawBuilder, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { fingerprintOfInvoice, type ImportedInvoice, owedOn } from './queries.ts'

/** Locks invoices, in the order of their ids. */
export async function lockImportedInvoices(
  tx: Tx,
  tenantId: string,
  ids: RawBuilder<{ id: string }>,
): Promise<void> {
  await sql`
    select from billing.invoices
    where tenant_id = ${tenantId} and id in (${ids}) order by id for update`.execute(tx)
}

/** Rows that bring previously imported invoices to their current state in the other system. */
export type ImportedUpdates = {
  readonly tenantId: string
  readonly importId: string
  readonly rows: RawBuilder<ImportedInvoice>
}

/**
 * Updates the state of locked invoices, and records by how much what is owed on them has changed. Their
 * amounts and numbers stay: those of an issued invoice never change. One with another total must be paid or void.
 */
export async function updateImportedInvoices(
  tx: Tx,
  { tenantId, importId, rows }: ImportedUpdates,
  now: Instant,
): Promise<void> {
  await sql`
    with given as materialized (${rows}), changed as (
      update billing.invoices as invoice
      set status = given.status,
        kind = case given.status when 'open' then given.kind else invoice.kind end,
        number = coalesce(invoice.number, given.number),
        issued_at = coalesce(invoice.issued_at, given.issued_at), due_at = given.due_at,
        paid_at = given.paid_at,
        -- Settled there with other amounts, it is settled here with its own.
        paid_cents = case when given.total_cents = invoice.total_cents then given.paid_cents
          when given.status = 'paid' then invoice.total_cents else 0 end,
        credited_cents = least(given.refunded_cents, invoice.total_cents),
        refunded_cents = least(given.refunded_cents, invoice.total_cents),
        voided_at = case given.status when 'void' then coalesce(invoice.voided_at, ${now}) end,
        written_off_at = case given.status when 'uncollectible'
          then coalesce(invoice.written_off_at, ${now}) end,
        draft_lines = case given.status when 'draft' then invoice.draft_lines end,
        note = given.note,
        imported = given.imported || jsonb_build_object(
          'importId', invoice.imported ->> 'importId', 'updatedBy', ${importId}::text)
          -- Paid there meanwhile, it still is the renewal of a service that does not follow.
          || case when given.status = 'paid'
            and 'open' in (invoice.status, invoice.imported ->> 'state')
            then '{"state":"open"}'::jsonb else '{}'::jsonb end
      from given
      where invoice.tenant_id = ${tenantId} and invoice.id = given.id
      returning invoice.id, ${owedOn('invoice')} as owed
    )
    insert into billing.dues (tenant_id, id, invoice_id, change_cents, created_at)
    select ${tenantId}::uuid, platform.new_id(${now}::timestamptz), changed.id,
      changed.owed - before.owed, ${now}
    from changed
    join (
      select id, ${owedOn('invoice')} as owed from billing.invoices as invoice
      where tenant_id = ${tenantId} and id in (select id from given)
    ) as before on before.id = changed.id
    where changed.owed <> before.owed
  `.execute(tx)
  // Invoices whose hashes are stored in `imports` have none in their own row.
  await sql`
    update billing.invoices as invoice
    set source_fingerprint = given.source_fingerprint, target_fingerprint = ${fingerprintOfInvoice('invoice')}
    from (${rows}) as given
    where invoice.tenant_id = ${tenantId} and invoice.id = given.id
      and invoice.source_system is not null
  `.execute(tx)
}

/** Restores invoices to their rows in `before`, as they were before an import changed them at an instant. */
export async function restoreImportedInvoices(
  tx: Tx,
  tenantId: string,
  { at, before }: { readonly at: Instant; readonly before: RawBuilder<unknown> },
): Promise<void> {
  await sql`select billing.restore_imported(${tenantId}::uuid, ${at}::timestamptz, array(${before}))`.execute(
    tx,
  )
}
