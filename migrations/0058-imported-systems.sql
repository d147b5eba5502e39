-- Dumps of systems whose rows say less of themselves, and more by other tables: what is staged of them.

-- Invoices, services, orders and prices that have a currency, a plan or a state of their own.
alter table imports.staged_services
  add column currency bigint, add column plan bigint, add column coupon bigint;
alter table imports.staged_orders add column currency bigint;
alter table imports.staged_invoices
  add column currency bigint, add column series text, add column paid bigint;
alter table imports.staged_invoice_items add column fault text;
alter table imports.staged_transactions add column state text;
alter table imports.staged_prices add column plan bigint, add column pays text;
alter table imports.staged_products add column payment bigint;

-- Credit that people have in several currencies.
create table imports.staged_balances (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  client     bigint,
  currency   bigint,
  amount     bigint,
  outcome    text,
  reason     text,
  target_id  uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_balances');

-- What people said of themselves, a row for each thing.
create table imports.staged_details (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  client     bigint,
  key        text,
  value      text,
  outcome    text,
  reason     text,
  target_id  uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_details');

-- Cycles that prices and services refer to.
create table imports.staged_plans (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  product    bigint,
  kind       text,
  pays       text,
  months     bigint,
  cycle      text,
  outcome    text,
  reason     text,
  target_id  uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_plans');

-- Prices of single cycles that belong to a price row.
create table imports.staged_price_periods (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  price      bigint,
  months     bigint,
  amount     bigint,
  setup_fee  bigint,
  outcome    text,
  reason     text,
  target_id  uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_price_periods');

create table imports.staged_coupon_products (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  coupon     bigint,
  product    bigint,
  outcome    text,
  reason     text,
  target_id  uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_coupon_products');

-- Rates of tax as they were when an invoice was paid.
create table imports.staged_invoice_rates (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  invoice    bigint,
  rate       bigint,
  outcome    text,
  reason     text,
  target_id  uuid,
  primary key (tenant_id, import_id, row_number)
);
select platform.protect('imports.staged_invoice_rates');

-- PHP's password_hash makes argon2 where it is asked to.
alter table users.legacy_passwords
  drop constraint legacy_passwords_form_check,
  add constraint legacy_passwords_form_check
    check (form in ('bcrypt', 'md5salt', 'hmac-sha256', 'md5', 'argon2', 'none'));
comment on column users.legacy_passwords.form is
  'type: ''bcrypt'' | ''md5salt'' | ''hmac-sha256'' | ''md5'' | ''argon2'' | ''none''';
