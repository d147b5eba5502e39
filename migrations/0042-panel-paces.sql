-- What work in bulk may still ask of a panel: one allowance for all processes.

create table panel.paces (
  tenant_id uuid not null,
  node_id   uuid not null,
  -- When all of the allowance is there again: each request that is taken moves it on.
  full_at   timestamptz(3) not null,
  primary key (tenant_id, node_id),
  foreign key (tenant_id, node_id) references panel.nodes
) with (fillfactor = 50);
select platform.protect('panel.paces');
