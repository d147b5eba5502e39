-- What a host has decided before renewals of an import begin.
create table imports.decisions (
  tenant_id  uuid not null,
  import_id  uuid not null,
  decision   text not null check (decision in
             ('price', 'running_periods', 'tax', 'gateways', 'subscriptions')),
  choice     text not null,
  -- Null: by the command line.
  decided_by uuid,
  decided_at timestamptz(3) not null,
  primary key (tenant_id, import_id, decision),
  foreign key (tenant_id, import_id) references imports.imports
);
comment on column imports.decisions.decision is
  'type: ''price'' | ''running_periods'' | ''tax'' | ''gateways'' | ''subscriptions''';
select platform.protect('imports.decisions');

-- The invoices of the first 60 days, as they were previewed when renewals began.
create table imports.expected_invoices (
  tenant_id    uuid not null,
  import_id    uuid not null,
  service_id   uuid not null,
  starts_at    timestamptz(3) not null,
  invoice_at   timestamptz(3) not null,
  user_id      uuid not null,
  currency     text not null,
  plan_id      uuid not null,
  -- The price of the period in the old system, and what it costs here.
  former_cents bigint not null,
  net_cents    bigint not null,
  total_cents  bigint not null,
  primary key (tenant_id, import_id, service_id, starts_at),
  foreign key (tenant_id, import_id) references imports.imports
);
select platform.protect('imports.expected_invoices');

-- Comparisons of the previewed invoices with those that were issued, so many days after renewals began.
create table imports.reconciliations (
  tenant_id  uuid not null,
  import_id  uuid not null,
  days       integer not null check (days in (7, 30)),
  began_at   timestamptz(3) not null,
  -- Invoices up to this instant are compared.
  through_at timestamptz(3) not null,
  due_at     timestamptz(3) not null,
  ready_at   timestamptz(3),
  primary key (tenant_id, import_id, days),
  foreign key (tenant_id, import_id) references imports.imports
);
create index reconciliations_due on imports.reconciliations (due_at) where ready_at is null;
select platform.protect('imports.reconciliations');

create table imports.reconciled_customers (
  tenant_id         uuid not null,
  import_id         uuid not null,
  days              integer not null,
  -- Customers with an unexplained difference come first.
  place             integer not null,
  user_id           uuid not null,
  currency          text not null,
  former_cents      bigint not null,
  expected_cents    bigint not null,
  billed_cents      bigint not null,
  unexplained_cents bigint not null,
  reasons           text[] not null,
  -- The services that differ.
  service_ids       uuid[] not null,
  primary key (tenant_id, import_id, days, place),
  foreign key (tenant_id, import_id, days) references imports.reconciliations
);
select platform.protect('imports.reconciled_customers');
