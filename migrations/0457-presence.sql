-- The pages of the administration that staff have open now. Rows are only valid for a minute, so the table is
-- unlogged: it costs no write-ahead log, and it is empty after a crash of the database server.
create unlogged table desk.presence (
  tenant_id uuid not null,
  kind      text not null,
  object_id uuid not null,
  user_id   uuid not null,
  writing   boolean not null,
  seen_at   timestamptz(3) not null,
  primary key (tenant_id, kind, object_id, user_id),
  foreign key (tenant_id, user_id) references users.users
);
create index presence_of_person on desk.presence (tenant_id, user_id);
create index presence_by_time on desk.presence (seen_at);
select platform.protect('desk.presence');
