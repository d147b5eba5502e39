-- What changed about eggs, for whoever sells servers made of them.

create table panel.egg_changes (
  tenant_id  uuid not null references tenants.tenants,
  id         uuid not null,
  egg_id     uuid not null,
  changes    jsonb not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, egg_id) references panel.eggs
);
comment on column panel.egg_changes.changes is 'json: {
      variables: { env: string; change: ''added'' | ''removed'' | ''changed''; fields: string[] }[]
      images: { added: string[]; removed: string[] }
      startup: { added: string[]; removed: string[] }
    }';
create index changes_of_egg on panel.egg_changes (tenant_id, egg_id, id);
select platform.protect('panel.egg_changes');

-- A file that names its egg by a uuid is that egg, however it reads by now.
update panel.eggs as egg set uuid = null
 where source = 'file' and uuid is not null
   and exists (select from panel.eggs as older
                where older.tenant_id = egg.tenant_id and older.source = 'file'
                  and older.uuid = egg.uuid and older.id < egg.id);
create unique index one_file_per_uuid on panel.eggs (tenant_id, uuid)
  where source = 'file' and uuid is not null;

create index products_of_egg on store.products (tenant_id, (provisioning ->> 'eggId'))
  where provisioning is not null;
