-- Services that a system of the host delivers: it is called with signed messages, and confirms them.
alter table store.products drop constraint products_delivery;
alter table store.products
  add constraint products_delivery check (delivery in ('server', 'manual', 'webhook', 'none')) not valid;
comment on column store.products.delivery is 'type: ''server'' | ''manual'' | ''webhook'' | ''none''';
alter table services.services drop constraint services_delivery;
alter table services.services
  add constraint services_delivery check (delivery in ('server', 'manual', 'webhook', 'none')) not valid;
comment on column services.services.delivery is 'type: ''server'' | ''manual'' | ''webhook'' | ''none''';

-- The system that delivers the services of a product. Its secret signs what it is sent, its token is what it
-- calls back with.
create table store.delivery_targets (
  tenant_id               uuid not null,
  product_id              uuid not null,
  url                     text not null,
  include_customer        boolean not null default false,
  confirm_hours           integer not null default 24 check (confirm_hours between 1 and 8760),
  sealed_secret           text,
  secret_end              text,
  token_hash              bytea,
  -- Those before the last change still count until then.
  sealed_previous_secret  text,
  previous_token_hash     bytea,
  previous_ends_at        timestamptz(3),
  -- When it last accepted a test since the address or the secret changed.
  tested_at               timestamptz(3),
  primary key (tenant_id, product_id),
  foreign key (tenant_id, product_id) references store.products on delete cascade,
  check (num_nonnulls(sealed_secret, secret_end, token_hash) in (0, 3)),
  check (num_nonnulls(sealed_previous_secret, previous_token_hash, previous_ends_at) in (0, 3))
);
select platform.protect('store.delivery_targets');

create table services.deliveries (
  tenant_id    uuid not null,
  -- Sent as `webhook-id` with every try.
  id           uuid not null,
  service_id   uuid not null,
  -- The product whose system is called.
  product_id   uuid not null,
  action       text not null check (action in ('create', 'change', 'suspend', 'resume', 'end')),
  -- The change of plan that it makes; null for one that undoes a change.
  upgrade_id   uuid,
  created_at   timestamptz(3) not null,
  -- Staff are notified then, unless it is confirmed.
  confirm_by   timestamptz(3) not null,
  alerted_at   timestamptz(3),
  -- How often it was sent since it began, or since staff sent it again.
  tries        integer not null default 0,
  next_at      timestamptz(3),
  lease_until  timestamptz(3),
  sent_at      timestamptz(3),
  accepted_at  timestamptz(3),
  done_at      timestamptz(3),
  failed_at    timestamptz(3),
  failure_code text,
  failure      text,
  canceled_at  timestamptz(3),
  -- What the system calls the service.
  reference    text,
  primary key (tenant_id, id),
  foreign key (tenant_id, service_id) references services.services on delete cascade,
  foreign key (tenant_id, upgrade_id) references services.upgrades on delete cascade,
  foreign key (tenant_id, product_id) references store.products,
  check (upgrade_id is null or action = 'change'),
  check (num_nonnulls(done_at, failed_at, canceled_at) <= 1),
  check ((failed_at is null) = (failure_code is null))
);
comment on column services.deliveries.action is
  'type: ''create'' | ''change'' | ''suspend'' | ''resume'' | ''end''';
comment on column services.deliveries.failure_code is
  'type: ''refused'' | ''not_done'' | ''unanswered''';
create unique index one_open_delivery_per_action on services.deliveries (tenant_id, service_id, action)
  where done_at is null and failed_at is null and canceled_at is null;
create index deliveries_of_service on services.deliveries (tenant_id, service_id, id);
create index deliveries_of_product on services.deliveries (tenant_id, product_id);
create index deliveries_of_upgrade on services.deliveries (tenant_id, upgrade_id)
  where upgrade_id is not null;
create index due_deliveries on services.deliveries (next_at)
  where next_at is not null and done_at is null and failed_at is null and canceled_at is null;
create index late_deliveries on services.deliveries (confirm_by)
  where alerted_at is null and done_at is null and failed_at is null and canceled_at is null;
create index alerted_deliveries on services.deliveries (tenant_id, service_id)
  where alerted_at is not null and done_at is null and failed_at is null and canceled_at is null;
select platform.protect('services.deliveries');

create table services.delivery_attempts (
  tenant_id   uuid not null,
  id          uuid not null,
  delivery_id uuid not null,
  started_at  timestamptz(3) not null,
  status_code integer,
  error       text,
  duration_ms integer not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, delivery_id) references services.deliveries on delete cascade
);
create index attempts_of_delivery on services.delivery_attempts (tenant_id, delivery_id, id);
select platform.protect('services.delivery_attempts');
