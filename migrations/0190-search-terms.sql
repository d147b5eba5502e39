-- in steps: people and services are indexed by the words of their names, tenant by tenant
-- The form in which texts are searched: lower case, without accents, words separated by one space.
create or replace function platform.search_key(value text) returns text
language sql immutable parallel safe as $$
  select btrim(regexp_replace(
    lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g')),
    '[\s!-/:-@\[-`{-~]+', ' ', 'g'))
$$
-- next step
-- A text from each of its words on, cut off: what begins with a search key has it at the start of a word.
create or replace function platform.search_terms(texts text[]) returns setof text
language sql immutable parallel safe as $$
  select distinct left(array_to_string(words[place:], ' '), 60)
    from unnest(texts) as value
    cross join lateral string_to_array(platform.search_key(left(value, 400)), ' ') as words
    cross join lateral generate_series(1, least(cardinality(words), 12)) as place
   where words[place] <> ''
$$
-- next step
create table if not exists users.search_terms (
  tenant_id uuid not null,
  user_id   uuid not null,
  term      text collate "C" not null,
  primary key (tenant_id, user_id, term)
);
-- Compared by bytes: row-level security lets only such comparisons use an index.
create index if not exists people_by_term on users.search_terms (tenant_id, term, user_id);
create table if not exists services.search_terms (
  tenant_id  uuid not null,
  service_id uuid not null,
  term       text collate "C" not null,
  primary key (tenant_id, service_id, term)
);
create index if not exists services_by_term on services.search_terms (tenant_id, term, service_id);
drop policy if exists tenant on users.search_terms;
drop policy if exists tenant on services.search_terms;
select platform.protect('users.search_terms');
select platform.protect('services.search_terms')
-- next step
create or replace function users.index_new_people() returns trigger language plpgsql as $$
begin
  insert into users.search_terms (tenant_id, user_id, term)
  select person.tenant_id, person.id, term
    from added as person
    cross join lateral platform.search_terms(array[person.email, person.name, person.company]) as term
   where person.deleted_at is null
  on conflict do nothing;
  return null;
end $$;
create or replace function users.index_person_anew() returns trigger language plpgsql as $$
begin
  delete from users.search_terms where tenant_id = new.tenant_id and user_id = new.id;
  insert into users.search_terms (tenant_id, user_id, term)
  select new.tenant_id, new.id, term
    from platform.search_terms(array[new.email, new.name, new.company]) as term
   where new.deleted_at is null;
  return null;
end $$;
drop trigger if exists new_people_are_searched on users.users;
create trigger new_people_are_searched after insert on users.users
  referencing new table as added for each statement execute function users.index_new_people();
drop trigger if exists changed_people_are_searched on users.users;
create trigger changed_people_are_searched after update of email, name, company, deleted_at on users.users
  for each row when ((old.email, old.name, old.company, old.deleted_at)
    is distinct from (new.email, new.name, new.company, new.deleted_at))
  execute function users.index_person_anew()
-- next step
create or replace function services.index_new_services() returns trigger language plpgsql as $$
begin
  insert into services.search_terms (tenant_id, service_id, term)
  select service.tenant_id, service.id, term
    from added as service
    cross join lateral platform.search_terms(
      array[service.name, service.address, service.identifier, service.external_id]) as term
  on conflict do nothing;
  return null;
end $$;
create or replace function services.index_service_anew() returns trigger language plpgsql as $$
begin
  delete from services.search_terms where tenant_id = new.tenant_id and service_id = new.id;
  insert into services.search_terms (tenant_id, service_id, term)
  select new.tenant_id, new.id, term
    from platform.search_terms(array[new.name, new.address, new.identifier, new.external_id]) as term;
  return null;
end $$;
drop trigger if exists new_services_are_searched on services.services;
create trigger new_services_are_searched after insert on services.services
  referencing new table as added for each statement execute function services.index_new_services();
drop trigger if exists changed_services_are_searched on services.services;
create trigger changed_services_are_searched
  after update of name, address, identifier, external_id on services.services
  for each row when ((old.name, old.address, old.identifier, old.external_id)
    is distinct from (new.name, new.address, new.identifier, new.external_id))
  execute function services.index_service_anew()
-- next step
do $$
declare
  tenant uuid;
begin
  for tenant in select id from tenants.tenants order by id loop
    insert into users.search_terms (tenant_id, user_id, term)
    select person.tenant_id, person.id, term
      from users.users as person
      cross join lateral platform.search_terms(array[person.email, person.name, person.company]) as term
     where person.tenant_id = tenant and person.deleted_at is null
    on conflict do nothing;
    commit;
    insert into services.search_terms (tenant_id, service_id, term)
    select service.tenant_id, service.id, term
      from services.services as service
      cross join lateral platform.search_terms(
        array[service.name, service.address, service.identifier, service.external_id]) as term
     where service.tenant_id = tenant
    on conflict do nothing;
    commit;
  end loop;
end $$
