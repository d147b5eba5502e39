-- How many services of a tenant are in each state on each panel connection, so that the dashboard does not count them.
-- A change adds its difference and merges the rows that no other transaction holds: mostly one row is left for each
-- state and connection. Concurrent changes leave several, and none waits for another.

-- The rules' statusOf.
create function services.status_of(service services.services) returns text language sql immutable as $$
  select case
    when service.ended_at is not null then 'ended'
    when service.suspended_at is not null then 'suspended'
    when service.activated_at is not null then 'active'
    when service.failed_at is not null then 'failed'
    when service.paid_at is not null then 'provisioning'
    else 'pending' end
$$;

create table services.counts (
  tenant_id uuid not null,
  -- A panel connection; all zeros for services without one.
  node      uuid not null,
  status    text not null,
  id        bigint not null generated always as identity,
  services  integer not null check (services <> 0),
  primary key (tenant_id, node, status, id) include (services)
) with (autovacuum_vacuum_scale_factor = 0.05);
select platform.protect('services.counts');

create function services.add_to_counts(
  tenant_ids uuid[], nodes uuid[], statuses text[], changes integer[])
returns void language sql as $$
  with change as (
    select tenant_id, coalesce(node, '00000000-0000-0000-0000-000000000000') as node, status,
      sum(services) as services
    from unnest(tenant_ids, nodes, statuses, changes) as it (tenant_id, node, status, services)
    group by 1, 2, 3 having sum(services) <> 0
  ), free as (
    select own.tenant_id, own.node, own.status, own.id
    from services.counts own
    join change on change.tenant_id = own.tenant_id and change.node = own.node
      and change.status = own.status
    for update of own skip locked
  ), taken as (
    delete from services.counts own using free
    where own.tenant_id = free.tenant_id and own.node = free.node and own.status = free.status
      and own.id = free.id
    returning own.tenant_id, own.node, own.status, own.services
  )
  insert into services.counts (tenant_id, node, status, services)
  select tenant_id, node, status, sum(services)
  from (select * from change union all select * from taken) parts
  group by tenant_id, node, status
  having sum(services) <> 0
$$;

create function services.count_added() returns trigger language plpgsql as $$
begin
  perform services.add_to_counts(
      array_agg(tenant_id), array_agg(node_id), array_agg(status), array_agg(services))
  from (
    select tenant_id, node_id, services.status_of(added::services.services) as status,
      count(*)::integer as services
    from added group by 1, 2, 3
  ) as counted
  having count(*) > 0;
  return null;
end $$;
create trigger count_added after insert on services.services
  referencing new table as added
  for each statement execute function services.count_added();

create function services.count_removed() returns trigger language plpgsql as $$
begin
  perform services.add_to_counts(
      array_agg(tenant_id), array_agg(node_id), array_agg(status), array_agg(services))
  from (
    select tenant_id, node_id, services.status_of(removed::services.services) as status,
      -count(*)::integer as services
    from removed group by 1, 2, 3
  ) as counted
  having count(*) > 0;
  return null;
end $$;
create trigger count_removed after delete on services.services
  referencing old table as removed
  for each statement execute function services.count_removed();

-- Most updates of a service change neither its state nor its connection, and call nothing.
create function services.count_moved() returns trigger language plpgsql as $$
begin
  perform services.add_to_counts(
    array[old.tenant_id, new.tenant_id], array[old.node_id, new.node_id],
    array[services.status_of(old), services.status_of(new)], array[-1, 1]);
  return null;
end $$;
create trigger count_moved after update on services.services
  for each row
  when (old.node_id is distinct from new.node_id
    or services.status_of(old) <> services.status_of(new))
  execute function services.count_moved();

insert into services.counts (tenant_id, node, status, services)
select tenant_id, coalesce(node_id, '00000000-0000-0000-0000-000000000000'),
  services.status_of(service), count(*)
from services.services as service
group by 1, 2, 3;
