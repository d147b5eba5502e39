-- Whether the invoice of a line is there was asked for each line, and then for all lines of a statement
-- whether it was issued: both are asked together now, by the trigger that did the second.

-- Refuses what is added to an invoice that was issued, or to none: one of this transaction is being written.
create or replace function billing.refuse_added_part() returns trigger language plpgsql as $$
declare
  unknown boolean;
  issued  boolean;
begin
  -- What another transaction may be taking away is waited for, and kept until this one ends.
  perform from billing.invoices as invoice
  where (invoice.tenant_id, invoice.id) in (select tenant_id, invoice_id from added)
    and invoice.xmin <> pg_current_xact_id()::xid
  for key share;
  select bool_or(invoice.id is null),
    bool_or(invoice.status <> 'draft' and invoice.xmin <> pg_current_xact_id()::xid)
  into unknown, issued
  from (select distinct tenant_id, invoice_id from added) as part
  left join billing.invoices as invoice
    on invoice.tenant_id = part.tenant_id and invoice.id = part.invoice_id;
  if unknown then
    raise exception '% names an invoice that is not there', tg_table_name
      using errcode = 'foreign_key_violation';
  end if;
  if issued then
    raise exception 'An invoice that was issued does not change'
      using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- A line is of one invoice for good.
create function billing.refuse_other_invoice() returns trigger language plpgsql as $$
begin
  if (new.tenant_id, new.invoice_id) is distinct from (old.tenant_id, old.invoice_id) then
    raise exception 'A line stays with its invoice' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger invoice_stays before update of tenant_id, invoice_id on billing.invoice_lines
  for each row execute function billing.refuse_other_invoice();

-- Lines go with a draft that is thrown away.
create function billing.remove_lines() returns trigger language plpgsql as $$
begin
  delete from billing.invoice_lines as line using removed
  where line.tenant_id = removed.tenant_id and line.invoice_id = removed.id;
  return null;
end $$;
create trigger lines_go after delete on billing.invoices
  referencing old table as removed for each statement execute function billing.remove_lines();

alter table billing.invoice_lines drop constraint invoice_lines_tenant_id_invoice_id_fkey;
