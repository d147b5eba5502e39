-- What a customer was told before their service is suspended or ended, and what became of that notice.

-- A mail that its recipient's server will not take, of its address or of what it says. One that only
-- has `failed_at` was given up: whether it could have arrived nobody knows.
alter table notifications.mails
  add column refused_at timestamptz(3),
  add check (refused_at is null or failed_at is not null);

-- One for each step that waits for a notice. `sent_at`: the notice has gone out. `operators_told_at`:
-- it was refused, and operators know. A notice that got lost is written again, in the same row.
create table services.warnings (
  tenant_id         uuid not null,
  period_id         uuid not null,
  step              text not null check (step in ('suspension', 'end')),
  -- Null where nobody was left to be told.
  notice_id         uuid,
  written_at        timestamptz(3) not null,
  sent_at           timestamptz(3),
  operators_told_at timestamptz(3),
  primary key (tenant_id, period_id, step),
  foreign key (tenant_id, period_id) references services.periods
);
comment on column services.warnings.step is 'type: ''suspension'' | ''end''';
create index refused_warnings on services.warnings (tenant_id, period_id)
  where operators_told_at is not null and sent_at is null;
select platform.protect('services.warnings');

-- `services.periods.warned_by` is no longer read; a later release removes it.
insert into services.warnings (tenant_id, period_id, step, notice_id, written_at)
select period.tenant_id, period.id, 'suspension', period.warned_by,
       coalesce(notice.created_at, period.due_at)
from services.periods period
left join notifications.notifications notice
  on notice.tenant_id = period.tenant_id and notice.id = period.warned_by
where period.warned_by is not null and period.paid_at is null and period.voided_at is null;
