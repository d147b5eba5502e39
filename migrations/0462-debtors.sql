-- The number of each customer in the books of an accountant: given once, in order, and never to another customer.
create table ledger.debtors (
  tenant_id uuid not null references tenants.tenants,
  user_id   uuid not null,
  number    integer not null check (number > 0),
  primary key (tenant_id, user_id)
);
create unique index one_debtor_per_number on ledger.debtors (tenant_id, number);
select platform.protect('ledger.debtors', true);
