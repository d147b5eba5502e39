-- An import that is undone: everything it wrote is removed. What is append-only or issued refuses that from everybody
-- but the functions below, each of which removes what one import has written and nothing else.

alter table imports.imports
  drop constraint imports_status_check,
  add constraint imports_status_check check (status in
    ('uploaded', 'analysing', 'importing', 'completed', 'completed_with_failures', 'not_reconciled',
     'failed', 'rejected', 'canceled', 'undoing', 'undone')) not valid;
comment on column imports.imports.status is
  'type: ''uploaded'' | ''analysing'' | ''importing'' | ''completed'' | ''completed_with_failures'' | ''not_reconciled'' | ''failed'' | ''rejected'' | ''canceled'' | ''undoing'' | ''undone''';

-- As platform.refuse_change, for tables of which an undone import takes its rows back.
create function platform.refuse_change_but_undo() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('imports.undoing', true) = 'on' then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create or replace trigger append_only before update or delete on ledger.accounts
  for each row execute function platform.refuse_change_but_undo();
create or replace trigger append_only before update or delete on ledger.transactions
  for each row execute function platform.refuse_change_but_undo();
create or replace trigger append_only before update or delete on ledger.postings
  for each row execute function platform.refuse_change_but_undo();
create or replace trigger append_only before update or delete on billing.dues
  for each row execute function platform.refuse_change_but_undo();
create or replace trigger append_only before update or delete on services.recurring
  for each row execute function platform.refuse_change_but_undo();
create or replace trigger append_only before update or delete on orders.imported_orders
  for each row execute function platform.refuse_change_but_undo();

-- Removes the opening balances that an import has booked. Balances become what they were without them; accounts and
-- balances that were made for them go.
create function ledger.remove_openings(tenant uuid, import uuid) returns void
language plpgsql security definer set search_path = '' set imports.undoing = 'on' as $$
declare
  openings uuid[] := array(
    select id from ledger.transactions
    where tenant_id = tenant and event_id = import and kind = 'opening_balance');
  booked_at timestamptz[] := array(
    select distinct created_at from ledger.transactions where tenant_id = tenant and id = any(openings));
  touched uuid[] := array(
    select distinct account_id from ledger.postings
    where tenant_id = tenant and transaction_id = any(openings));
begin
  -- In the order in which everybody locks them.
  perform from ledger.balances where tenant_id = tenant and account_id = any(touched)
  order by currency, account_id for update;
  with gone as (
    delete from ledger.postings where tenant_id = tenant and transaction_id = any(openings)
    returning account_id, currency, amount_cents
  )
  update ledger.balances as balance
  set balance_cents = balance.balance_cents - moved.cents,
    -- Credit that an import before has overdrawn may stay so.
    may_be_in_debit = balance.may_be_in_debit and (account.code not like 'credit:%' or exists (
      select from ledger.postings as posting
      join ledger.transactions as opening
        on opening.tenant_id = posting.tenant_id and opening.id = posting.transaction_id
      where posting.tenant_id = tenant and posting.account_id = balance.account_id
        and posting.currency = balance.currency and posting.balance_after_cents > 0
        and opening.kind = 'opening_balance' and opening.event_id <> import))
  from (
    select account_id, currency, sum(amount_cents)::bigint as cents from gone
    group by account_id, currency
  ) as moved
  join ledger.accounts as account on account.tenant_id = tenant and account.id = moved.account_id
  where balance.tenant_id = tenant and balance.account_id = moved.account_id
    and balance.currency = moved.currency;
  delete from ledger.transactions where tenant_id = tenant and id = any(openings);
  delete from ledger.balances as balance
  where tenant_id = tenant and account_id = any(touched) and balance_cents = 0 and not exists (
    select from ledger.postings as posting
    where posting.tenant_id = tenant and posting.account_id = balance.account_id
      and posting.currency = balance.currency);
  delete from ledger.accounts as account
  where tenant_id = tenant and id = any(touched) and created_at = any(booked_at) and not exists (
    select from ledger.balances as balance
    where balance.tenant_id = tenant and balance.account_id = account.id);
end $$;

-- An issued invoice stays, but for one that goes with its import; its lines follow it.
create or replace trigger issued_stays before update or delete on billing.invoices
  for each row when (old.imported is null or current_setting('imports.undoing', true) is distinct from 'on')
  execute function billing.refuse_changed_invoice();

-- Removes the documents, payments and credit history that an import has written.
create function billing.remove_imported(tenant uuid, import uuid) returns void
language plpgsql security definer set search_path = '' set imports.undoing = 'on' as $$
begin
  delete from billing.imported_payments where tenant_id = tenant and import_id = import;
  delete from billing.imported_credit where tenant_id = tenant and import_id = import;
  delete from billing.dues as due using billing.invoices as invoice
  where due.tenant_id = tenant and invoice.tenant_id = tenant and invoice.id = due.invoice_id
    and invoice.imported ->> 'importId' = import::text;
  delete from billing.invoices where tenant_id = tenant and imported ->> 'importId' = import::text;
end $$;

-- Removes the services that an import has written.
create function services.remove_imported(tenant uuid, import uuid) returns void
language plpgsql security definer set search_path = '' set imports.undoing = 'on' as $$
declare
  theirs uuid[] := array(
    select id from services.services
    where tenant_id = tenant and imported ->> 'importId' = import::text);
begin
  delete from services.members where tenant_id = tenant and service_id = any(theirs);
  delete from services.recurring where tenant_id = tenant and service_id = any(theirs);
  delete from services.search_terms where tenant_id = tenant and service_id = any(theirs);
  delete from services.drift_findings where tenant_id = tenant and service_id = any(theirs);
  delete from services.services where tenant_id = tenant and id = any(theirs);
end $$;

-- Removes the orders that an import has kept.
create function orders.remove_imported(tenant uuid, import uuid) returns void
language sql security definer set search_path = '' set imports.undoing = 'on' as $$
  delete from orders.imported_orders where tenant_id = tenant and import_id = import
$$;

revoke execute on function ledger.remove_openings, billing.remove_imported, services.remove_imported,
  orders.remove_imported from public;
do $$
begin
  if exists (select from pg_roles where rolname = 'moorage_app') then
    grant execute on function ledger.remove_openings, billing.remove_imported, services.remove_imported,
      orders.remove_imported to moorage_app;
  end if;
end $$;
