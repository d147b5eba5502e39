-- Money that a bank took back for good from an invoice that has no period of its own: a sale made once, a
-- change, or a period whose worth went over to another one. It is asked for as an unpaid period is (R3.10, R4.6).
alter table services.periods
  add column is_debt boolean not null default false,
  drop constraint periods_check,
  add constraint periods_check check (ends_at > starts_at or is_debt and ends_at = starts_at) not valid;

-- It holds fewer rows than before: what was unique still is.
drop index services.one_invoice_per_period;
create unique index one_invoice_per_period on services.periods (tenant_id, service_id, starts_at)
  where voided_at is null and not is_debt;
create unique index one_debt_per_invoice on services.periods (tenant_id, service_id, invoice_id)
  where voided_at is null and is_debt;

-- What was taken back before is asked for from now on.
insert into services.periods
  (tenant_id, id, service_id, starts_at, ends_at, invoice_id, product_id, plan_id,
   price_cents, value_cents, created_at, due_at, dunning_at, is_debt)
select service.tenant_id, platform.new_id(now()), service.id, now(), now(), invoice.id,
       service.product_id, service.plan_id, 0, 0, now(), now(), now(), true
from services.services service
join billing.invoices invoice
  on invoice.tenant_id = service.tenant_id and invoice.status = 'open' and invoice.reversed_cents > 0
where service.ended_at is null and service.end_wanted_at is null
  and (
    invoice.id = service.invoice_id and service.paid_at is not null
      and service.interval in ('one_time', 'hour')
    or exists (
      select from services.upgrades upgrade
      where upgrade.tenant_id = service.tenant_id and upgrade.service_id = service.id
        and upgrade.invoice_id = invoice.id and upgrade.paid_at is not null)
    or exists (
      select from services.periods period
      where period.tenant_id = service.tenant_id and period.service_id = service.id
        and period.invoice_id = invoice.id and period.paid_at is not null
        and period.voided_at is not null))
  and not exists (
    select from services.periods period
    where period.tenant_id = service.tenant_id and period.service_id = service.id
      and period.invoice_id = invoice.id and period.voided_at is null);
