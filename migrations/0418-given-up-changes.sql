-- in steps: a large shop has many changes, and people buy meanwhile
-- Whether a planned change of a service was given up is asked before its owner plans another.
drop index concurrently if exists services.upgrades_given_up
-- next step
create index concurrently upgrades_given_up on services.upgrades (tenant_id, service_id, failed_at)
  where failed_at is not null
