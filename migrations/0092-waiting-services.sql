-- in steps: finding the services whose start is due among all services
drop index concurrently if exists services.services_waiting
-- next step
create index concurrently services_waiting on services.services (starts_at)
  where starts_at is not null and paid_at is null and ended_at is null
