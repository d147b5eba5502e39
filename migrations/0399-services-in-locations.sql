-- in steps: the services of a location are found without reading all services of the shop
drop index concurrently if exists services.services_in_location
-- next step
create index concurrently services_in_location on services.services (tenant_id, location_id)
  where location_id is not null and ended_at is null
