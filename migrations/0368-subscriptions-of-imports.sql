-- Subscriptions at a payment provider, of a system that stores them in a table of their own: they charge customers until
-- they are canceled there.
create table imports.staged_subscriptions (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  client     bigint,
  -- The invoice that began it; 0: unknown.
  invoice    bigint,
  -- Its id at the provider.
  reference  text,
  outcome    text,
  reason     text,
  target_id  uuid
);
select platform.protect('imports.staged_subscriptions');
alter table imports.staged_subscriptions replica identity full;
create index staged_subscriptions_by_import on imports.staged_subscriptions using brin (import_id);
