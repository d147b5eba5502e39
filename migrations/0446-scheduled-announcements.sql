-- Announcements are drafts until they are published, at once or at a planned time.

-- Everything a process of the previous version adds is published at once.
alter table notifications.announcements
  add column published_at timestamptz(3) default now(),
  add column publish_at timestamptz(3),
  add check (published_at is null or publish_at is null);
update notifications.announcements set published_at = created_at;
