-- Places on panels that orders were promised, until their servers stand there.

create table panel.reservations (
  tenant_id    uuid not null,
  -- The server's, made by whoever orders it.
  id           uuid not null,
  -- The order.
  reference    uuid not null,
  node_id      uuid not null,
  location_ids text[] not null,
  memory_mb    bigint not null check (memory_mb >= 0),
  disk_mb      bigint not null check (disk_mb >= 0),
  cpu_percent  integer not null check (cpu_percent >= 0),
  -- Until when it waits for money; null once that has come.
  held_until   timestamptz(3),
  -- Its server is on the panel, which counts it from then on.
  placed_at    timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, node_id) references panel.nodes
);
create index reservations_of_order on panel.reservations (tenant_id, reference);
create index reservations_of_node on panel.reservations (tenant_id, node_id);
select platform.protect('panel.reservations');
