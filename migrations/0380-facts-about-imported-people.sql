-- What another system knew of a person, and for which there is no field here.
create table users.facts (
  tenant_id uuid not null,
  id        uuid not null,
  user_id   uuid not null,
  position  integer not null,
  label     text not null check (label <> ''),
  text      text not null check (text <> ''),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users
);
create index facts_of_user on users.facts (tenant_id, user_id, position);
select platform.protect('users.facts');

alter table imports.staged_clients
  add column confirmed boolean,
  add column notes text;
alter table imports.staged_logins add column confirmed boolean;

-- Fields that the host had added for customers, and what they hold.
create table imports.staged_custom_fields (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  label      text,
  outcome    text,
  reason     text,
  target_id  uuid
);
select platform.protect('imports.staged_custom_fields');
alter table imports.staged_custom_fields replica identity full;
create index staged_custom_fields_by_import on imports.staged_custom_fields using brin (import_id);

create table imports.staged_custom_values (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  client     bigint,
  field      bigint,
  text       text,
  outcome    text,
  reason     text,
  target_id  uuid
);
select platform.protect('imports.staged_custom_values');
alter table imports.staged_custom_values replica identity full;
create index staged_custom_values_by_import on imports.staged_custom_values using brin (import_id);

create table imports.staged_contacts (
  tenant_id  uuid not null,
  import_id  uuid not null,
  row_number bigint not null,
  source_id  bigint not null,
  client     bigint,
  text       text,
  outcome    text,
  reason     text,
  target_id  uuid
);
select platform.protect('imports.staged_contacts');
alter table imports.staged_contacts replica identity full;
create index staged_contacts_by_import on imports.staged_contacts using brin (import_id);
