-- How many clicks on the links of an affiliate were recorded each day (UTC). These are counts only, so they stay when
-- the clicks themselves are deleted.
create table affiliation.click_days (
  tenant_id    uuid not null,
  affiliate_id uuid not null,
  day          date not null,
  clicks       integer not null check (clicks > 0),
  primary key (tenant_id, affiliate_id, day),
  foreign key (tenant_id, affiliate_id) references affiliation.affiliates
);
select platform.protect('affiliation.click_days');

insert into affiliation.click_days (tenant_id, affiliate_id, day, clicks)
select tenant_id, affiliate_id, (created_at at time zone 'UTC')::date, count(*)
from affiliation.visits group by 1, 2, 3;

-- Staff can correct who referred a customer. The row stays when there is no affiliate any more: commissions that were
-- earned refer to it, and a registration that is processed again must not bring the affiliate back.
alter table affiliation.referrals
  add column corrected_at timestamptz(3),
  add column corrected_by uuid,
  add column correction_reason text,
  add column removed_at timestamptz(3);
alter table affiliation.referrals
  drop constraint referrals_source_check,
  add constraint referrals_source_check
    check (source in ('code', 'visit', 'imported', 'staff')) not valid,
  add check ((corrected_at is null) = (corrected_by is null)) not valid,
  add check (length(correction_reason) between 1 and 500) not valid,
  add check (removed_at is null or corrected_at is not null) not valid;
comment on column affiliation.referrals.source is
  'type: ''code'' | ''visit'' | ''imported'' | ''staff''';
