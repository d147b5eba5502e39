-- in steps: announcements that are due are found without reading the others, and news are in the order of their publication
drop index concurrently if exists notifications.announcements_due
-- next step
create index concurrently announcements_due on notifications.announcements (tenant_id, publish_at)
  where publish_at is not null
-- next step
drop index concurrently if exists notifications.published_news
-- next step
create index concurrently published_news on notifications.announcements (tenant_id, published_at, id)
  where public and published_at is not null
