-- The books: double entry, append-only. Debits are positive, credits negative.

create schema ledger;
select platform.open_schema('ledger');

create table ledger.accounts (
  tenant_id  uuid not null references tenants.tenants,
  id         uuid not null,
  code       text not null check (length(code) between 1 and 100),
  type       text not null check (type in ('asset', 'liability', 'income', 'expense', 'equity')),
  -- Whose account it is: a customer, a gateway, an affiliate.
  owner_id   uuid,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
comment on column ledger.accounts.type is
  'type: ''asset'' | ''liability'' | ''income'' | ''expense'' | ''equity''';
create unique index one_account_per_code on ledger.accounts (tenant_id, code);
create index accounts_of_owner on ledger.accounts (tenant_id, owner_id);
select platform.protect('ledger.accounts', true);

create table ledger.transactions (
  tenant_id       uuid not null references tenants.tenants,
  id              uuid not null,
  kind            text not null check (length(kind) between 1 and 50),
  -- What happened: the id of a payment, a refund, an invoice.
  event_id        uuid not null,
  idempotency_key text not null check (length(idempotency_key) between 1 and 200),
  description     text,
  created_at      timestamptz(3) not null,
  primary key (tenant_id, id)
);
create unique index one_transaction_per_key on ledger.transactions (tenant_id, idempotency_key);
create index transactions_of_event on ledger.transactions (tenant_id, event_id);
select platform.protect('ledger.transactions', true);

create table ledger.postings (
  tenant_id           uuid not null,
  id                  uuid not null,
  transaction_id      uuid not null,
  account_id          uuid not null,
  currency            text not null check (currency ~ '^[A-Z]{3}$'),
  amount_cents        bigint not null check (amount_cents <> 0),
  balance_after_cents bigint not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, transaction_id) references ledger.transactions,
  foreign key (tenant_id, account_id) references ledger.accounts
);
create index postings_of_transaction on ledger.postings (tenant_id, transaction_id);
create index postings_of_account on ledger.postings (tenant_id, account_id, currency, id);
select platform.protect('ledger.postings', true);

-- What the postings of an account add up to, kept in the transaction that posts.
create table ledger.balances (
  tenant_id       uuid not null,
  account_id      uuid not null,
  currency        text not null check (currency ~ '^[A-Z]{3}$'),
  balance_cents   bigint not null default 0,
  may_be_in_debit boolean not null,
  primary key (tenant_id, account_id, currency),
  foreign key (tenant_id, account_id) references ledger.accounts,
  constraint credit_not_overdrawn check (may_be_in_debit or balance_cents <= 0)
);
select platform.protect('ledger.balances');

-- Debits and credits of a transaction are equal, per currency; looked at when it commits.
create function ledger.refuse_unbalanced() returns trigger language plpgsql as $$
begin
  if exists (
    select from ledger.postings
    where tenant_id = new.tenant_id and transaction_id = new.transaction_id
    group by currency having sum(amount_cents) <> 0
  ) then
    raise exception 'Ledger transaction % is out of balance', new.transaction_id
      using errcode = 'integrity_constraint_violation', constraint = 'postings_balance';
  end if;
  return null;
end $$;

create constraint trigger postings_balance after insert on ledger.postings
  deferrable initially deferred for each row execute function ledger.refuse_unbalanced();
