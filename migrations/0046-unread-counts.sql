-- How many notifications each person has not read, so that counting them costs the same however many
-- there are. Who writes takes together what is there for a person and nobody else is changing, and adds
-- their own: mostly that is one row. Two who write at once leave two, so nobody waits for anybody.

create table notifications.unread_counts (
  tenant_id uuid not null,
  user_id   uuid not null,
  id        bigint not null generated always as identity,
  unread    integer not null check (unread <> 0),
  primary key (tenant_id, user_id, id) include (unread)
) with (autovacuum_vacuum_scale_factor = 0.05);
select platform.protect('notifications.unread_counts');

create function notifications.count_unread(tenant_ids uuid[], user_ids uuid[], changes integer[])
returns void language sql as $$
  with change as (
    select * from unnest(tenant_ids, user_ids, changes) as it (tenant_id, user_id, unread)
  ), free as (
    select own.tenant_id, own.user_id, own.id
    from notifications.unread_counts own
    join change on change.tenant_id = own.tenant_id and change.user_id = own.user_id
    for update of own skip locked
  ), taken as (
    delete from notifications.unread_counts own using free
    where own.tenant_id = free.tenant_id and own.user_id = free.user_id and own.id = free.id
    returning own.tenant_id, own.user_id, own.unread
  )
  insert into notifications.unread_counts (tenant_id, user_id, unread)
  select tenant_id, user_id, sum(unread)
  from (select * from change union all select * from taken) parts
  group by tenant_id, user_id
  having sum(unread) <> 0
$$;

create function notifications.count_added() returns trigger language plpgsql as $$
begin
  perform notifications.count_unread(
      array_agg(tenant_id), array_agg(user_id), array_agg(unread))
  from (
    select tenant_id, user_id, count(*)::integer as unread
    from added where in_app and read_at is null group by tenant_id, user_id
  ) people
  having count(*) > 0;
  return null;
end $$;
create trigger count_added after insert on notifications.notifications
  referencing new table as added
  for each statement execute function notifications.count_added();

create function notifications.count_changed() returns trigger language plpgsql as $$
begin
  perform notifications.count_unread(
      array_agg(tenant_id), array_agg(user_id), array_agg(unread))
  from (
    select tenant_id, user_id, sum(unread)::integer as unread
    from (
      select tenant_id, user_id, 1 as unread from changed where in_app and read_at is null
      union all
      select tenant_id, user_id, -1 from before where in_app and read_at is null
    ) parts
    group by tenant_id, user_id
    having sum(unread) <> 0
  ) people
  having count(*) > 0;
  return null;
end $$;
create trigger count_changed after update on notifications.notifications
  referencing old table as before new table as changed
  for each statement execute function notifications.count_changed();

create function notifications.count_deleted() returns trigger language plpgsql as $$
begin
  perform notifications.count_unread(
      array_agg(tenant_id), array_agg(user_id), array_agg(unread))
  from (
    select tenant_id, user_id, -count(*)::integer as unread
    from gone where in_app and read_at is null group by tenant_id, user_id
  ) people
  having count(*) > 0;
  return null;
end $$;
create trigger count_deleted after delete on notifications.notifications
  referencing old table as gone
  for each statement execute function notifications.count_deleted();

insert into notifications.unread_counts (tenant_id, user_id, unread)
select tenant_id, user_id, count(*)
from notifications.notifications
where in_app and read_at is null
group by tenant_id, user_id;
