-- How servers start, as their people want it; and who works on a server at the moment.

alter table services.services
  -- The labels of the egg's image and command that were chosen; null for its first.
  add column docker_image    text check (length(docker_image) between 1 and 500),
  add column startup_command text check (length(startup_command) between 1 and 500);

-- What a panel is to be told of how a server starts: the last wish of each service.
create table services.startup_changes (
  tenant_id       uuid not null,
  service_id      uuid not null,
  -- Another one with each wish.
  id              uuid not null,
  -- Only what is to change; empty once the panel was told, or has refused.
  environment     jsonb not null,
  docker_image    text,
  startup_command text,
  requested_at    timestamptz(3) not null,
  attempt         integer not null default 0 check (attempt >= 0),
  -- Null once it is over.
  next_at         timestamptz(3),
  applied_at      timestamptz(3),
  failed_at       timestamptz(3),
  last_error      jsonb,
  primary key (tenant_id, service_id),
  foreign key (tenant_id, service_id) references services.services,
  check (next_at is null or (applied_at is null and failed_at is null)),
  check (applied_at is null or failed_at is null)
);
comment on column services.startup_changes.environment is 'json: Record<string, string>';
comment on column services.startup_changes.last_error is
  'json: { code: string; detail: string; at: Instant }';
create index due_startup_changes on services.startup_changes (next_at) where next_at is not null;
select platform.protect('services.startup_changes');

-- One at a time works on what a server is made of: an upgrade, a repair, a change of how it starts.
create table services.server_leases (
  tenant_id  uuid not null,
  service_id uuid not null,
  holder     uuid not null,
  until      timestamptz(3) not null,
  primary key (tenant_id, service_id),
  foreign key (tenant_id, service_id) references services.services
);
select platform.protect('services.server_leases');

-- When somebody was last told that a server crashes: not at each of its crashes.
alter table panel.server_reports add column crash_told_at timestamptz(3);

-- What customers choose of how their server starts is part of how it is made.
comment on column store.products.provisioning is 'json: {
      eggId: string
      nodeIds: string[]
      locationIds: string[]
      limits: {
        memoryMb: number
        diskMb: number
        cpuPercent: number
        swapMb: number
        io: number
      }
      featureLimits: { databases: number; backups: number; allocations: number }
      environment: Record<string, string>
      choices?: { lockedVariables: string[]; dockerImage: boolean; startup: boolean }
    }';
