-- in steps: imports of large shops have hundreds of thousands of payments and orders
-- Staff search them by the id at the provider, and by their number.
drop index concurrently if exists billing.imported_payments_of_reference
-- next step
create index concurrently imported_payments_of_reference
  on billing.imported_payments (tenant_id, reference) where reference <> ''
-- next step
drop index concurrently if exists orders.imported_orders_of_number
-- next step
create index concurrently imported_orders_of_number on orders.imported_orders (tenant_id, number)
