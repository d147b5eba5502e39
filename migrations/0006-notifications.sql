-- What people are told: in the panel, and by mail.

create schema notifications;
select platform.open_schema('notifications');

create table notifications.notifications (
  tenant_id  uuid not null,
  id         uuid not null,
  user_id    uuid not null,
  kind       text not null,
  title      text not null,
  body       text not null,
  link       text,
  data       jsonb not null,
  created_at timestamptz(3) not null,
  read_at    timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users
);
comment on column notifications.notifications.data is 'json: Record<string, unknown>';
create index notifications_of_user on notifications.notifications (tenant_id, user_id, id desc);
create index unread_of_user on notifications.notifications (tenant_id, user_id) where read_at is null;
select platform.protect('notifications.notifications');

-- Mails that were sent or, without a mail server, are kept. `reference` makes a repeat harmless.
create table notifications.mails (
  tenant_id  uuid not null,
  id         uuid not null,
  reference  text not null,
  kind       text not null,
  recipient  text not null,
  subject    text not null,
  body       text not null,
  created_at timestamptz(3) not null,
  sent_at    timestamptz(3),
  failure    text,
  primary key (tenant_id, id)
);
create unique index one_mail_per_reference on notifications.mails (tenant_id, reference);
select platform.protect('notifications.mails');
