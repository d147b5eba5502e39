-- Services, orders and affiliates of another system.

alter table services.services add column imported jsonb;
comment on column services.services.imported is
  'json: { importId: string; status: string; cycle: string; firstCents: number; amountCents: number; quantity: number }';
-- What came from another system is not renewed before somebody begins to.
create index services_imported on services.services (tenant_id, id) where imported is not null;

-- What was ordered there, for who looks it up. Nothing follows from it here.
create table orders.imported_orders (
  tenant_id    uuid not null,
  id           uuid not null,
  import_id    uuid not null,
  user_id      uuid not null,
  number       text not null,
  status       text not null,
  amount_cents bigint not null,
  currency     text not null check (currency ~ '^[A-Z]{3}$'),
  invoice_id   uuid,
  ordered_at   timestamptz(3),
  created_at   timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users,
  foreign key (tenant_id, invoice_id) references billing.invoices
);
create index imported_orders_of_user on orders.imported_orders (tenant_id, user_id, id);
create index imported_orders_of_import on orders.imported_orders (tenant_id, import_id);
select platform.protect('orders.imported_orders', true);
