-- in steps: a large shop has millions of periods, and people buy meanwhile
-- Coupons also count periods that were given up, which the index of those that count does not have.
drop index concurrently if exists services.periods_of_service
-- next step
create index concurrently periods_of_service on services.periods (tenant_id, service_id)
