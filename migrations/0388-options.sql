-- What buyers choose beside a plan (decision 213). Groups are offered with products. What is not offered any more is
-- archived: services refer to options and values by their ids.
create table store.option_groups (
  tenant_id   uuid not null,
  id          uuid not null,
  name        text not null,
  position    integer not null default 0,
  created_at  timestamptz(3) not null,
  archived_at timestamptz(3),
  primary key (tenant_id, id)
);
select platform.protect('store.option_groups');

create table store.option_group_products (
  tenant_id  uuid not null,
  group_id   uuid not null,
  product_id uuid not null,
  primary key (tenant_id, group_id, product_id),
  foreign key (tenant_id, group_id) references store.option_groups,
  foreign key (tenant_id, product_id) references store.products
);
create index option_groups_of_product
  on store.option_group_products (tenant_id, product_id, group_id);
select platform.protect('store.option_group_products');

create table store.options (
  tenant_id   uuid not null,
  id          uuid not null,
  group_id    uuid not null,
  key         text not null check (key ~ '^[a-z][a-z0-9_]{0,39}$'),
  kind        text not null check (kind in ('select', 'toggle', 'quantity', 'text')),
  name        text not null,
  description text,
  position    integer not null default 0,
  required    boolean not null default false,
  -- Chosen by staff only.
  hidden      boolean not null default false,
  -- May be chosen in a trial.
  trial       boolean not null default true,
  unit        text,
  min         integer check (min >= 0),
  max         integer check (max >= min and max <= 1000000),
  step        integer check (step >= 1),
  display     text check (display in ('slider', 'number')),
  price_mode  text check (price_mode in ('per_unit', 'graduated', 'volume')),
  max_length  integer check (max_length between 1 and 500),
  pattern     text,
  effect      jsonb,
  created_at  timestamptz(3) not null,
  archived_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, group_id) references store.option_groups,
  check (num_nonnulls(min, max, step, display, price_mode) = case when kind = 'quantity' then 5 else 0 end),
  check ((kind = 'text') = (max_length is not null))
);
comment on column store.options.kind is 'type: ''select'' | ''toggle'' | ''quantity'' | ''text''';
comment on column store.options.display is 'type: ''slider'' | ''number''';
comment on column store.options.price_mode is 'type: ''per_unit'' | ''graduated'' | ''volume''';
comment on column store.options.effect is 'json: { kind: ''resource''; amounts: { memoryMb?: number; diskMb?: number; cpuPercent?: number; swapMb?: number; databases?: number; backups?: number; allocations?: number; subdomains?: number } } | { kind: ''variable''; env: string; template: string } | { kind: ''image'' | ''startup''; label: string } | { kind: ''none'' }';
create unique index options_key on store.options (tenant_id, group_id, key) where archived_at is null;
create index options_in_order on store.options (tenant_id, group_id, position, id);
select platform.protect('store.options');

create table store.option_values (
  tenant_id     uuid not null,
  id            uuid not null,
  option_id     uuid not null,
  key           text not null check (key ~ '^[a-z][a-z0-9_]{0,39}$'),
  label         text not null,
  position      integer not null default 0,
  is_default    boolean not null default false,
  -- What can be sold; null: no limit.
  stock         integer check (stock between 0 and 1000000),
  -- A unit comes back when a service gives the value up.
  stock_returns boolean not null default true,
  -- Where it is sold; none: everywhere.
  location_ids  uuid[] not null default '{}',
  requires      jsonb not null default '[]',
  -- Null: that of the option.
  effect        jsonb,
  archived_at   timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, option_id) references store.options
);
comment on column store.option_values.requires is 'json: { key: string; values: string[] }[]';
comment on column store.option_values.effect is 'json: { kind: ''resource''; amounts: { memoryMb?: number; diskMb?: number; cpuPercent?: number; swapMb?: number; databases?: number; backups?: number; allocations?: number; subdomains?: number } } | { kind: ''variable''; env: string; template: string } | { kind: ''image'' | ''startup''; label: string } | { kind: ''none'' }';
create unique index option_values_key on store.option_values (tenant_id, option_id, key);
select platform.protect('store.option_values');

-- The tiers of a quantity, in order; the last one has no end.
create table store.option_tiers (
  tenant_id uuid not null,
  id        uuid not null,
  option_id uuid not null,
  position  integer not null,
  up_to     integer check (up_to >= 1),
  primary key (tenant_id, id),
  foreign key (tenant_id, option_id) references store.options
);
create unique index option_tiers_in_order on store.option_tiers (tenant_id, option_id, position);
select platform.protect('store.option_tiers');

-- Prices are of things that exist.
alter table store.component_prices
  add column option_id uuid generated always as (case when kind = 'option' then priced_id end) stored,
  add column value_id uuid generated always as (case when kind = 'value' then priced_id end) stored,
  add column tier_id uuid generated always as (case when kind = 'tier' then priced_id end) stored,
  add foreign key (tenant_id, option_id) references store.options,
  add foreign key (tenant_id, value_id) references store.option_values,
  add foreign key (tenant_id, tier_id) references store.option_tiers;
