-- What another system says of a service beside its price, where it decides on what is charged.
alter table imports.staged_clients add column client_group bigint;
alter table imports.staged_services
  add column promotion bigint,
  add column subscription text,
  -- Whether it is suspended because nobody paid, as far as the other system says why.
  add column overdue boolean,
  -- What follows from other rows: an end that was asked for, and discounts as coupons are kept.
  add column cancel text,
  add column coupons jsonb,
  add column discount text;
comment on column imports.staged_services.coupons is 'json: Record<string, unknown>[]';

-- Customers who have asked for an end.
create table imports.staged_cancellations (
  tenant_id    uuid not null,
  import_id    uuid not null,
  row_number   bigint not null,
  source_id    bigint not null,
  service      bigint,
  -- `immediate` or `period_end`.
  kind         text,
  requested_at timestamptz(3),
  outcome      text,
  reason       text,
  target_id    uuid
);
select platform.protect('imports.staged_cancellations');
alter table imports.staged_cancellations replica identity full;
create index staged_cancellations_by_import on imports.staged_cancellations using brin (import_id);

-- Groups of customers, and the discount that each has.
create table imports.staged_client_groups (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  name       text,
  discount   bigint,
  outcome    text,
  reason     text,
  target_id  uuid
);
select platform.protect('imports.staged_client_groups');
alter table imports.staged_client_groups replica identity full;
create index staged_client_groups_by_import on imports.staged_client_groups using brin (import_id);

comment on column services.services.imported is
  'json: { importId: string; formerId?: string; status: string; cycle: string; firstCents: number; amountCents: number; quantity: number; cancel?: string | null; subscription?: string | null; overdue?: boolean; discount?: string | null }';
comment on column billing.invoices.imported is
  'json: { importId: string; number: string; status: string; state?: string; subtotalCents: number; taxCents: number; secondTaxCents: number; creditCents: number; dueCents: number; totalCents: number }';

-- Where the other installation was reached, to tell it from others of the same system.
alter table imports.imports add column installation text;
comment on column imports.imports.fault is
  'json: { code: string; byte: number | null; line: number | null; detail?: string | null }';
