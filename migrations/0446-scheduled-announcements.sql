-- in steps: announcements are filled tenant by tenant, and their indexes are made without locking the table
-- Announcements are drafts until they are published, at once or at a planned time.
-- Everything that a process of the previous version adds is published at once.
alter table notifications.announcements
  add column if not exists published_at timestamptz(3) default now(),
  add column if not exists publish_at timestamptz(3),
  add column if not exists public_later boolean not null default false,
  drop constraint if exists unpublished,
  add constraint unpublished check (published_at is null or (publish_at is null and not public_later)) not valid,
  drop constraint if exists unpublished_is_hidden,
  add constraint unpublished_is_hidden check (published_at is not null or not public) not valid
-- next step
comment on column notifications.announcements.public_later is
  'Whether a draft will be public. `public` is false until then: processes of the previous version show everything that is public'
-- next step
-- Announcements from before this migration were published when they were created.
do $$
declare
  tenant uuid;
begin
  for tenant in select id from tenants.tenants order by id loop
    update notifications.announcements set published_at = created_at
     where tenant_id = tenant and created_at < published_at;
    commit;
  end loop;
end $$
-- next step
drop index concurrently if exists notifications.announcements_due
-- next step
create index concurrently announcements_due on notifications.announcements (tenant_id, publish_at)
  where publish_at is not null
-- next step
drop index concurrently if exists notifications.published_news
-- next step
create index concurrently published_news on notifications.announcements (tenant_id, published_at, id)
  where public and published_at is not null
