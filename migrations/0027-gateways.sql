-- What the EU's register said about VAT numbers, statements of bank accounts, orders whose price has
-- changed, and lines that nobody adds to what was issued.

alter table users.users
  -- When the register is to be asked about the VAT number; null when it need not be.
  add column vat_check_at    timestamptz(3),
  -- How often it was asked in vain since the last answer.
  add column vat_check_tries integer not null default 0;
create index vat_numbers_to_check on users.users (vat_check_at) where vat_check_at is not null;

-- Numbers nobody has asked about yet; those of other places than the EU are in no register.
update users.users set vat_check_at = now()
where vat_status in ('unchecked', 'unavailable') and deleted_at is null
  and left(vat_number, 2) in
      ('AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'EL', 'ES', 'FI', 'FR', 'HR', 'HU', 'IE', 'IT',
       'LT', 'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK');

-- One row for every answer of the register.
create table users.vat_checks (
  tenant_id           uuid not null,
  id                  uuid not null,
  user_id             uuid not null,
  vat_number          text not null,
  status              text not null check (status in ('valid', 'invalid')),
  -- For whom it was asked, and what the register calls its answer then.
  requester           text,
  consultation_number text,
  checked_at          timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users
);
comment on column users.vat_checks.status is 'type: ''valid'' | ''invalid''';
create index vat_checks_of_user on users.vat_checks (tenant_id, user_id, id);
select platform.protect('users.vat_checks');

comment on column billing.invoices.evidence is
  'json: { pieces: { kind: ''billing_address'' | ''payment''; country: string }[]; country: string | null; vatCheck?: { vatNumber: string; status: ''valid'' | ''invalid''; requester: string | null; consultationNumber: string | null; checkedAt: string } }';

-- Files of a bank that somebody has uploaded.
create table billing.bank_statements (
  tenant_id   uuid not null,
  id          uuid not null,
  gateway_id  uuid not null,
  format      text not null check (format in ('camt.053', 'csv')),
  file_name   text,
  -- Credits in the file, those that were new, and what left the account.
  entry_count integer not null,
  new_count   integer not null,
  debit_count integer not null,
  created_at  timestamptz(3) not null,
  created_by  uuid not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, gateway_id) references billing.gateways
);
comment on column billing.bank_statements.format is 'type: ''camt.053'' | ''csv''';
select platform.protect('billing.bank_statements');

-- Money that came in by the bank's account of it.
create table billing.bank_entries (
  tenant_id    uuid not null,
  id           uuid not null,
  statement_id uuid not null,
  gateway_id   uuid not null,
  -- Made of all that the bank says of it: the same entry of another file has the same one.
  entry_key    text not null check (length(entry_key) between 1 and 200),
  booked_on    date not null,
  amount_cents bigint not null check (amount_cents > 0),
  currency     text not null check (currency ~ '^[A-Z]{3}$'),
  -- The bank's own id of it, where it gives one.
  bank_reference text,
  payer_name   text,
  payer_iban   text,
  -- What the payer wrote.
  remittance   text,
  -- new: not looked at yet; open: a person is to say what it is for.
  state        text not null check (state in ('new', 'open', 'booked', 'dismissed')),
  payment_id   uuid,
  user_id      uuid,
  note         text,
  created_at   timestamptz(3) not null,
  settled_at   timestamptz(3),
  -- Who said what it is for; null where its reference did.
  settled_by   uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, statement_id) references billing.bank_statements,
  foreign key (tenant_id, gateway_id) references billing.gateways,
  foreign key (tenant_id, payment_id) references billing.payments,
  foreign key (tenant_id, user_id) references users.users,
  check ((state = 'booked') = (payment_id is not null)),
  check ((state in ('booked', 'dismissed')) = (settled_at is not null))
);
comment on column billing.bank_entries.state is
  'type: ''new'' | ''open'' | ''booked'' | ''dismissed''';
create unique index one_row_per_bank_entry
  on billing.bank_entries (tenant_id, gateway_id, entry_key);
create index entries_of_statement on billing.bank_entries (tenant_id, statement_id, id);
create index entries_by_state on billing.bank_entries (tenant_id, state, id);
create index entries_of_user on billing.bank_entries (tenant_id, user_id, id);
select platform.protect('billing.bank_entries');
-- Proposals: who owes just this much.
create index open_invoices_by_total on billing.invoices (tenant_id, currency, total_cents)
  where status = 'open';

-- Lines and taxes come with their invoice, in one transaction, or into a draft: nothing is added
-- to what was said before.
create function billing.refuse_added_part() returns trigger language plpgsql as $$
begin
  if exists (
    select from billing.invoices
    where tenant_id = new.tenant_id and id = new.invoice_id and status <> 'draft'
      and xmin <> pg_current_xact_id()::xid
  ) then
    raise exception 'An invoice that was issued does not change'
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger issued_gets_no_more before insert on billing.invoice_lines
  for each row execute function billing.refuse_added_part();
create trigger issued_gets_no_more before insert on billing.invoice_taxes
  for each row execute function billing.refuse_added_part();

-- Refunds that a provider is asked about again.
create index refunds_under_way on billing.refunds (sent_at)
  where state = 'pending' and provider_refund_id is not null;

-- Orders nobody has paid, whether they have their number already or get it with the money.
create index unpaid_orders on billing.invoices (created_at)
  where status = 'open' and paid_cents = 0 and kind in ('checkout', 'upgrade', 'top_up');
drop index billing.unpaid_pro_formas;
