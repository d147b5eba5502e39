-- in steps: the index is made without locking the table
-- When the customer of an answered ticket was reminded that it will be closed; a message of either side empties it.
alter table support.tickets add column if not exists closing_notice_at timestamptz(3)
-- next step
-- The rows that exist were closed by one of the others; the next migration validates the constraint.
alter table support.tickets
  drop constraint if exists tickets_closed_by_check,
  add constraint tickets_closed_by_check check (closed_by in ('customer', 'staff', 'auto', 'erasure')) not valid
-- next step
comment on column support.tickets.closed_by is 'type: ''customer'' | ''staff'' | ''auto'' | ''erasure'''
-- next step
drop index concurrently if exists support.tickets_closing
-- next step
create index concurrently tickets_closing on support.tickets (tenant_id, last_message_at, id)
  where closed_at is null and on_hold_at is null and waiting_since is null
