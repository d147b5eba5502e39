-- Dumps of other systems: what was uploaded, what became of it, and the rows on their way.

create schema imports;
select platform.open_schema('imports');

create table imports.imports (
  tenant_id      uuid not null references tenants.tenants,
  id             uuid not null,
  -- Who uploaded it; null where it came by the command line.
  user_id        uuid,
  file_name      text not null check (length(file_name) between 1 and 255),
  file_key       text not null,
  size_bytes     bigint not null check (size_bytes >= 0),
  sha256         bytea not null,
  dry_run        boolean not null,
  -- What whoever uploaded it said it is; null: found out.
  wanted_system  text,
  status         text not null check (status in
                 ('uploaded', 'analysing', 'importing', 'completed', 'completed_with_failures',
                  'not_reconciled', 'failed', 'rejected', 'canceled')),
  -- How far it is: what it does, how much of the text and of its rows it has read, of how much.
  phase          text not null default 'waiting' check (phase in
                 ('waiting', 'survey', 'staging', 'resolving', 'writing', 'done')),
  bytes_read     bigint not null default 0,
  bytes_total    bigint,
  rows_read      bigint not null default 0,
  rows_total     bigint,
  -- The last row that is staged: a new start goes on behind it.
  staged_to      bigint not null default 0,
  report         jsonb,
  -- Why it failed or was rejected, and where in the text.
  fault          jsonb,
  cancel_wanted_at timestamptz(3),
  lease_until    timestamptz(3),
  tries          integer not null default 0,
  created_at     timestamptz(3) not null,
  started_at     timestamptz(3),
  phase_at       timestamptz(3),
  progress_at    timestamptz(3),
  finished_at    timestamptz(3),
  -- When the file was deleted.
  file_gone_at   timestamptz(3),
  primary key (tenant_id, id),
  check ((finished_at is null) = (status in ('uploaded', 'analysing', 'importing')))
);
comment on column imports.imports.wanted_system is
  'type: ''whmcs'' | ''paymenter'' | ''fossbilling''';
comment on column imports.imports.status is
  'type: ''uploaded'' | ''analysing'' | ''importing'' | ''completed'' | ''completed_with_failures'' | ''not_reconciled'' | ''failed'' | ''rejected'' | ''canceled''';
comment on column imports.imports.phase is
  'type: ''waiting'' | ''survey'' | ''staging'' | ''resolving'' | ''writing'' | ''done''';
comment on column imports.imports.report is 'json: Record<string, unknown>';
comment on column imports.imports.fault is
  'json: { code: string; byte: number | null; line: number | null }';
-- One at a time in a shop.
create unique index one_running_import on imports.imports (tenant_id) where finished_at is null;
create index imports_of_file on imports.imports (tenant_id, sha256, id);
create index imports_running on imports.imports (lease_until) where finished_at is null;
select platform.protect('imports.imports');

