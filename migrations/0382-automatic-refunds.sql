-- in steps: a large shop has hundreds of thousands of rows, and people buy meanwhile
-- What decides whether a service that failed is refunded without staff: whether they began this way to a server, and
-- whether there may be one after it failed (null until then).
alter table services.provisioning
  add column if not exists by_staff boolean not null default false,
  add column if not exists server_may_exist boolean,
  add column if not exists refunded_at timestamptz(3),
  add column if not exists refund_put_off_at timestamptz(3)
-- next step
drop index concurrently if exists services.provisioning_refunded
-- next step
create index concurrently provisioning_refunded on services.provisioning (tenant_id, refunded_at)
  where refunded_at is not null
-- next step
drop index concurrently if exists services.provisioning_put_off
-- next step
create index concurrently provisioning_put_off on services.provisioning (tenant_id, refund_put_off_at)
  where refund_put_off_at is not null
