-- in steps: what another system had is found by its id there
drop index concurrently if exists billing.imported_payments_by_source
-- next step
create index concurrently imported_payments_by_source
  on billing.imported_payments (tenant_id, source_id, id)
-- next step
drop index concurrently if exists billing.imported_credit_by_source
-- next step
create index concurrently imported_credit_by_source
  on billing.imported_credit (tenant_id, source_id, id)
-- next step
drop index concurrently if exists orders.imported_orders_by_source
-- next step
create index concurrently imported_orders_by_source
  on orders.imported_orders (tenant_id, source_id, id)
