-- What is sold: the catalogue, its prices and taxes, coupons, stock, and carts.

-- Tax rates of one country and class must not overlap in time: an exclusion constraint on ids, text and dates.
create extension if not exists btree_gist;

create schema store;
select platform.open_schema('store');

create table store.categories (
  tenant_id   uuid not null references tenants.tenants,
  id          uuid not null,
  slug        text not null,
  name        text not null,
  description text,
  position    integer not null default 0,
  hidden      boolean not null default false,
  created_at  timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint categories_slug unique (tenant_id, slug)
);
create index categories_in_order on store.categories (tenant_id, position, id);
select platform.protect('store.categories');

-- What a rate is; its percentages by date are the versions.
create table store.tax_rates (
  tenant_id   uuid not null references tenants.tenants,
  id          uuid not null,
  name        text not null,
  country     text not null check (country ~ '^[A-Z]{2}$'),
  class       text not null,
  category    text not null check (category in ('S', 'E')),
  created_at  timestamptz(3) not null,
  archived_at timestamptz(3),
  primary key (tenant_id, id),
  unique (tenant_id, id, country, class)
);
comment on column store.tax_rates.category is 'type: ''S'' | ''E''';
create index tax_rates_on_sale on store.tax_rates (tenant_id, id) where archived_at is null;
select platform.protect('store.tax_rates');

-- `valid_to` is the first day a version does not count; null is for ever.
create table store.tax_rate_versions (
  tenant_id         uuid not null,
  tax_rate_id       uuid not null,
  country           text not null,
  class             text not null,
  valid_from        date not null,
  valid_to          date,
  rate_basis_points integer not null check (rate_basis_points between 0 and 10000),
  archived_at       timestamptz(3),
  primary key (tenant_id, tax_rate_id, valid_from),
  foreign key (tenant_id, tax_rate_id, country, class)
    references store.tax_rates (tenant_id, id, country, class) on update cascade,
  check (valid_to > valid_from),
  constraint tax_rates_overlap exclude using gist (
    tenant_id with =, country with =, class with =, daterange(valid_from, valid_to) with &&
  ) where (archived_at is null)
);
create index tax_rate_versions_of_country
  on store.tax_rate_versions (tenant_id, country) where archived_at is null;
select platform.protect('store.tax_rate_versions');

-- `stock` is what can still be sold now; what is held or taken is not in it. Null is unlimited.
create table store.products (
  tenant_id          uuid not null references tenants.tenants,
  id                 uuid not null,
  slug               text not null,
  name               text not null,
  description        text,
  category_id        uuid,
  tax_rate_id        uuid,
  stock              integer check (stock >= 0),
  hidden             boolean not null default false,
  position           integer not null default 0,
  upgrade_target_ids uuid[] not null default '{}',
  provisioning       jsonb,
  created_at         timestamptz(3) not null,
  archived_at        timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, category_id) references store.categories on delete set null (category_id),
  foreign key (tenant_id, tax_rate_id) references store.tax_rates
);
comment on column store.products.provisioning is 'json: {
      eggId: string
      nodeIds: string[]
      locationIds: string[]
      limits: {
        memoryMb: number
        diskMb: number
        cpuPercent: number
        swapMb: number
        io: number
      }
      featureLimits: { databases: number; backups: number; allocations: number }
      environment: Record<string, string>
    }';
create unique index products_slug on store.products (tenant_id, slug) where archived_at is null;
create index products_on_sale on store.products (tenant_id, id) where archived_at is null;
create index products_in_order
  on store.products (tenant_id, position, id) where archived_at is null;
create index products_of_category
  on store.products (tenant_id, category_id, id) where archived_at is null;
select platform.protect('store.products');

-- `price_micros` is the price of one hour, `price_cents` then the most a month costs.
create table store.plans (
  tenant_id       uuid not null,
  id              uuid not null,
  product_id      uuid not null,
  name            text not null,
  interval        text not null check (interval in ('one_time', 'hour', 'week', 'month', 'year')),
  interval_count  integer not null check (interval_count between 1 and 120),
  price_cents     bigint not null check (price_cents between 0 and 100000000),
  price_micros    bigint check (price_micros between 0 and 1000000000000),
  currency        text not null check (currency ~ '^[A-Z]{3}$'),
  setup_fee_cents bigint not null default 0 check (setup_fee_cents between 0 and 100000000),
  trial_days      integer not null default 0 check (trial_days between 0 and 365),
  created_at      timestamptz(3) not null,
  archived_at     timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, product_id) references store.products,
  check ((interval = 'hour') = (price_micros is not null)),
  check (interval <> 'one_time' or trial_days = 0)
);
comment on column store.plans.interval is
  'type: ''one_time'' | ''hour'' | ''week'' | ''month'' | ''year''';
create index plans_on_sale on store.plans (tenant_id, id) where archived_at is null;
create index plans_of_product on store.plans (tenant_id, product_id, id) where archived_at is null;
select platform.protect('store.plans');

-- What a plan costs in currencies other than its own.
create table store.plan_prices (
  tenant_id       uuid not null,
  plan_id         uuid not null,
  currency        text not null check (currency ~ '^[A-Z]{3}$'),
  price_cents     bigint not null check (price_cents between 0 and 100000000),
  price_micros    bigint check (price_micros between 0 and 1000000000000),
  setup_fee_cents bigint not null default 0 check (setup_fee_cents between 0 and 100000000),
  primary key (tenant_id, plan_id, currency),
  foreign key (tenant_id, plan_id) references store.plans
);
select platform.protect('store.plan_prices');

