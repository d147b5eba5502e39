-- People who bring customers, what they brought, and their share of it.

create schema affiliation;
select platform.open_schema('affiliation');

create table affiliation.affiliates (
  tenant_id        uuid not null references tenants.tenants,
  id               uuid not null,
  user_id          uuid not null,
  -- What stands in their links. Kept when the person is gone: nobody else gets it.
  code             text not null check (code ~ '^[A-Z0-9]{4,32}$'),
  created_at       timestamptz(3) not null,
  suspended_at     timestamptz(3),
  suspended_reason text check (length(suspended_reason) between 1 and 500),
  -- The account has ended.
  closed_at        timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users,
  check (suspended_at is not null or suspended_reason is null)
);
create unique index one_affiliate_per_user on affiliation.affiliates (tenant_id, user_id);
create unique index one_affiliate_per_code on affiliation.affiliates (tenant_id, code);
select platform.protect('affiliation.affiliates');

-- Clicks on a link, until they no longer count. Who clicked is not known: the visitor is the hash
-- of a random token in their browser, the origin a keyed hash of the address, another one every day.
create table affiliation.visits (
  tenant_id    uuid not null,
  id           uuid not null,
  affiliate_id uuid not null,
  visitor_hash bytea not null,
  origin_hash  text not null,
  created_at   timestamptz(3) not null,
  expires_at   timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, affiliate_id) references affiliation.affiliates
);
create index visits_of_visitor on affiliation.visits (tenant_id, visitor_hash, id);
create index visits_by_origin on affiliation.visits (tenant_id, origin_hash);
create index visits_by_end on affiliation.visits (expires_at);
select platform.protect('affiliation.visits');

-- Who was brought by whom: decided when they register, and never again.
create table affiliation.referrals (
  tenant_id     uuid not null,
  id            uuid not null,
  affiliate_id  uuid not null,
  user_id       uuid not null,
  source        text not null check (source in ('code', 'visit')),
  -- Registered from an address the affiliate came from within a day.
  shared_origin boolean not null,
  created_at    timestamptz(3) not null,
  -- They are the affiliate themselves: nothing is paid for them, ever.
  refused_at    timestamptz(3),
  refusal       text check (refusal in ('same_email', 'same_payment_method', 'same_vat_number')),
  primary key (tenant_id, id),
  foreign key (tenant_id, affiliate_id) references affiliation.affiliates,
  foreign key (tenant_id, user_id) references users.users,
  check ((refused_at is null) = (refusal is null))
);
comment on column affiliation.referrals.source is 'type: ''code'' | ''visit''';
comment on column affiliation.referrals.refusal is
  'type: ''same_email'' | ''same_payment_method'' | ''same_vat_number''';
create unique index one_referral_per_user on affiliation.referrals (tenant_id, user_id);
create index referrals_of_affiliate on affiliation.referrals (tenant_id, affiliate_id, id);
select platform.protect('affiliation.referrals');

create table affiliation.commissions (
  tenant_id      uuid not null,
  id             uuid not null,
  affiliate_id   uuid not null,
  referral_id    uuid not null,
  invoice_id     uuid not null,
  currency       text not null check (currency ~ '^[A-Z]{3}$'),
  -- What of the invoice came in as money, and the net of that.
  cash_cents     bigint not null check (cash_cents > 0),
  base_cents     bigint not null,
  amount_cents   bigint not null check (amount_cents > 0),
  reversed_cents bigint not null default 0,
  -- Why somebody should look before it is paid; it waits for them.
  flags          text[] not null default '{}',
  reviewed_at    timestamptz(3),
  reviewed_by    uuid,
  -- Refused by an administrator: reversed for good.
  rejected_at    timestamptz(3),
  available_at   timestamptz(3) not null,
  matured_at     timestamptz(3),
  created_at     timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, affiliate_id) references affiliation.affiliates,
  foreign key (tenant_id, referral_id) references affiliation.referrals,
  foreign key (tenant_id, invoice_id) references billing.invoices,
  check (reversed_cents between 0 and amount_cents),
  check ((reviewed_at is null) = (reviewed_by is null)),
  check (rejected_at is null or reversed_cents = amount_cents)
);
create unique index one_commission_per_invoice
  on affiliation.commissions (tenant_id, invoice_id, affiliate_id);
create index commissions_of_affiliate on affiliation.commissions (tenant_id, affiliate_id, id);
create index commissions_of_referral on affiliation.commissions (tenant_id, referral_id, id);
create index commissions_to_review on affiliation.commissions (tenant_id, id)
  where flags <> '{}' and reviewed_at is null;
create index commissions_to_mature on affiliation.commissions (available_at)
  where matured_at is null and reversed_cents < amount_cents
    and (flags = '{}' or reviewed_at is not null);
select platform.protect('affiliation.commissions');

-- What left the available balance: as credit, or given up when the account ended.
create table affiliation.conversions (
  tenant_id    uuid not null,
  id           uuid not null,
  affiliate_id uuid not null,
  kind         text not null check (kind in ('credit', 'forfeited')),
  currency     text not null check (currency ~ '^[A-Z]{3}$'),
  -- Below zero where an account ended that owed commission back.
  amount_cents bigint not null check (amount_cents <> 0),
  created_at   timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, affiliate_id) references affiliation.affiliates,
  constraint least_conversion check (kind = 'forfeited' or amount_cents >= 2000)
);
comment on column affiliation.conversions.kind is 'type: ''credit'' | ''forfeited''';
create index conversions_of_affiliate on affiliation.conversions (tenant_id, affiliate_id, id);
select platform.protect('affiliation.conversions', true);

-- Products that earn another commission than the usual one.
create table affiliation.rates (
  tenant_id            uuid not null,
  id                   uuid not null,
  product_id           uuid not null,
  type                 text not null check (type in ('percent', 'fixed')),
  percent_basis_points integer check (percent_basis_points between 0 and 10000),
  amount_cents         bigint check (amount_cents between 0 and 100000000),
  -- What a fixed amount is in; other currencies earn the usual commission.
  currency             text check (currency ~ '^[A-Z]{3}$'),
  created_at           timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, product_id) references store.products,
  check ((type = 'percent') = (percent_basis_points is not null)),
  check ((type = 'fixed') = (amount_cents is not null)),
  check ((type = 'fixed') = (currency is not null))
);
comment on column affiliation.rates.type is 'type: ''percent'' | ''fixed''';
create unique index one_rate_per_product on affiliation.rates (tenant_id, product_id);
select platform.protect('affiliation.rates');
