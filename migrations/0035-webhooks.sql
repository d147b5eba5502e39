-- What other systems are told: their addresses, the messages, and how each delivery goes.

create schema webhooks;
select platform.open_schema('webhooks');

create table webhooks.endpoints (
  tenant_id               uuid not null references tenants.tenants,
  id                      uuid not null,
  url                     text not null check (length(url) <= 2000),
  description             text,
  -- The types of events it hears; null for all, those to come included.
  types                   text[],
  -- Whether messages about one object go one after the other.
  ordered                 boolean not null,
  -- The keys that sign, sealed. The one before signs along until it ends.
  sealed_secret           text not null,
  secret_end              text not null check (length(secret_end) = 4),
  sealed_previous_secret  text,
  previous_secret_ends_at timestamptz(3),
  created_at              timestamptz(3) not null,
  disabled_at             timestamptz(3),
  disabled_reason         text check (disabled_reason in ('by_admin', 'gone', 'failing')),
  -- Nothing has arrived there since.
  failing_since           timestamptz(3),
  -- It asked to be left alone until then.
  paused_until            timestamptz(3),
  -- Its deliveries go in batches, and then the row.
  deleted_at              timestamptz(3),
  primary key (tenant_id, id),
  check ((sealed_previous_secret is null) = (previous_secret_ends_at is null)),
  check ((disabled_at is null) = (disabled_reason is null))
);
comment on column webhooks.endpoints.disabled_reason is 'type: ''by_admin'' | ''gone'' | ''failing''';
select platform.protect('webhooks.endpoints');

-- What happened, word for word as it is sent; one row for all the endpoints that hear of it.
create table webhooks.messages (
  tenant_id   uuid not null references tenants.tenants,
  -- The webhook-id that receivers see, the same at every try.
  id          uuid not null,
  type        text not null,
  -- The object it is about: what is ordered by, where somebody wants order.
  object_id   uuid,
  -- Whom it is about. The body names people by this id only.
  user_id     uuid,
  body        text not null,
  created_at  timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index messages_by_age on webhooks.messages (tenant_id, created_at);
create index messages_of_user on webhooks.messages (tenant_id, user_id, id) where user_id is not null;
select platform.protect('webhooks.messages');

create table webhooks.deliveries (
  tenant_id    uuid not null,
  id           uuid not null,
  endpoint_id  uuid not null,
  message_id   uuid not null,
  type         text not null,
  -- held: the endpoint was off when it happened; it goes when somebody replays it.
  status       text not null check (status in ('pending', 'held', 'delivered', 'failed')),
  -- Set where the endpoint wants order: messages with the same one go one after the other.
  ordering_key uuid,
  -- When it is tried next. Null for one that waits for the message before it, and once it has ended.
  next_at      timestamptz(3),
  -- Until when a process is at it; past that, another one takes it up.
  lease_until  timestamptz(3),
  -- Tries in all, and since it was last begun anew.
  attempts     integer not null default 0,
  tries        integer not null default 0,
  status_code  integer,
  error        text,
  created_at   timestamptz(3) not null,
  delivered_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, endpoint_id) references webhooks.endpoints,
  foreign key (tenant_id, message_id) references webhooks.messages on delete cascade,
  check (status = 'pending' or next_at is null)
);
comment on column webhooks.deliveries.status is
  'type: ''pending'' | ''held'' | ''delivered'' | ''failed''';
create unique index one_delivery_per_message on webhooks.deliveries (tenant_id, message_id, endpoint_id);
create index deliveries_of_endpoint on webhooks.deliveries (tenant_id, endpoint_id, id);
create index deliveries_by_status on webhooks.deliveries (tenant_id, endpoint_id, status, id);
create index deliveries_by_type on webhooks.deliveries (tenant_id, endpoint_id, type, id);
create index deliveries_due on webhooks.deliveries (tenant_id, endpoint_id, next_at)
  where next_at is not null;
create index deliveries_in_line on webhooks.deliveries (tenant_id, endpoint_id, ordering_key, message_id)
  where status = 'pending' and ordering_key is not null;
select platform.protect('webhooks.deliveries');

-- One row for every try, with what the receiver said.
create table webhooks.attempts (
  tenant_id     uuid not null,
  delivery_id   uuid not null,
  id            uuid not null,
  started_at    timestamptz(3) not null,
  duration_ms   integer not null,
  status_code   integer,
  error         text,
  -- The beginning of the answer.
  response_body text check (length(response_body) <= 4096),
  primary key (tenant_id, delivery_id, id),
  foreign key (tenant_id, delivery_id) references webhooks.deliveries on delete cascade
);
select platform.protect('webhooks.attempts');
