-- Configurable options of another system, as they are staged, and what services have of them.
create table imports.staged_option_groups (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  name       text,
  outcome    text,
  reason     text,
  target_id  uuid
);
select platform.protect('imports.staged_option_groups');
alter table imports.staged_option_groups replica identity full;
create index staged_option_groups_by_import on imports.staged_option_groups using brin (import_id);

-- The products with which groups are offered.
create table imports.staged_option_links (
  tenant_id    uuid not null,
  import_id    uuid not null,
  row_number   bigint not null,
  source_id    bigint not null,
  option_group bigint,
  product      bigint,
  outcome      text,
  reason       text,
  target_id    uuid
);
select platform.protect('imports.staged_option_links');
alter table imports.staged_option_links replica identity full;
create index staged_option_links_by_import on imports.staged_option_links using brin (import_id);

create table imports.staged_options (
  tenant_id    uuid not null,
  import_id    uuid not null,
  row_number   bigint not null,
  source_id    bigint not null,
  option_group bigint,
  key          text,
  name         text,
  kind         text,
  minimum      bigint,
  maximum      bigint,
  position     bigint,
  hidden       boolean,
  outcome      text,
  reason       text,
  target_id    uuid
);
select platform.protect('imports.staged_options');
alter table imports.staged_options replica identity full;
create index staged_options_by_import on imports.staged_options using brin (import_id);

create table imports.staged_option_values (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  option     bigint,
  key        text,
  name       text,
  position   bigint,
  hidden     boolean,
  outcome    text,
  reason     text,
  target_id  uuid
);
select platform.protect('imports.staged_option_values');
alter table imports.staged_option_values replica identity full;
create index staged_option_values_by_import on imports.staged_option_values using brin (import_id);

create table imports.staged_service_options (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  service    bigint,
  option     bigint,
  value      bigint,
  quantity   bigint,
  outcome    text,
  reason     text,
  target_id  uuid
);
select platform.protect('imports.staged_service_options');
alter table imports.staged_service_options replica identity full;
create index staged_service_options_by_import on imports.staged_service_options using brin (import_id);

-- The components of a service, its choices as text for comparison with the next dump, and whether the prices of its
-- options are more than what it costs.
alter table imports.staged_services
  add column components jsonb,
  add column choices text,
  add column options_exceed boolean;

-- Undoing an import gives services back the options that they had before a newer dump changed them.
create or replace function services.restore_imported(tenant uuid, at timestamptz, before jsonb[]) returns void
language plpgsql security definer set search_path = '' set imports.undoing = 'on' as $$
begin
  delete from services.recurring
  where tenant_id = tenant and created_at = at
    and service_id in (select (row ->> 'id')::uuid from unnest(before) as row);
  update services.services as service
  set product_id = old.product_id, plan_id = old.plan_id, name = old.name,
    price_cents = old.price_cents, value_cents = old.value_cents, components = old.components,
    interval = old.interval,
    interval_count = old.interval_count, anchor_at = old.anchor_at,
    current_period_start = old.current_period_start, current_period_end = old.current_period_end,
    invoiced_to = old.invoiced_to, paid_at = old.paid_at, activated_at = old.activated_at,
    suspended_at = old.suspended_at, suspend_reasons = old.suspend_reasons,
    ended_at = old.ended_at, end_reason = old.end_reason, coupons = old.coupons,
    imported = old.imported
  from unnest(before) as row
  cross join lateral jsonb_populate_record(null::services.services, row) as old
  where service.tenant_id = tenant and old.tenant_id = tenant and service.id = old.id;
end $$;
