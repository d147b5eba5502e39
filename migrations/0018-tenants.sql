-- Shops can be suspended, their domains have an order, and row-level security keeps these tables too.

alter table tenants.tenants
  add column suspended_at timestamptz(3),
  add constraint default_stays_open
    check (not is_default or (suspended_at is null and closed_at is null));

-- The first domain is the one that stands in links.
alter table tenants.domains add column position smallint not null default 0 check (position >= 0);

-- A tenant is its own: its id is what is `tenant_id` elsewhere.
alter table tenants.tenants enable row level security;
alter table tenants.tenants force row level security;
create policy tenant on tenants.tenants
  using (id = (select platform.tenant()) or (select platform.sees_all()));

select platform.protect('tenants.domains');
