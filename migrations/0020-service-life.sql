-- The life of a service: recurring billing, suspension and ending.

alter table services.services
  -- The price of an hour, for plans that are metered.
  add column price_micros        bigint check (price_micros >= 0),
  -- A setup fee that is still to be charged: with the first paid period after a trial.
  add column setup_fee_cents     bigint not null default 0 check (setup_fee_cents >= 0),
  -- Coupons as their terms were when the service was ordered.
  add column coupons             jsonb not null default '[]',
  -- Whether the customer asked for the service to begin before the time to withdraw is over.
  add column immediate_start     boolean not null default false,
  -- Where the last invoiced period ends and the next one starts.
  add column invoiced_to         timestamptz(3),
  add column next_invoice_at     timestamptz(3),
  -- Why the last renewal could not be invoiced.
  add column renewal_failure     text,
  -- Why the server is to be suspended; empty: it is to run.
  add column suspend_reasons     text[] not null default '{}',
  add column cancel_reason       text,
  add column end_wanted_at       timestamptz(3),
  add column end_wanted_reason   text check (end_wanted_reason in
    ('canceled', 'unpaid', 'terminated', 'refunded', 'fraud', 'completed')),
  -- Whether the server stays, suspended, for some days after the end.
  add column end_keeps_data      boolean not null default false,
  add column delete_server_at    timestamptz(3),
  add column server_deleted_at   timestamptz(3),
  add check ((end_wanted_at is null) = (end_wanted_reason is null)),
  add check (suspend_reasons <@ array['unpaid', 'admin', 'dispute']);
comment on column services.services.coupons is 'json: Record<string, unknown>[]';
comment on column services.services.end_wanted_reason is
  'type: ''canceled'' | ''unpaid'' | ''terminated'' | ''refunded'' | ''fraud'' | ''completed''';

-- Services that exist: the run works out exactly when their next invoice is due.
update services.services
set invoiced_to = current_period_end, next_invoice_at = current_period_end - interval '14 days'
where current_period_end is not null and ended_at is null;

create index services_to_invoice on services.services (next_invoice_at)
  where next_invoice_at is not null and ended_at is null;
create index services_by_period_end on services.services (current_period_end)
  where current_period_end is not null and ended_at is null;
create index services_to_delete on services.services (delete_server_at)
  where delete_server_at is not null and server_deleted_at is null;

-- Periods that were invoiced, or given for nothing, and what is done about unpaid ones.
create table services.periods (
  tenant_id      uuid not null,
  id             uuid not null,
  service_id     uuid not null,
  starts_at      timestamptz(3) not null,
  ends_at        timestamptz(3) not null check (ends_at > starts_at),
  -- Null for a trial, which has none.
  invoice_id     uuid,
  product_id     uuid not null,
  plan_id        uuid not null,
  -- What it costs before and after discounts.
  price_cents    bigint not null check (price_cents >= 0),
  value_cents    bigint not null check (value_cents >= 0),
  created_at     timestamptz(3) not null,
  paid_at        timestamptz(3),
  voided_at      timestamptz(3),
  due_at         timestamptz(3) not null,
  -- Charges that were asked for, and those that were begun.
  charges        integer not null default 0,
  charged        integer not null default 0,
  -- A saved method of which the bank said not to charge it again.
  refused_method_id uuid,
  reminders      integer not null default 0,
  -- The first reminder: nobody is suspended before its mail has gone out.
  warned_by      uuid,
  dunning_at     timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, service_id) references services.services,
  foreign key (tenant_id, invoice_id) references billing.invoices
);
create unique index one_invoice_per_period on services.periods (tenant_id, service_id, starts_at)
  where voided_at is null;
create index periods_of_invoice on services.periods (tenant_id, invoice_id);
create index periods_to_dun on services.periods (dunning_at) where dunning_at is not null;
select platform.protect('services.periods');

insert into services.periods
  (tenant_id, id, service_id, starts_at, ends_at, invoice_id, product_id, plan_id,
   price_cents, value_cents, created_at, paid_at, due_at)
select tenant_id, gen_random_uuid(), id, current_period_start, current_period_end, invoice_id,
       product_id, plan_id, price_cents, value_cents, created_at, paid_at, current_period_start
from services.services
where current_period_start is not null and paid_at is not null;

-- The way of a service to the state it should be in. Only what the panel confirmed is recorded.
create table services.transitions (
  tenant_id   uuid not null,
  service_id  uuid not null,
  -- Counts the wishes: work on an older one does not close a newer one.
  version     integer not null default 1,
  started_at  timestamptz(3) not null,
  attempt     integer not null default 0,
  next_at     timestamptz(3),
  lease_until timestamptz(3),
  last_error  jsonb,
  alerted_at  timestamptz(3),
  done_at     timestamptz(3),
  primary key (tenant_id, service_id),
  foreign key (tenant_id, service_id) references services.services
);
comment on column services.transitions.last_error is
  'json: { code: string; detail: string; at: Instant }';
create index transitions_due on services.transitions (next_at) where done_at is null;
select platform.protect('services.transitions');

-- Prices that count from a day on, told to the customer ahead of it.
create table services.price_changes (
  tenant_id      uuid not null,
  service_id     uuid not null,
  effective_from date not null,
  price_cents    bigint not null check (price_cents between 0 and 100000000),
  created_at     timestamptz(3) not null,
  primary key (tenant_id, service_id, effective_from),
  foreign key (tenant_id, service_id) references services.services
);
select platform.protect('services.price_changes');

-- What a change does beside moving to a plan.
alter table services.upgrades
  -- Of a change to another cycle: its periods are counted from here.
  add column anchor_at     timestamptz(3),
  add column interval      text,
  add column interval_count integer,
  -- What the old plan's unused time is worth, as a credit note over its invoice.
  add column credit_cents  bigint,
  add column last_error    jsonb,
  add column alerted_at    timestamptz(3),
  add check ((interval is null) = (anchor_at is null) and (interval is null) = (interval_count is null));
comment on column services.upgrades.interval is
  'type: ''one_time'' | ''hour'' | ''week'' | ''month'' | ''year''';
comment on column services.upgrades.last_error is
  'json: { code: string; detail: string; at: Instant }';

-- People a service is shared with, as users of its server on the panel. Written before the panel is
-- asked, so that what we made there is known as ours; others are left alone.
create table services.panel_subusers (
  tenant_id    uuid not null,
  service_id   uuid not null,
  user_id      uuid not null,
  email        text not null,
  subuser_uuid text,
  primary key (tenant_id, service_id, user_id),
  foreign key (tenant_id, service_id) references services.services,
  foreign key (tenant_id, user_id) references users.users
);
select platform.protect('services.panel_subusers');
