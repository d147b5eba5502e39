-- Announcements that visitors of the shop may read, too.

alter table notifications.announcements add column public boolean not null default false;
