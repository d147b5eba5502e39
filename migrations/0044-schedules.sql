-- Work that the time drives: one row for each kind, which a process holds while it does it. Times are
-- the machine's; what is due is found by the work itself, with the clock of the service.
create table platform.schedules (
  name        text primary key,
  id          uuid not null unique default gen_random_uuid(),
  due_at      timestamptz(3) not null default now(),
  holder      uuid,
  lease_until timestamptz(3),
  -- Failures since it last ended well, and what the last one said.
  failures    integer not null default 0 check (failures >= 0),
  failed_at   timestamptz(3),
  error       text,
  check ((holder is null) = (lease_until is null)),
  check ((failures = 0) = (failed_at is null) and (failures = 0) = (error is null))
);
select platform.open_table('platform.schedules');
