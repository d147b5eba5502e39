-- The request that a setup goes back to: one job goes on with the setups of others.
alter table services.provisioning add column request_id text;
