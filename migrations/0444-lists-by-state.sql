-- in steps: lists of staff by a state or a kind that few rows have are read from an index, whatever the size of the shop
drop index concurrently if exists services.services_by_status
-- next step
create index concurrently services_by_status on services.services (tenant_id, (case
  when ended_at is not null then 'ended'
  when suspended_at is not null then 'suspended'
  when activated_at is not null then 'active'
  when failed_at is not null then 'failed'
  when paid_at is not null then 'provisioning'
  else 'pending' end), id)
-- next step
drop index concurrently if exists services.services_of_product_by_id
-- next step
create index concurrently services_of_product_by_id on services.services (tenant_id, product_id, id)
-- next step
drop index concurrently if exists services.services_of_plan_by_id
-- next step
create index concurrently services_of_plan_by_id on services.services (tenant_id, plan_id, id)
-- next step
drop index concurrently if exists services.services_on_node_by_id
-- next step
create index concurrently services_on_node_by_id on services.services (tenant_id, node_id, id)
  where node_id is not null
-- next step
drop index concurrently if exists orders.unpaid_orders
-- next step
create index concurrently unpaid_orders on orders.orders (tenant_id, id)
  where paid_at is null and fulfilled_at is null and canceled_at is null
-- next step
drop index concurrently if exists orders.canceled_orders
-- next step
create index concurrently canceled_orders on orders.orders (tenant_id, id)
  where canceled_at is not null
-- next step
drop index concurrently if exists billing.attempts_in_state
-- next step
create index concurrently attempts_in_state on billing.payment_attempts (tenant_id, state, id)
-- next step
drop index concurrently if exists billing.invoices_in_status
-- next step
create index concurrently invoices_in_status on billing.invoices (tenant_id, status, id)
  where status <> 'paid'
-- next step
drop index concurrently if exists billing.invoices_of_kind
-- next step
create index concurrently invoices_of_kind on billing.invoices (tenant_id, kind, id)
-- next step
drop index concurrently if exists users.suspended_people
-- next step
create index concurrently suspended_people on users.users (tenant_id, id)
  where suspended_at is not null
-- next step
drop index concurrently if exists users.unverified_people
-- next step
create index concurrently unverified_people on users.users (tenant_id, id)
  where email_verified_at is null
-- next step
drop index concurrently if exists users.people_of_country
-- next step
create index concurrently people_of_country on users.users (tenant_id, country, id)
-- next step
drop index concurrently if exists audit.entries_of_method
-- next step
create index concurrently entries_of_method on audit.entries (tenant_id, method, id)
-- next step
drop index concurrently if exists notifications.mails_of_kind
-- next step
create index concurrently mails_of_kind on notifications.mails (tenant_id, kind, id)
-- next step
drop index concurrently if exists services.services_of_product
-- next step
drop index concurrently if exists services.services_on_node
