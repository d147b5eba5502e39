-- in steps: a large shop has hundreds of thousands of services, and people buy meanwhile
-- Staff see how many services each plan has: counted from this index alone.
drop index concurrently if exists services.services_of_plan
-- next step
create index concurrently services_of_plan on services.services (tenant_id, product_id, plan_id)
  where ended_at is null
