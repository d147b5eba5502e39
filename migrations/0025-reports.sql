-- What the books are read by: time, the end of what was sold, and what services bring in.

create index transactions_by_time on ledger.transactions (tenant_id, created_at);
create index invoices_by_issue on billing.invoices (tenant_id, issued_at)
  where number is not null;
create index credit_notes_by_issue on billing.credit_notes (tenant_id, issued_at);
create index due_invoices_of_user on billing.invoices (tenant_id, user_id, currency)
  where status = 'open' and number is not null;
create index invoice_lines_by_period_end on billing.invoice_lines (tenant_id, period_end)
  where period_end is not null;

-- What a service brings in per month, noted whenever that changes: without tax, after discounts.
create table services.recurring (
  tenant_id    uuid not null,
  id           uuid not null,
  service_id   uuid not null,
  user_id      uuid not null,
  currency     text not null check (currency ~ '^[A-Z]{3}$'),
  -- By how much it changed; what it is now is the sum.
  change_cents bigint not null check (change_cents <> 0),
  created_at   timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, service_id) references services.services,
  foreign key (tenant_id, user_id) references users.users
);
create index recurring_of_service on services.recurring (tenant_id, service_id);
create index recurring_by_time on services.recurring (tenant_id, created_at);
select platform.protect('services.recurring', true);

-- Services that exist, as they are now: what they brought in before is not known any more.
with running as (
  select service.tenant_id, service.id as service_id, service.user_id, service.currency,
    greatest(service.paid_at, service.anchor_at) as started_at, service.ended_at,
    service.value_cents
      * case when invoice.price_mode = 'inclusive' and invoice.total_cents > 0
             then invoice.net_cents::numeric / invoice.total_cents else 1 end
      / case service.interval when 'month' then service.interval_count
                              when 'year' then 12 * service.interval_count
                              else service.interval_count * 112 / 487.0 end as monthly
  from services.services as service
  join billing.invoices as invoice
    on invoice.tenant_id = service.tenant_id and invoice.id = service.invoice_id
  where service.paid_at is not null and service.interval in ('week', 'month', 'year')
    and service.current_period_start >= service.anchor_at
)
insert into services.recurring
  (tenant_id, id, service_id, user_id, currency, change_cents, created_at)
select tenant_id, gen_random_uuid(), service_id, user_id, currency,
  case step when 1 then round(monthly) else -round(monthly) end,
  case step when 1 then started_at else greatest(ended_at, started_at) end
from running cross join generate_series(1, 2) as step
where round(monthly) > 0 and (step = 1 or ended_at is not null);
