-- in steps: what staff list by its state is found without reading all of it
drop index concurrently if exists orders.waiting_orders
-- next step
create index concurrently waiting_orders on orders.orders (tenant_id, id)
  where fulfilled_at is null and canceled_at is null
-- next step
drop index concurrently if exists billing.open_invoices_of_tenant
-- next step
create index concurrently open_invoices_of_tenant on billing.invoices (tenant_id, due_at, id)
  where status = 'open'
-- next step
drop index concurrently if exists billing.disputed_invoices
-- next step
create index concurrently disputed_invoices on billing.invoices (tenant_id, id) where disputed
-- next step
drop index concurrently if exists services.suspended_services
-- next step
create index concurrently suspended_services on services.services (tenant_id, id)
  where suspended_at is not null and ended_at is null
-- next step
drop index concurrently if exists services.services_due
-- next step
create index concurrently services_due on services.services (tenant_id, current_period_end, id)
  where ended_at is null
