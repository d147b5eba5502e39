-- Game panels: the connections to them, and the eggs (server templates) they offer.

create schema panel;
select platform.open_schema('panel');

-- A connection to a panel. Its keys are sealed, bound to this row, and gone when it is deleted.
create table panel.nodes (
  tenant_id             uuid not null references tenants.tenants,
  id                    uuid not null,
  name                  text not null check (length(name) between 1 and 200),
  url                   text not null check (length(url) between 1 and 500),
  type                  text not null check (type in ('auto', 'pterodactyl', 'pelican')),
  -- What answered, where the type is left to be found out.
  detected_type         text check (detected_type in ('pterodactyl', 'pelican')),
  sealed_api_key        text,
  masked_api_key        text,
  sealed_client_api_key text,
  masked_client_api_key text,
  -- Another address, another key, or a test that went well after a refusal: what processes
  -- remember of the connection is of an earlier version then.
  version               integer not null default 1,
  status                text not null default 'unknown'
                        check (status in ('unknown', 'ok', 'unreachable', 'unauthorized')),
  tested_at             timestamptz(3),
  -- The sync of eggs that runs, and until when it is believed to.
  sync_id               uuid,
  sync_until            timestamptz(3),
  created_at            timestamptz(3) not null,
  deleted_at            timestamptz(3),
  primary key (tenant_id, id),
  check ((deleted_at is null) = (sealed_api_key is not null)),
  check ((sealed_api_key is null) = (masked_api_key is null)),
  check ((sealed_client_api_key is null) = (masked_client_api_key is null)),
  check (sealed_client_api_key is null or deleted_at is null),
  check ((sync_id is null) = (sync_until is null))
);
comment on column panel.nodes.type is 'type: ''auto'' | ''pterodactyl'' | ''pelican''';
comment on column panel.nodes.detected_type is 'type: ''pterodactyl'' | ''pelican''';
comment on column panel.nodes.status is
  'type: ''unknown'' | ''ok'' | ''unreachable'' | ''unauthorized''';
create index nodes_in_use on panel.nodes (tenant_id, id) where deleted_at is null;
select platform.protect('panel.nodes');

-- Eggs in one form. What a panel no longer has is archived: products and services refer to it.
create table panel.eggs (
  tenant_id        uuid not null references tenants.tenants,
  id               uuid not null,
  source           text not null check (source in ('panel', 'file')),
  node_id          uuid,
  remote_id        bigint,
  uuid             text,
  name             text not null,
  author           text,
  description      text not null,
  tags             jsonb not null,
  features         jsonb not null,
  docker_images    jsonb not null,
  startup_commands jsonb not null,
  stop             text not null,
  done_markers     jsonb not null,
  variables        jsonb not null,
  update_url       text,
  content_hash     text not null,
  created_at       timestamptz(3) not null,
  updated_at       timestamptz(3) not null,
  archived_at      timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, node_id) references panel.nodes,
  check ((source = 'panel') = (node_id is not null)),
  check ((node_id is null) = (remote_id is null)),
  constraint one_egg_per_remote_id unique (tenant_id, node_id, remote_id)
);
comment on column panel.eggs.source is 'type: ''panel'' | ''file''';
comment on column panel.eggs.tags is 'json: string[]';
comment on column panel.eggs.features is 'json: string[]';
comment on column panel.eggs.docker_images is 'json: { label: string; image: string }[]';
comment on column panel.eggs.startup_commands is 'json: { label: string; command: string }[]';
comment on column panel.eggs.done_markers is 'json: string[]';
comment on column panel.eggs.variables is 'json: {
      env: string
      name: string
      description: string
      default: string
      rules: string[]
      viewable: boolean
      editable: boolean
      sort: number
    }[]';
-- One file is kept once, however often it is imported.
create unique index one_egg_per_file on panel.eggs (tenant_id, content_hash) where source = 'file';
create index eggs_of_node on panel.eggs (tenant_id, node_id, id);
create index eggs_on_offer on panel.eggs (tenant_id, id) where archived_at is null;
select platform.protect('panel.eggs');
