-- What the daemons of game machines say: their tokens, what they reported of servers, who did what.

-- A daemon's credential. A relayed one is the panel's own, given to us; the other kind we made.
create table panel.daemon_tokens (
  tenant_id    uuid not null references tenants.tenants,
  id           uuid not null,
  node_id      uuid not null,
  -- What machine it is for: a new token of the same one takes the place of those before it.
  machine      text not null check (length(machine) between 1 and 200),
  mode         text not null check (mode in ('relay', 'report')),
  token_id     text not null check (length(token_id) = 16),
  hash         bytea not null,
  created_at   timestamptz(3) not null,
  expires_at   timestamptz(3),
  last_used_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, node_id) references panel.nodes,
  constraint one_daemon_per_token_id unique (tenant_id, token_id)
);
comment on column panel.daemon_tokens.mode is 'type: ''relay'' | ''report''';
create index daemon_tokens_of_node on panel.daemon_tokens (tenant_id, node_id, id);
select platform.protect('panel.daemon_tokens');

-- The last that was heard of each server. What is decided from it is decided by asking the panel.
create table panel.server_reports (
  tenant_id          uuid not null,
  node_id            uuid not null,
  server_uuid        text not null check (length(server_uuid) = 36),
  -- The machine that was last seen to install it.
  machine            text,
  install_started_at timestamptz(3),
  install_ended_at   timestamptz(3),
  install_successful boolean,
  reinstall          boolean,
  -- The daemon started anew in the middle of an installation.
  interrupted_at     timestamptz(3),
  state              text check (state in ('offline', 'starting', 'running', 'stopping')),
  state_at           timestamptz(3),
  started_at         timestamptz(3),
  crashed_at         timestamptz(3),
  primary key (tenant_id, node_id, server_uuid),
  foreign key (tenant_id, node_id) references panel.nodes,
  check ((install_ended_at is null) = (install_successful is null)),
  check ((state is null) = (state_at is null))
);
comment on column panel.server_reports.state is
  'type: ''offline'' | ''starting'' | ''running'' | ''stopping''';
select platform.protect('panel.server_reports');

-- What people did on servers, for thirty days. Daemons deliver at least once.
create table panel.activity (
  tenant_id   uuid not null,
  id          uuid not null,
  node_id     uuid not null,
  server_uuid text not null check (length(server_uuid) = 36),
  fingerprint bytea not null,
  event       text not null check (length(event) between 1 and 100),
  -- Who it was, by the panel's id; null for the machine itself.
  panel_user  text check (length(panel_user) = 36),
  ip          text check (length(ip) <= 45),
  metadata    jsonb not null,
  happened_at timestamptz(3) not null,
  -- As the daemon wrote it: it counts nanoseconds.
  happened    text not null check (length(happened) <= 40),
  received_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, node_id) references panel.nodes,
  constraint delivered_once unique (tenant_id, node_id, fingerprint)
);
comment on column panel.activity.metadata is 'json: Record<string, unknown>';
create index activity_of_server on panel.activity (tenant_id, server_uuid, id);
create index activity_of_panel_user on panel.activity (tenant_id, panel_user)
  where panel_user is not null;
create index activity_by_age on panel.activity (received_at);
select platform.protect('panel.activity');

-- Daemons name servers by the panel's id.
create index services_by_server on services.services (tenant_id, server_uuid)
  where server_uuid is not null;
