-- What staff note about a service, for each other.
create table services.notes (
  tenant_id  uuid not null,
  id         uuid not null,
  service_id uuid not null,
  author_id  uuid not null,
  text       text not null check (text <> ''),
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, service_id) references services.services on delete cascade
);
create index notes_of_service on services.notes (tenant_id, service_id, id);
select platform.protect('services.notes');
