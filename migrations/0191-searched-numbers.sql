-- in steps: numbers and codes are found by how they begin, compared by bytes
drop index concurrently if exists billing.invoices_by_number_start
-- next step
create index concurrently invoices_by_number_start
  on billing.invoices (tenant_id, number text_pattern_ops) where number is not null
-- next step
drop index concurrently if exists orders.orders_by_number_start
-- next step
create index concurrently orders_by_number_start on orders.orders (tenant_id, number text_pattern_ops)
-- next step
drop index concurrently if exists store.coupons_by_code_start
-- next step
create index concurrently coupons_by_code_start on store.coupons (tenant_id, code text_pattern_ops)
-- next step
drop index concurrently if exists billing.credit_notes_by_number_start
-- next step
create index concurrently credit_notes_by_number_start
  on billing.credit_notes (tenant_id, number text_pattern_ops)
