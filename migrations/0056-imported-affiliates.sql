-- Affiliates of another system: whom they brought, what they have, and how they came by it.

alter table affiliation.referrals
  drop constraint referrals_source_check,
  add constraint referrals_source_check check (source in ('code', 'visit', 'imported')),
  -- When this customer first earned the affiliate something in the system they come from: what is
  -- paid here is then not the first payment.
  add column earned_elsewhere_at timestamptz(3);
comment on column affiliation.referrals.source is 'type: ''code'' | ''visit'' | ''imported''';

-- What an affiliate had there, a row for each account of theirs. It is in the books from then on.
create table affiliation.imported_balances (
  tenant_id       uuid not null,
  id              uuid not null,
  import_id       uuid not null,
  affiliate_id    uuid not null,
  currency        text not null check (currency ~ '^[A-Z]{3}$'),
  balance_cents   bigint not null,
  withdrawn_cents bigint not null,
  created_at      timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, affiliate_id) references affiliation.affiliates
);
create index imported_balances_of_affiliate
  on affiliation.imported_balances (tenant_id, affiliate_id, id);
create index imported_balances_of_import on affiliation.imported_balances (tenant_id, import_id);
select platform.protect('affiliation.imported_balances');

-- How it came and went there: history, but for what was pending, which becomes available here.
create table affiliation.imported_commissions (
  tenant_id    uuid not null,
  id           uuid not null,
  import_id    uuid not null,
  affiliate_id uuid not null,
  kind         text not null check (kind in ('earned', 'pending', 'paid_out')),
  currency     text not null check (currency ~ '^[A-Z]{3}$'),
  -- Below zero where something earned was taken back.
  amount_cents bigint not null,
  description  text not null,
  happened_at  timestamptz(3),
  -- When what is pending becomes available, and when it did; or when it was given up instead.
  available_at timestamptz(3),
  matured_at   timestamptz(3),
  forfeited_at timestamptz(3),
  created_at   timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, affiliate_id) references affiliation.affiliates,
  check ((kind = 'pending') = (available_at is not null)),
  check (kind = 'pending' or (matured_at is null and forfeited_at is null)),
  check (kind <> 'pending' or amount_cents >= 0),
  check (matured_at is null or forfeited_at is null)
);
comment on column affiliation.imported_commissions.kind is
  'type: ''earned'' | ''pending'' | ''paid_out''';
create index imported_commissions_of_affiliate
  on affiliation.imported_commissions (tenant_id, affiliate_id, id);
create index imported_commissions_of_import
  on affiliation.imported_commissions (tenant_id, import_id);
create index imported_commissions_to_mature on affiliation.imported_commissions (available_at)
  where kind = 'pending' and matured_at is null and forfeited_at is null;
select platform.protect('affiliation.imported_commissions');
