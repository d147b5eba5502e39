-- What stood here before a newer dump changed it, so that undoing that import brings it back.

create table imports.changes (
  tenant_id  uuid not null,
  import_id  uuid not null,
  -- The table, and the id of the row there.
  record     text not null,
  record_id  text not null,
  before     jsonb not null,
  changed_at timestamptz(3) not null,
  primary key (tenant_id, import_id, record, record_id)
);
comment on column imports.changes.before is 'json: Record<string, unknown>';
select platform.protect('imports.changes');

-- Makes services what they were before an import changed them: their rows then, and when they were changed.
create function services.restore_imported(tenant uuid, at timestamptz, before jsonb[]) returns void
language plpgsql security definer set search_path = '' set imports.undoing = 'on' as $$
begin
  delete from services.recurring
  where tenant_id = tenant and created_at = at
    and service_id in (select (row ->> 'id')::uuid from unnest(before) as row);
  update services.services as service
  set product_id = old.product_id, plan_id = old.plan_id, name = old.name,
    price_cents = old.price_cents, value_cents = old.value_cents, interval = old.interval,
    interval_count = old.interval_count, anchor_at = old.anchor_at,
    current_period_start = old.current_period_start, current_period_end = old.current_period_end,
    invoiced_to = old.invoiced_to, paid_at = old.paid_at, activated_at = old.activated_at,
    suspended_at = old.suspended_at, suspend_reasons = old.suspend_reasons,
    ended_at = old.ended_at, end_reason = old.end_reason, coupons = old.coupons,
    imported = old.imported
  from unnest(before) as row
  cross join lateral jsonb_populate_record(null::services.services, row) as old
  where service.tenant_id = tenant and old.tenant_id = tenant and service.id = old.id;
end $$;

-- The same of invoices, none of which are of this shop.
create function billing.restore_imported(tenant uuid, at timestamptz, before jsonb[]) returns void
language plpgsql security definer set search_path = '' set imports.undoing = 'on' as $$
begin
  delete from billing.dues
  where tenant_id = tenant and created_at = at
    and invoice_id in (select (row ->> 'id')::uuid from unnest(before) as row);
  update billing.invoices as invoice
  set status = old.status, kind = old.kind, number = old.number, issued_at = old.issued_at,
    due_at = old.due_at, paid_at = old.paid_at, paid_cents = old.paid_cents,
    credited_cents = old.credited_cents, refunded_cents = old.refunded_cents,
    voided_at = old.voided_at, written_off_at = old.written_off_at,
    draft_lines = old.draft_lines, note = old.note, imported = old.imported,
    source_fingerprint = old.source_fingerprint, target_fingerprint = old.target_fingerprint
  from unnest(before) as row
  cross join lateral jsonb_populate_record(null::billing.invoices, row) as old
  where invoice.tenant_id = tenant and old.tenant_id = tenant and invoice.id = old.id
    and invoice.imported is not null;
end $$;

revoke execute on function services.restore_imported, billing.restore_imported from public;
do $$
begin
  if exists (select from pg_roles where rolname = 'moorage_app') then
    grant execute on function services.restore_imported, billing.restore_imported to moorage_app;
  end if;
end $$;
