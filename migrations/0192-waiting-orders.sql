-- in steps: orders that wait are counted without reading those that are done
drop index concurrently if exists orders.waiting_orders
-- next step
create index concurrently waiting_orders on orders.orders (tenant_id, id)
  where fulfilled_at is null and canceled_at is null
-- next step
drop index concurrently if exists billing.open_invoices_of_tenant
-- next step
create index concurrently open_invoices_of_tenant on billing.invoices (tenant_id, due_at, id)
  where status = 'open'
