-- in steps: the news of a shop is found without reading its other announcements
drop index concurrently if exists notifications.news
-- next step
create index concurrently news on notifications.announcements (tenant_id, id) where public
