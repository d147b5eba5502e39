-- Services that staff deliver by hand: what is to be done for them are tasks.
alter table store.products drop constraint products_delivery;
alter table store.products
  add constraint products_delivery check (delivery in ('server', 'manual', 'none')) not valid;
comment on column store.products.delivery is 'type: ''server'' | ''manual'' | ''none''';
alter table store.products add column instructions text;
comment on column store.products.instructions is 'What staff read in the tasks of its services';
alter table store.products add column promise_hours integer;
comment on column store.products.promise_hours is
  'So many hours after the payment staff have delivered it by hand';
alter table store.products add column period_starts text not null default 'payment';
alter table store.products
  add constraint products_period_starts check (period_starts in ('payment', 'delivery')) not valid;
comment on column store.products.period_starts is 'type: ''payment'' | ''delivery''';
alter table store.products
  add column task_actions text[] not null default '{change,suspend,end}';
-- Which moves of services that are delivered by hand staff make; all others are recorded at once.
comment on column store.products.task_actions is 'type: (''change'' | ''suspend'' | ''end'')[]';

alter table services.services drop constraint services_delivery;
alter table services.services
  add constraint services_delivery check (delivery in ('server', 'manual', 'none')) not valid;
comment on column services.services.delivery is 'type: ''server'' | ''manual'' | ''none''';
-- Copied from the product when the service is created.
alter table services.services add column period_starts text not null default 'payment';
alter table services.services
  add constraint services_period_starts check (period_starts in ('payment', 'delivery')) not valid;
comment on column services.services.period_starts is 'type: ''payment'' | ''delivery''';

create table services.tasks (
  tenant_id   uuid not null,
  id          uuid not null,
  service_id  uuid not null,
  action      text not null check (action in ('create', 'change', 'suspend', 'resume', 'end')),
  -- The change of plan that it makes.
  upgrade_id  uuid,
  created_at  timestamptz(3) not null,
  due_at      timestamptz(3) not null,
  claimed_at  timestamptz(3),
  claimed_by  uuid,
  done_at     timestamptz(3),
  failed_at   timestamptz(3),
  failure     text,
  canceled_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, service_id) references services.services on delete cascade,
  foreign key (tenant_id, upgrade_id) references services.upgrades on delete cascade,
  check ((claimed_at is null) = (claimed_by is null)),
  check ((action = 'change') = (upgrade_id is not null)),
  check (num_nonnulls(done_at, failed_at, canceled_at) <= 1),
  check (done_at is null or claimed_at is not null),
  check (failed_at is null or claimed_at is not null)
);
comment on column services.tasks.action is
  'type: ''create'' | ''change'' | ''suspend'' | ''resume'' | ''end''';
create unique index one_open_task_per_action on services.tasks (tenant_id, service_id, action)
  where done_at is null and failed_at is null and canceled_at is null;
create index tasks_of_service on services.tasks (tenant_id, service_id);
create index tasks_of_upgrade on services.tasks (tenant_id, upgrade_id) where upgrade_id is not null;
create index open_tasks on services.tasks (tenant_id, due_at)
  where done_at is null and failed_at is null and canceled_at is null;
select platform.protect('services.tasks');

-- What a customer is handed over with the delivery: an address, a user name, a password.
create table services.handover_details (
  tenant_id    uuid not null,
  service_id   uuid not null,
  position     integer not null,
  label        text not null,
  value        text,
  sealed_value text,
  primary key (tenant_id, service_id, position),
  foreign key (tenant_id, service_id) references services.services on delete cascade,
  check (num_nonnulls(value, sealed_value) = 1)
);
select platform.protect('services.handover_details');
