-- Incidents and planned maintenance: what a shop tells those whose services are affected.
create schema incidents;
select platform.open_schema('incidents');

create table incidents.incidents (
  tenant_id    uuid not null,
  id           uuid not null,
  kind         text not null check (kind in ('incident', 'maintenance')),
  impact       text not null check (impact in ('none', 'minor', 'major', 'critical')),
  -- By language: {"en": "Network failure"}.
  titles       jsonb not null,
  -- Services on one of these panel connections, in one of these locations or of one of these products are affected.
  node_ids     uuid[] not null default '{}',
  location_ids uuid[] not null default '{}',
  product_ids  uuid[] not null default '{}',
  starts_at    timestamptz(3) not null,
  -- The planned end of maintenance.
  ends_at      timestamptz(3),
  -- What the latest update of an incident says; the status of maintenance follows from its times.
  state        text check (state in ('investigating', 'identified', 'monitoring', 'resolved')),
  created_at   timestamptz(3) not null,
  published_at timestamptz(3),
  resolved_at  timestamptz(3),
  canceled_at  timestamptz(3),
  primary key (tenant_id, id),
  check ((kind = 'maintenance') = (ends_at is not null)),
  check (ends_at > starts_at),
  check (kind = 'incident' or state is null)
);
create index published_incidents on incidents.incidents (tenant_id, starts_at, id)
  where published_at is not null;
-- Those that may be over: an incident without a planned end is over only once that is set.
create index past_incidents on incidents.incidents (tenant_id, starts_at, id)
  where published_at is not null and (resolved_at is not null or canceled_at is not null or ends_at is not null);
create index open_incidents on incidents.incidents (tenant_id, starts_at, id)
  where published_at is not null and resolved_at is null and canceled_at is null;
create index maintenance_to_end on incidents.incidents (ends_at)
  where kind = 'maintenance' and published_at is not null and resolved_at is null and canceled_at is null;
comment on column incidents.incidents.kind is 'type: ''incident'' | ''maintenance''';
comment on column incidents.incidents.impact is 'type: ''none'' | ''minor'' | ''major'' | ''critical''';
comment on column incidents.incidents.state is
  'type: ''investigating'' | ''identified'' | ''monitoring'' | ''resolved''';
comment on column incidents.incidents.titles is 'json: Record<string, string>';
select platform.protect('incidents.incidents');

-- What was said of an incident. It never changes; only how far its customers have been notified does.
create table incidents.updates (
  tenant_id   uuid not null,
  id          uuid not null,
  incident_id uuid not null,
  state       text not null check (state in ('investigating', 'identified', 'monitoring', 'resolved',
                                             'scheduled', 'in_progress', 'completed', 'canceled')),
  texts       jsonb not null,
  author_id   uuid not null,
  created_at  timestamptz(3) not null,
  -- Whether the affected customers are notified; up to which of them they were.
  notify      boolean not null,
  notified_up_to  uuid,
  notified_count integer not null default 0,
  finished_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, incident_id) references incidents.incidents
);
create index updates_of_incident on incidents.updates (tenant_id, incident_id, id);
comment on column incidents.updates.state is
  'type: ''investigating'' | ''identified'' | ''monitoring'' | ''resolved'' | ''scheduled'' | ''in_progress'' | ''completed'' | ''canceled''';
comment on column incidents.updates.texts is 'json: Record<string, string>';
select platform.protect('incidents.updates');

-- Who was notified of an update: once each, also if the update reaches further customers later.
create table incidents.notified (
  tenant_id  uuid not null,
  update_id  uuid not null,
  user_id    uuid not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, update_id, user_id),
  foreign key (tenant_id, update_id) references incidents.updates,
  foreign key (tenant_id, user_id) references users.users (tenant_id, id)
);
create index notified_customers on incidents.notified (tenant_id, user_id);
select platform.protect('incidents.notified');
