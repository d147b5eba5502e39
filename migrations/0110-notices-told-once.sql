-- in steps: every notification may name the piece of work that told it
-- `told_by` is the piece of work (one listener's job for one event), the kind and what it is about. A job
-- that is retried writes the same, and the index refuses the second. Null outside jobs: a request has its
-- idempotency key, and work of the time finds its state changed.
alter table notifications.notifications add column if not exists told_by text
-- next step
drop index concurrently if exists notifications.one_notice_per_event
-- next step
create unique index concurrently one_notice_per_event
  on notifications.notifications (tenant_id, user_id, told_by) where told_by is not null
