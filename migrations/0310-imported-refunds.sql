-- Refunds of payments that another system received, as staff notes them.
create table billing.imported_refunds (
  tenant_id    uuid not null,
  id           uuid not null,
  payment_id   uuid not null,
  user_id      uuid not null,
  -- Where the money left; null for an account that no gateway stands for.
  gateway_id   uuid,
  amount_cents bigint not null check (amount_cents > 0),
  currency     text not null check (currency ~ '^[A-Z]{3}$'),
  -- The id at the bank or provider. One refund is noted once.
  reference    text,
  reason       text not null,
  created_at   timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users,
  foreign key (tenant_id, gateway_id) references billing.gateways
);
create unique index one_imported_refund_per_reference
  on billing.imported_refunds (tenant_id, payment_id, reference);
create index imported_refunds_of_user on billing.imported_refunds (tenant_id, user_id, id);
select platform.protect('billing.imported_refunds');
-- Payments are removed by the hundred thousand when an import is undone.
select platform.refer('billing.imported_refunds', 'payment_id', 'billing.imported_payments');
