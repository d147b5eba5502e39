-- What a customer may have before money has arrived, and the consent to an immediate start.

alter table orders.orders
  -- Until when the order holds stock, places on panels and coupons; null for orders from before.
  add column held_until timestamptz(3),
  -- When the customer asked for an immediate start, and the text they agreed to.
  add column consented_at     timestamptz(3),
  add column consent_version  text,
  add column consent_language text,
  -- When an order without that consent is provisioned at the earliest; null starts with its payment.
  add column starts_at timestamptz(3);

-- Limits that staff set for one customer; a limit that is null is the shop's.
create table orders.allowances (
  tenant_id                  uuid not null,
  user_id                    uuid not null,
  max_open_services          integer check (max_open_services >= 0),
  max_open_orders            integer check (max_open_orders >= 0),
  open_orders_per_product    integer check (open_orders_per_product >= 0),
  max_held_units             integer check (max_held_units >= 0),
  changed_by                 uuid not null,
  changed_at                 timestamptz(3) not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users.users
);
select platform.protect('orders.allowances');

-- A paid service that begins when the time to withdraw is over (R4.8).
alter table services.services add column starts_at timestamptz(3);
