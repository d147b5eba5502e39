-- in steps: a large shop has hundreds of thousands of changes, and people buy meanwhile
-- What each customer brings in per month is added up from this index alone.
drop index concurrently if exists services.recurring_of_customer
-- next step
create index concurrently recurring_of_customer on services.recurring (tenant_id, user_id, currency)
  include (change_cents, created_at)
