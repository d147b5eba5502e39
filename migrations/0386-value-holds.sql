-- What orders hold of the stock of values of options, as `store.stock_holds` does of products. Values are archived and
-- never deleted.
create table store.value_holds (
  tenant_id   uuid not null,
  reference   uuid not null,
  value_id    uuid not null,
  quantity    integer not null check (quantity > 0),
  created_at  timestamptz(3) not null,
  held_until  timestamptz(3) not null,
  taken_at    timestamptz(3),
  released_at timestamptz(3),
  primary key (tenant_id, reference, value_id),
  check (taken_at is null or released_at is null)
);
create index value_holds_waiting
  on store.value_holds (held_until) where taken_at is null and released_at is null;
select platform.protect('store.value_holds');
