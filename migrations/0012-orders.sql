-- What was bought together: one checkout, one invoice, the services that come of it.

create schema orders;
select platform.open_schema('orders');

create sequence orders.numbers start 1001;
do $$ begin
  if exists (select from pg_roles where rolname = 'moorage_app') then
    grant usage on sequence orders.numbers to moorage_app;
  end if;
end $$;

create table orders.orders (
  tenant_id    uuid not null references tenants.tenants,
  id           uuid not null,
  number       text not null,
  user_id      uuid not null,
  invoice_id   uuid not null,
  total_cents  bigint not null check (total_cents >= 0),
  currency     text not null,
  -- Whether the customer asked for the service to begin before the time to withdraw is over.
  immediate_start boolean not null,
  created_at   timestamptz(3) not null,
  paid_at      timestamptz(3),
  fulfilled_at timestamptz(3),
  canceled_at  timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users,
  foreign key (tenant_id, invoice_id) references billing.invoices
);
create unique index one_order_per_number on orders.orders (tenant_id, number);
create index orders_of_user on orders.orders (tenant_id, user_id, id);
select platform.protect('orders.orders');

create table orders.order_items (
  tenant_id   uuid not null,
  id          uuid not null,
  order_id    uuid not null,
  product_id  uuid not null,
  plan_id     uuid not null,
  quantity    integer not null check (quantity > 0),
  total_cents bigint not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, order_id) references orders.orders,
  foreign key (tenant_id, product_id) references store.products,
  foreign key (tenant_id, plan_id) references store.plans
);
create index items_of_order on orders.order_items (tenant_id, order_id, id);
select platform.protect('orders.order_items');
