-- What operators see and end: services that wait for somebody, panels that say something else than we
-- do, and reinstallations.

-- A server that was on a panel before becomes a service without an order: nothing was sold for it here.
alter table services.services
  alter column order_id drop not null,
  alter column order_item_id drop not null,
  alter column invoice_id drop not null,
  add check ((order_id is null) = (invoice_id is null)),
  add check ((order_id is null) = (order_item_id is null));
create unique index one_adoption_per_server on services.services (tenant_id, node_id, server_id)
  where order_id is null and ended_at is null;
create index servers_of_node on services.services (tenant_id, node_id, server_id)
  where server_id is not null;
create index services_failed on services.services (tenant_id, id)
  where failed_at is not null and activated_at is null and ended_at is null;
create index services_unmanaged on services.services (tenant_id, id)
  where server_id is not null and node_id is null and ended_at is null;
create index services_not_renewed on services.services (tenant_id, id)
  where renewal_failure is not null and ended_at is null;

alter table services.provisioning
  -- A first server is to be gone from there before another is made.
  add column leaving_node_id uuid,
  -- Where an operator wants it, instead of where its product says.
  add column location_ids    text[],
  -- The server is there already, and is yet to be given our external id.
  add column links_server    boolean not null default false;
create index provisioning_open on services.provisioning (tenant_id, service_id) where done_at is null;
create index transitions_open on services.transitions (tenant_id, service_id) where done_at is null;
create index upgrades_open on services.upgrades (tenant_id, service_id)
  where paid_at is not null and applied_at is null and failed_at is null and canceled_at is null;

-- The last comparison of a panel with our services; it goes on where its process died.
create table services.drift_reports (
  tenant_id      uuid not null,
  node_id        uuid not null,
  -- Another comparison of the same panel has another one.
  id             uuid not null,
  started_at     timestamptz(3) not null,
  next_page      integer not null default 1,
  -- Servers up to here were compared.
  last_server_id bigint not null default 0,
  servers        integer not null default 0,
  next_at        timestamptz(3),
  lease_until    timestamptz(3),
  attempt        integer not null default 0,
  last_error     jsonb,
  finished_at    timestamptz(3),
  primary key (tenant_id, node_id),
  foreign key (tenant_id, node_id) references panel.nodes
);
comment on column services.drift_reports.last_error is
  'json: { code: string; detail: string; at: Instant }';
create index drift_reports_due on services.drift_reports (next_at) where finished_at is null;
select platform.protect('services.drift_reports');

create table services.drift_findings (
  tenant_id        uuid not null,
  id               uuid not null,
  node_id          uuid not null,
  kind             text not null check (kind in
    ('orphan', 'unknown', 'missing', 'limits', 'suspension', 'owner', 'unattached')),
  server_id        bigint,
  service_id       uuid,
  -- What a person needs to tell them apart: how it is called on the panel.
  server_name      text,
  external_id      text,
  expected         jsonb,
  found            jsonb,
  found_at         timestamptz(3) not null,
  repair_wanted_at timestamptz(3),
  repaired_at      timestamptz(3),
  repair_error     jsonb,
  primary key (tenant_id, id),
  foreign key (tenant_id, node_id) references services.drift_reports on delete cascade,
  foreign key (tenant_id, service_id) references services.services,
  check (server_id is not null or service_id is not null)
);
comment on column services.drift_findings.kind is
  'type: ''orphan'' | ''unknown'' | ''missing'' | ''limits'' | ''suspension'' | ''owner'' | ''unattached''';
comment on column services.drift_findings.expected is 'json: Record<string, unknown>';
comment on column services.drift_findings.found is 'json: Record<string, unknown>';
comment on column services.drift_findings.repair_error is
  'json: { code: string; detail: string; at: Instant }';
create index drift_of_node on services.drift_findings (tenant_id, node_id, kind, id);
create index drift_of_service on services.drift_findings (tenant_id, service_id)
  where service_id is not null;
select platform.protect('services.drift_findings');

-- The last reinstallation of a server, followed on its panel until it has ended.
create table services.reinstalls (
  tenant_id   uuid not null,
  service_id  uuid not null,
  -- Another one of the same service has another id.
  id          uuid not null,
  started_at  timestamptz(3) not null,
  -- When the panel took it; without, nobody knows whether it did.
  asked_at    timestamptz(3),
  polls       integer not null default 0,
  next_at     timestamptz(3),
  finished_at timestamptz(3),
  outcome     text check (outcome in ('done', 'failed', 'unknown')),
  primary key (tenant_id, service_id),
  foreign key (tenant_id, service_id) references services.services,
  check ((finished_at is null) = (outcome is null))
);
comment on column services.reinstalls.outcome is 'type: ''done'' | ''failed'' | ''unknown''';
create index reinstalls_due on services.reinstalls (next_at) where finished_at is null;
select platform.protect('services.reinstalls');
