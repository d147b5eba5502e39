-- in steps: a large shop has millions of periods, and people buy meanwhile
-- What a service owes, its debts included, is asked for by each change, cancellation and end of it.
drop index concurrently if exists services.unpaid_periods_of_service
-- next step
create index concurrently unpaid_periods_of_service on services.periods (tenant_id, service_id)
  where voided_at is null and paid_at is null
