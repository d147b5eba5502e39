-- Files that people attach to messages of tickets. The content is in the file store, under the id of the row.
create table support.attachments (
  tenant_id   uuid not null,
  id          uuid not null,
  uploaded_by uuid not null,
  -- Null until a message names the upload.
  ticket_id   uuid,
  message_id  uuid,
  name        text not null,
  media_type  text not null
    check (media_type in ('image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/octet-stream')),
  -- Until it is stored: the largest size that it can have, so that uploads at the same time share one limit.
  size_bytes  bigint not null check (size_bytes >= 0),
  sha256      bytea,
  created_at  timestamptz(3) not null,
  -- Null while the file arrives.
  stored_at   timestamptz(3),
  -- Nobody sees it any more; a job deletes the file, and then the row.
  erased_at   timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, uploaded_by) references users.users (tenant_id, id),
  foreign key (tenant_id, ticket_id) references support.tickets (tenant_id, id),
  foreign key (tenant_id, message_id) references support.messages (tenant_id, id),
  check ((ticket_id is null) = (message_id is null)),
  check (message_id is null or (stored_at is not null and erased_at is null)),
  check ((stored_at is null) = (sha256 is null))
);
comment on column support.attachments.media_type is
  'type: ''image/png'' | ''image/jpeg'' | ''image/gif'' | ''image/webp'' | ''application/octet-stream''';
create index attachments_of_message on support.attachments (tenant_id, message_id, id)
  where message_id is not null;
create index attachments_of_ticket on support.attachments (tenant_id, ticket_id)
  where ticket_id is not null;
create index attachments_of_person on support.attachments (tenant_id, uploaded_by, created_at);
create index attachments_unused on support.attachments (tenant_id, created_at)
  where message_id is null and erased_at is null;
create index attachments_by_age on support.attachments (tenant_id, created_at, id)
  where message_id is not null;
create index attachments_erased on support.attachments (tenant_id, id)
  where erased_at is not null;
select platform.protect('support.attachments');
