-- What every area's tables stand on.

grant usage on schema platform to public;

-- The tenant whose rows this session sees; null sees none.
create function platform.tenant() returns uuid
language sql stable parallel safe as $$
  select nullif(nullif(current_setting('moorage.tenant', true), '*'), '')::uuid
$$;

-- Whether this session sees the rows of all tenants.
create function platform.sees_all() returns boolean
language sql stable parallel safe as $$
  select current_setting('moorage.tenant', true) = '*'
$$;

-- Opens an area's schema to the application's role.
create function platform.open_schema(name text) returns void language plpgsql as $$
begin
  if exists (select from pg_roles where rolname = 'moorage_app') then
    execute format('grant usage on schema %I to moorage_app', name);
  end if;
end $$;

-- Gives the application its rights on a table: all of them, or only to add and to read.
create function platform.open_table(name regclass, append_only boolean default false)
returns void language plpgsql as $$
begin
  if exists (select from pg_roles where rolname = 'moorage_app') then
    execute format('grant select, insert on %s to moorage_app', name);
    if not append_only then
      execute format('grant update, delete on %s to moorage_app', name);
    end if;
  end if;
  if append_only then
    execute format(
      'create trigger append_only before update or delete on %s
         for each row execute function platform.refuse_change()', name);
  end if;
end $$;

-- A table that belongs to tenants: row-level security refuses what a query forgot.
create function platform.protect(name regclass, append_only boolean default false)
returns void language plpgsql as $$
begin
  perform platform.open_table(name, append_only);
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  -- As sub-selects the functions run once for a statement, not once for every row.
  execute format(
    'create policy tenant on %s
       using (tenant_id = (select platform.tenant()) or (select platform.sees_all()))', name);
end $$;

create function platform.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

select platform.open_schema('platform');
select platform.open_table('platform.migrations');

-- How far the clock was moved, so that a restart does not travel back. One row.
create table platform.clock (
  id        boolean primary key default true check (id),
  offset_ms bigint not null check (offset_ms >= 0)
);
select platform.open_table('platform.clock');

-- Answers kept for a repeated request. `effect_at` stands in the effect's own transaction.
create table platform.idempotency_keys (
  tenant_id    uuid not null,
  caller_id    uuid not null,
  key          text not null check (length(key) between 1 and 255),
  request_hash bytea not null,
  created_at   timestamptz(3) not null,
  locked_until timestamptz(3) not null,
  effect_at    timestamptz(3),
  status_code  integer,
  headers      jsonb,
  body         text,
  primary key (tenant_id, caller_id, key)
);
comment on column platform.idempotency_keys.headers is 'json: Record<string, string>';
create index idempotency_keys_by_age on platform.idempotency_keys (created_at);
select platform.protect('platform.idempotency_keys');