-- `redemptions` counts what is held or confirmed; empty lists mean all.
create table store.coupons (
  tenant_id                uuid not null references tenants.tenants,
  id                       uuid not null,
  code                     text not null check (code = upper(code)),
  type                     text not null check (type in ('percent', 'fixed')),
  percent_basis_points     integer check (percent_basis_points between 1 and 10000),
  amount_cents             bigint check (amount_cents between 1 and 100000000),
  currency                 text not null check (currency ~ '^[A-Z]{3}$'),
  duration                 text not null check (duration in ('once', 'cycles', 'forever')),
  duration_cycles          integer check (duration_cycles between 1 and 1000),
  minimum_cents            bigint check (minimum_cents >= 0),
  max_redemptions          integer check (max_redemptions > 0),
  max_redemptions_per_user integer check (max_redemptions_per_user > 0),
  redemptions              integer not null default 0 check (redemptions >= 0),
  valid_from               timestamptz(3),
  valid_to                 timestamptz(3),
  new_customers_only       boolean not null default false,
  include_setup_fee        boolean not null default false,
  stackable                boolean not null default false,
  product_ids              uuid[] not null default '{}',
  category_ids             uuid[] not null default '{}',
  plan_ids                 uuid[] not null default '{}',
  intervals                text[] not null default '{}',
  created_at               timestamptz(3) not null,
  archived_at              timestamptz(3),
  primary key (tenant_id, id),
  check ((type = 'percent') = (percent_basis_points is not null)),
  check ((type = 'fixed') = (amount_cents is not null)),
  check ((duration = 'cycles') = (duration_cycles is not null)),
  check (valid_to > valid_from)
);
comment on column store.coupons.type is 'type: ''percent'' | ''fixed''';
comment on column store.coupons.duration is 'type: ''once'' | ''cycles'' | ''forever''';
comment on column store.coupons.intervals is
  'type: (''one_time'' | ''hour'' | ''week'' | ''month'' | ''year'')[]';
create unique index coupons_code on store.coupons (tenant_id, code) where archived_at is null;
create index coupons_on_sale on store.coupons (tenant_id, id) where archived_at is null;
select platform.protect('store.coupons');

-- One use of a coupon by one order: held, then confirmed when it is paid, or released.
create table store.coupon_redemptions (
  tenant_id    uuid not null,
  reference    uuid not null,
  coupon_id    uuid not null,
  user_id      uuid not null,
  created_at   timestamptz(3) not null,
  held_until   timestamptz(3) not null,
  confirmed_at timestamptz(3),
  released_at  timestamptz(3),
  primary key (tenant_id, reference, coupon_id),
  foreign key (tenant_id, coupon_id) references store.coupons,
  foreign key (tenant_id, user_id) references users.users,
  check (confirmed_at is null or released_at is null)
);
create index redemptions_of_user
  on store.coupon_redemptions (tenant_id, coupon_id, user_id) where released_at is null;
create index redemptions_held
  on store.coupon_redemptions (held_until) where confirmed_at is null and released_at is null;
select platform.protect('store.coupon_redemptions');

-- Stock kept aside for one order: held, then taken when it is paid, or released.
create table store.stock_holds (
  tenant_id   uuid not null,
  reference   uuid not null,
  product_id  uuid not null,
  quantity    integer not null check (quantity > 0),
  created_at  timestamptz(3) not null,
  held_until  timestamptz(3) not null,
  taken_at    timestamptz(3),
  released_at timestamptz(3),
  primary key (tenant_id, reference, product_id),
  foreign key (tenant_id, product_id) references store.products,
  check (taken_at is null or released_at is null)
);
create index holds_waiting
  on store.stock_holds (held_until) where taken_at is null and released_at is null;
select platform.protect('store.stock_holds');

-- Who has paid for something before, and so is no new customer any more.
create table store.buyers (
  tenant_id     uuid not null,
  user_id       uuid not null,
  first_paid_at timestamptz(3) not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users.users
);
select platform.protect('store.buyers');

-- A customer tries a product once.
create table store.trials (
  tenant_id  uuid not null,
  user_id    uuid not null,
  product_id uuid not null,
  reference  uuid not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, user_id, product_id),
  foreign key (tenant_id, user_id) references users.users,
  foreign key (tenant_id, product_id) references store.products
);
create index trials_of_reference on store.trials (tenant_id, reference);
select platform.protect('store.trials');

-- A cart's row is also the lock for everything in it.
create table store.carts (
  tenant_id  uuid not null,
  user_id    uuid not null,
  currency   text not null check (currency ~ '^[A-Z]{3}$'),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users.users
);
select platform.protect('store.carts');

create table store.cart_items (
  tenant_id   uuid not null,
  user_id     uuid not null,
  id          uuid not null,
  plan_id     uuid not null,
  quantity    integer not null check (quantity between 1 and 100000),
  name        text,
  options     jsonb not null default '{}',
  environment jsonb not null default '{}',
  created_at  timestamptz(3) not null,
  primary key (tenant_id, user_id, id),
  foreign key (tenant_id, user_id) references store.carts on delete cascade,
  foreign key (tenant_id, plan_id) references store.plans
);
comment on column store.cart_items.options is 'json: Record<string, string | number | boolean>';
comment on column store.cart_items.environment is 'json: Record<string, string>';
create index cart_items_of_plan on store.cart_items (tenant_id, plan_id);
select platform.protect('store.cart_items');

create table store.cart_coupons (
  tenant_id  uuid not null,
  user_id    uuid not null,
  coupon_id  uuid not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, user_id, coupon_id),
  foreign key (tenant_id, user_id) references store.carts on delete cascade,
  foreign key (tenant_id, coupon_id) references store.coupons
);
create index cart_coupons_of_coupon on store.cart_coupons (tenant_id, coupon_id);
select platform.protect('store.cart_coupons');
