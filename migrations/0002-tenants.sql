-- Who sells: every other table that has a tenant hangs on these.

create schema tenants;
select platform.open_schema('tenants');

create table tenants.tenants (
  id         uuid primary key,
  name       text not null check (length(name) between 1 and 200),
  is_default boolean not null default false,
  brand      jsonb not null default '{}',
  seller     jsonb not null default '{}',
  created_at timestamptz(3) not null,
  closed_at  timestamptz(3)
);
comment on column tenants.tenants.brand is 'json: object';
comment on column tenants.tenants.seller is 'json: object';
create unique index one_default on tenants.tenants (is_default) where is_default;
select platform.open_table('tenants.tenants');

-- The host names a tenant's shop is reached under.
create table tenants.domains (
  host      text primary key check (host = lower(host)),
  tenant_id uuid not null references tenants.tenants
);
create index domains_of_tenant on tenants.domains (tenant_id);
select platform.open_table('tenants.domains');

create table tenants.settings (
  tenant_id  uuid not null references tenants.tenants,
  section    text not null,
  values     jsonb not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, section)
);
comment on column tenants.settings.values is 'json: Record<string, unknown>';
select platform.protect('tenants.settings');