-- Files that are on their way in, so that what a process leaves behind is found.
create table imports.uploads (
  tenant_id  uuid not null references tenants.tenants,
  id         uuid not null,
  file_key   text not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index uploads_by_age on imports.uploads (created_at);
select platform.protect('imports.uploads');

-- What is to be told of a row: that it was left out, merged or failed, or that something is odd.
create table imports.notes (
  tenant_id    uuid not null,
  import_id    uuid not null,
  number       bigint generated always as identity,
  kind         text not null check (kind in ('skipped', 'merged', 'failed', 'warning')),
  code         text not null,
  source_table text not null,
  source_id    bigint,
  detail       text,
  primary key (tenant_id, import_id, number),
  foreign key (tenant_id, import_id) references imports.imports
);
comment on column imports.notes.kind is
  'type: ''skipped'' | ''merged'' | ''failed'' | ''warning''';
select platform.protect('imports.notes');

-- Which row of the old system each of ours was made from.
create table imports.origins (
  tenant_id    uuid not null references tenants.tenants,
  system       text not null,
  source_table text not null,
  source_id    bigint not null,
  target_id    uuid not null,
  import_id    uuid not null,
  primary key (tenant_id, system, source_table, source_id)
);
select platform.protect('imports.origins');

-- The rows of a dump on their way. They go when the import ends.

create table imports.staged_currencies (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  code       text,
  decimals   bigint,
  outcome    text,
  reason     text,
  target_id  uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_currencies');

create table imports.staged_clients (
  tenant_id     uuid not null,
  import_id     uuid not null,
  row_number    bigint not null,
  source_id     bigint not null,
  currency      bigint,
  email         text,
  name          text,
  company       text,
  address_line1 text,
  address_line2 text,
  city          text,
  region        text,
  postcode      text,
  country       text,
  phone         text,
  tax_number    text,
  tax_exempt    boolean,
  credit        bigint,
  status        text,
  language      text,
  password      text,
  created_at    timestamptz(3),
  outcome       text,
  reason        text,
  target_id     uuid,
  login         text,
  survivor      bigint,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_clients');

create table imports.staged_logins (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  email      text,
  password   text,
  outcome    text,
  reason     text,
  target_id  uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_logins');

create table imports.staged_login_clients (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  login      bigint,
  client     bigint,
  owner      boolean,
  outcome    text,
  reason     text,
  target_id  uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_login_clients');

create table imports.staged_categories (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  name       text,
  hidden     boolean,
  position   bigint,
  outcome    text,
  reason     text,
  target_id  uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_categories');

create table imports.staged_products (
  tenant_id   uuid not null,
  import_id   uuid not null,
  row_number  bigint not null,
  source_id   bigint not null,
  category    bigint,
  name        text,
  description text,
  hidden      boolean,
  retired     boolean,
  stock       bigint,
  position    bigint,
  pays        text,
  taxable     boolean,
  outcome     text,
  reason      text,
  target_id   uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_products');

create table imports.staged_prices (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  kind       text,
  product    bigint,
  currency   bigint,
  months     bigint[],
  amounts    bigint[],
  setup_fees bigint[],
  outcome    text,
  reason     text,
  target_id  uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_prices');

create table imports.staged_coupons (
  tenant_id        uuid not null,
  import_id        uuid not null,
  row_number       bigint not null,
  source_id        bigint not null,
  code             text,
  type             text,
  value            bigint,
  recurring        boolean,
  recurrences      bigint,
  starts_at        timestamptz(3),
  ends_at          timestamptz(3),
  max_uses         bigint,
  uses             bigint,
  once_per_client  boolean,
  new_clients_only boolean,
  products         text,
  outcome          text,
  reason           text,
  target_id        uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_coupons');

create table imports.staged_tax_rates (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  level      bigint,
  name       text,
  region     text,
  country    text,
  rate       bigint,
  outcome    text,
  reason     text,
  target_id  uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_tax_rates');

create table imports.staged_services (
  tenant_id    uuid not null,
  import_id    uuid not null,
  row_number   bigint not null,
  source_id    bigint not null,
  client       bigint,
  order_ref    bigint,
  product      bigint,
  name         text,
  first_amount bigint,
  amount       bigint,
  months       bigint,
  cycle        text,
  next_due_at  timestamptz(3),
  created_at   timestamptz(3),
  ended_at     timestamptz(3),
  state        text,
  status       text,
  quantity     bigint,
  outcome      text,
  reason       text,
  target_id    uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_services');

create table imports.staged_orders (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  client     bigint,
  number     text,
  amount     bigint,
  status     text,
  invoice    bigint,
  created_at timestamptz(3),
  outcome    text,
  reason     text,
  target_id  uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_orders');

create table imports.staged_invoices (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  client     bigint,
  number     text,
  issued_at  timestamptz(3),
  due_at     timestamptz(3),
  paid_at    timestamptz(3),
  subtotal   bigint,
  credit     bigint,
  tax        bigint,
  tax2       bigint,
  total      bigint,
  rate       bigint,
  rate2      bigint,
  state      text,
  status     text,
  note       text,
  outcome    text,
  reason     text,
  target_id  uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_invoices');

create table imports.staged_invoice_items (
  tenant_id   uuid not null,
  import_id   uuid not null,
  row_number  bigint not null,
  source_id   bigint not null,
  invoice     bigint,
  client      bigint,
  type        text,
  reference   bigint,
  description text,
  amount      bigint,
  taxed       boolean,
  outcome     text,
  reason      text,
  target_id   uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_invoice_items');

create table imports.staged_transactions (
  tenant_id   uuid not null,
  import_id   uuid not null,
  row_number  bigint not null,
  source_id   bigint not null,
  client      bigint,
  currency    bigint,
  gateway     text,
  happened_at timestamptz(3),
  description text,
  amount_in   bigint,
  fees        bigint,
  amount_out  bigint,
  reference   text,
  invoice     bigint,
  refund_of   bigint,
  outcome     text,
  reason      text,
  target_id   uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_transactions');

create table imports.staged_credit_entries (
  tenant_id   uuid not null,
  import_id   uuid not null,
  row_number  bigint not null,
  source_id   bigint not null,
  client      bigint,
  happened_at timestamptz(3),
  description text,
  amount      bigint,
  outcome     text,
  reason      text,
  target_id   uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_credit_entries');

create table imports.staged_affiliates (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  client     bigint,
  created_at timestamptz(3),
  visitors   bigint,
  balance    bigint,
  withdrawn  bigint,
  outcome    text,
  reason     text,
  target_id  uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_affiliates');

create table imports.staged_referrals (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  affiliate  bigint,
  service    bigint,
  outcome    text,
  reason     text,
  target_id  uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_referrals');

create table imports.staged_commissions (
  tenant_id   uuid not null,
  import_id   uuid not null,
  row_number  bigint not null,
  source_id   bigint not null,
  affiliate   bigint,
  referral    bigint,
  happened_at timestamptz(3),
  description text,
  amount      bigint,
  outcome     text,
  reason      text,
  target_id   uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_commissions');

create table imports.staged_pending_commissions (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  referral   bigint,
  amount     bigint,
  clears_at  timestamptz(3),
  outcome    text,
  reason     text,
  target_id  uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_pending_commissions');

create table imports.staged_payouts (
  tenant_id   uuid not null,
  import_id   uuid not null,
  row_number  bigint not null,
  source_id   bigint not null,
  affiliate   bigint,
  happened_at timestamptz(3),
  amount      bigint,
  outcome     text,
  reason      text,
  target_id   uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_payouts');
