-- Invoices and payments of another system: kept as they were, and never worked out again.

alter table billing.invoices add column imported jsonb;
comment on column billing.invoices.imported is
  'json: { importId: string; number: string; status: string; subtotalCents: number; taxCents: number; secondTaxCents: number; creditCents: number; dueCents: number; totalCents: number }';

-- What another system wrote need not follow the rules of this one.
alter table billing.invoices
  drop constraint invoices_total_cents_check,
  drop constraint invoices_check1,
  drop constraint invoices_check2,
  drop constraint invoices_check3,
  drop constraint invoices_check4,
  add constraint total_not_negative check (total_cents >= 0 or imported is not null),
  add constraint credited_at_most_total
    check (credited_cents <= total_cents or imported is not null),
  add constraint given_back_at_most_paid
    check (refunded_cents + reversed_cents <= paid_cents or imported is not null),
  add constraint numbered_when_issued
    check ((number is null) = (issued_at is null) or imported is not null),
  add constraint numbered_with_hash
    check ((number is null) = (content_hash is null) or imported is not null);
drop index billing.one_invoice_per_number;
create unique index one_invoice_per_number on billing.invoices (tenant_id, number)
  where imported is null;
create index imported_invoices on billing.invoices (tenant_id, number) where imported is not null;

-- Money as the other system kept it: what came in, what went out and what it cost, in one row. It is
-- history: none of it is booked here, and no provider is asked about it.
create table billing.imported_payments (
  tenant_id     uuid not null,
  id            uuid not null,
  import_id     uuid not null,
  user_id       uuid not null,
  invoice_id    uuid,
  currency      text not null check (currency ~ '^[A-Z]{3}$'),
  gateway       text not null,
  reference     text not null,
  description   text not null,
  in_cents      bigint not null,
  out_cents     bigint not null,
  fee_cents     bigint not null,
  -- The payment that was given back with it.
  refund_of     uuid,
  happened_at   timestamptz(3),
  created_at    timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users,
  foreign key (tenant_id, invoice_id) references billing.invoices
);
create index imported_payments_of_user on billing.imported_payments (tenant_id, user_id, id);
create index imported_payments_of_invoice on billing.imported_payments (tenant_id, invoice_id);
create index imported_payments_of_import on billing.imported_payments (tenant_id, import_id);
select platform.protect('billing.imported_payments');

-- How credit came and went in the other system: its balance is what was taken over.
create table billing.imported_credit (
  tenant_id    uuid not null,
  id           uuid not null,
  import_id    uuid not null,
  user_id      uuid not null,
  currency     text not null check (currency ~ '^[A-Z]{3}$'),
  amount_cents bigint not null,
  description  text not null,
  happened_at  timestamptz(3),
  created_at   timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users
);
create index imported_credit_of_user on billing.imported_credit (tenant_id, user_id, id);
create index imported_credit_of_import on billing.imported_credit (tenant_id, import_id);
select platform.protect('billing.imported_credit');

-- As before, but looked at once for all rows that a statement adds.
create or replace function billing.refuse_added_part() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct tenant_id, invoice_id from added) as part
    join billing.invoices as invoice
      on invoice.tenant_id = part.tenant_id and invoice.id = part.invoice_id
    where invoice.status <> 'draft' and invoice.xmin <> pg_current_xact_id()::xid
  ) then
    raise exception 'An invoice that was issued does not change'
      using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
drop trigger issued_gets_no_more on billing.invoice_lines;
create trigger issued_gets_no_more after insert on billing.invoice_lines
  referencing new table as added for each statement execute function billing.refuse_added_part();
drop trigger issued_gets_no_more on billing.invoice_taxes;
create trigger issued_gets_no_more after insert on billing.invoice_taxes
  referencing new table as added for each statement execute function billing.refuse_added_part();
