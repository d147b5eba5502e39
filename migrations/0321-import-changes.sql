-- The state of the rows of a dump, so that the next dump of the same system can be compared with it. It names no
-- people: of their rows only a hash is kept.
create table imports.snapshots (
  tenant_id uuid not null,
  import_id uuid not null,
  system    text not null,
  taken_at  timestamptz(3) not null,
  primary key (tenant_id, import_id),
  foreign key (tenant_id, import_id) references imports.imports
);
create index snapshots_by_system on imports.snapshots (tenant_id, system, taken_at);
select platform.protect('imports.snapshots');

create table imports.snapshot_rows (
  tenant_id uuid not null,
  import_id uuid not null,
  resource  text not null check (resource in ('invoices', 'people', 'prices', 'services')),
  source_id bigint not null,
  hash      uuid not null,
  -- In hundredths of the currency's unit.
  amount    bigint,
  facts     text,
  primary key (tenant_id, import_id, resource, source_id)
);
comment on column imports.snapshot_rows.resource is
  'type: ''invoices'' | ''people'' | ''prices'' | ''services''';
select platform.protect('imports.snapshot_rows');
