-- What staff note about a customer, for each other.
create table users.notes (
  tenant_id  uuid not null,
  id         uuid not null,
  user_id    uuid not null,
  author_id  uuid not null,
  text       text not null check (text <> ''),
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users
);
create index notes_of_user on users.notes (tenant_id, user_id, id);
select platform.protect('users.notes');
-- Why an administrator acts as somebody, in their own words; null before reasons were asked for.
alter table users.sessions add column impersonation_reason text;
