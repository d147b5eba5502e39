-- What customers have: services, the servers behind them, who shares them.

create schema services;
select platform.open_schema('services');

-- Facts, no status: paid, active, failed, suspended and ended follow from the instants.
create table services.services (
  tenant_id            uuid not null,
  id                   uuid not null,
  user_id              uuid not null,
  order_id             uuid not null,
  order_item_id        uuid not null,
  invoice_id           uuid not null,
  product_id           uuid not null,
  plan_id              uuid not null,
  name                 text not null check (length(name) between 1 and 200),
  environment          jsonb not null default '{}',
  -- What it costs from now on, and what its current period cost as a whole.
  price_cents          bigint not null check (price_cents >= 0),
  value_cents          bigint not null check (value_cents >= 0),
  currency             text not null,
  interval             text not null check (interval in ('one_time', 'hour', 'week', 'month', 'year')),
  interval_count       integer not null check (interval_count > 0),
  trial_days           integer not null default 0 check (trial_days >= 0),
  auto_renew           boolean not null default true,
  cancel_at_period_end boolean not null default false,
  scheduled_product_id uuid,
  scheduled_plan_id    uuid,
  anchor_at            timestamptz(3),
  current_period_start timestamptz(3),
  current_period_end   timestamptz(3),
  -- The server: our id is written before the panel is first asked, and never changes.
  external_id          text not null,
  node_id              uuid,
  server_id            integer,
  server_uuid          text,
  identifier           text,
  address              text,
  created_at           timestamptz(3) not null,
  paid_at              timestamptz(3),
  activated_at         timestamptz(3),
  failed_at            timestamptz(3),
  failure_code         text,
  failure_message      text,
  suspended_at         timestamptz(3),
  ended_at             timestamptz(3),
  end_reason           text check (end_reason in
    ('canceled', 'unpaid', 'terminated', 'refunded', 'fraud', 'completed')),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users,
  foreign key (tenant_id, invoice_id) references billing.invoices,
  foreign key (tenant_id, product_id) references store.products,
  foreign key (tenant_id, plan_id) references store.plans,
  check ((ended_at is null) = (end_reason is null)),
  check ((failed_at is null) = (failure_code is null)),
  check ((current_period_start is null) = (current_period_end is null)),
  check (activated_at is null or paid_at is not null)
);
comment on column services.services.environment is 'json: Record<string, string>';
comment on column services.services.interval is
  'type: ''one_time'' | ''hour'' | ''week'' | ''month'' | ''year''';
comment on column services.services.end_reason is
  'type: ''canceled'' | ''unpaid'' | ''terminated'' | ''refunded'' | ''fraud'' | ''completed''';
create unique index one_service_per_external_id on services.services (external_id);
create index services_of_user on services.services (tenant_id, user_id, id);
create index services_of_order on services.services (tenant_id, order_id, id);
create index services_of_invoice on services.services (tenant_id, invoice_id);
create index services_on_node on services.services (tenant_id, node_id);
create index services_of_product on services.services (tenant_id, product_id);
select platform.protect('services.services');

-- Who has a service: its owner, and those it is shared with.
create table services.members (
  tenant_id   uuid not null,
  user_id     uuid not null,
  service_id  uuid not null,
  role        text not null check (role in ('owner', 'member')),
  permissions text[] not null,
  created_at  timestamptz(3) not null,
  primary key (tenant_id, user_id, service_id),
  foreign key (tenant_id, service_id) references services.services,
  foreign key (tenant_id, user_id) references users.users
);
comment on column services.members.role is 'type: ''owner'' | ''member''';
create index members_of_service on services.members (tenant_id, service_id);
select platform.protect('services.members');

-- The way of a paid service to its server. Written before the panel is asked for anything.
create table services.provisioning (
  tenant_id       uuid not null,
  service_id      uuid not null,
  started_at      timestamptz(3) not null,
  attempt         integer not null default 0,
  placements      integer not null default 0,
  -- A create may have happened without our knowing since then.
  uncertain_since timestamptz(3),
  absent_at       timestamptz(3),
  -- The installation on the panel, once the server is there.
  watched_since   timestamptz(3),
  polls           integer not null default 0,
  reinstalls      integer not null default 0,
  next_at         timestamptz(3),
  lease_until     timestamptz(3),
  last_error      jsonb,
  alerted_at      timestamptz(3),
  done_at         timestamptz(3),
  primary key (tenant_id, service_id),
  foreign key (tenant_id, service_id) references services.services
);
comment on column services.provisioning.last_error is
  'json: { code: string; detail: string; at: Instant }';
create index provisioning_due on services.provisioning (next_at) where done_at is null;
select platform.protect('services.provisioning');

-- A customer's account on a panel: one for all of their servers there.
create table services.panel_accounts (
  tenant_id      uuid not null,
  node_id        uuid not null,
  user_id        uuid not null,
  external_id    text not null,
  remote_user_id integer,
  lease_until    timestamptz(3),
  primary key (tenant_id, node_id, user_id),
  foreign key (tenant_id, user_id) references users.users,
  foreign key (tenant_id, node_id) references panel.nodes
);
select platform.protect('services.panel_accounts');

-- A change to another product: paid first, then made on the panel.
create table services.upgrades (
  tenant_id    uuid not null,
  id           uuid not null,
  service_id   uuid not null,
  product_id   uuid not null,
  plan_id      uuid not null,
  invoice_id   uuid,
  price_cents  bigint not null,
  value_cents  bigint not null,
  created_at   timestamptz(3) not null,
  paid_at      timestamptz(3),
  applied_at   timestamptz(3),
  failed_at    timestamptz(3),
  failure_code text,
  canceled_at  timestamptz(3),
  attempt      integer not null default 0,
  next_at      timestamptz(3),
  lease_until  timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, service_id) references services.services,
  foreign key (tenant_id, invoice_id) references billing.invoices,
  foreign key (tenant_id, product_id) references store.products,
  foreign key (tenant_id, plan_id) references store.plans
);
create unique index one_open_upgrade_per_service on services.upgrades (tenant_id, service_id)
  where applied_at is null and failed_at is null and canceled_at is null;
create index upgrades_of_invoice on services.upgrades (tenant_id, invoice_id);
create index upgrades_due on services.upgrades (next_at)
  where paid_at is not null and applied_at is null and failed_at is null and canceled_at is null;
select platform.protect('services.upgrades');

create table services.invitations (
  tenant_id   uuid not null,
  id          uuid not null,
  service_id  uuid not null,
  invited_by  uuid not null,
  email       text not null check (email = lower(email)),
  permissions text[] not null,
  created_at  timestamptz(3) not null,
  expires_at  timestamptz(3) not null,
  accepted_at timestamptz(3),
  accepted_by uuid,
  declined_at timestamptz(3),
  revoked_at  timestamptz(3),
  sends       integer not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, service_id) references services.services,
  check ((accepted_at is null) = (accepted_by is null))
);
create unique index one_open_invitation_per_address
  on services.invitations (tenant_id, service_id, email)
  where accepted_at is null and declined_at is null and revoked_at is null;
create index invitations_of_service on services.invitations (tenant_id, service_id, id);
select platform.protect('services.invitations');
