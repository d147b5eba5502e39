-- What is priced beside a plan: a location, an option, a value of an option or a tier of its quantities. Without a row
-- for a cycle and currency it is not sold in them; free is an explicit 0.
create table store.component_prices (
  tenant_id      uuid not null,
  kind           text not null check (kind in ('location', 'option', 'value', 'tier')),
  priced_id      uuid not null,
  interval       text not null check (interval in ('one_time', 'hour', 'week', 'month', 'year')),
  interval_count integer not null check (interval_count between 1 and 120),
  currency       text not null check (currency ~ '^[A-Z]{3}$'),
  -- A period; by the hour, at most a month.
  price_cents    bigint not null check (price_cents between 0 and 100000000),
  -- Once.
  fee_cents      bigint not null default 0 check (fee_cents between 0 and 100000000),
  -- An hour; 10 000 micros are a cent.
  price_micros   bigint check (price_micros between 0 and 1000000000000),
  location_id    uuid generated always as (case when kind = 'location' then priced_id end) stored,
  primary key (tenant_id, priced_id, kind, interval, interval_count, currency),
  foreign key (tenant_id, location_id) references panel.locations,
  check ((interval = 'hour') = (price_micros is not null))
);
comment on column store.component_prices.kind is
  'type: ''location'' | ''option'' | ''value'' | ''tier''';
comment on column store.component_prices.interval is
  'type: ''one_time'' | ''hour'' | ''week'' | ''month'' | ''year''';
select platform.protect('store.component_prices');
