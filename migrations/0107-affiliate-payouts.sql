-- What a host paid out to affiliates: it leaves their available commission, so it cannot be converted.

alter table affiliation.conversions
  drop constraint conversions_kind_check,
  drop constraint least_conversion,
  add constraint conversions_kind_known
    check (kind in ('credit', 'forfeited', 'payout')) not valid,
  add constraint least_conversion check (kind <> 'credit' or amount_cents >= 2000) not valid;
comment on column affiliation.conversions.kind is 'type: ''credit'' | ''forfeited'' | ''payout''';

-- How the money of a conversion of the kind `payout` went, by the id of that conversion.
create table affiliation.payouts (
  tenant_id    uuid not null,
  id           uuid not null,
  affiliate_id uuid not null,
  currency     text not null check (currency ~ '^[A-Z]{3}$'),
  amount_cents bigint not null check (amount_cents > 0),
  paid_on      date not null,
  method       text not null check (length(method) between 1 and 100),
  -- The host's own name of the transfer: one transfer is booked once.
  reference    text not null check (length(reference) between 1 and 200),
  created_at   timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, affiliate_id) references affiliation.affiliates
);
create unique index one_payout_per_reference on affiliation.payouts (tenant_id, reference);
create index payouts_of_affiliate on affiliation.payouts (tenant_id, affiliate_id, id);
select platform.protect('affiliation.payouts', true);
