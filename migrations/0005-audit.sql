-- The log of who did what, chained so that a change of it shows.

create schema audit;
select platform.open_schema('audit');

-- What was written with the change it tells of, and waits to be chained. No status code: the answer
-- is not known, because the request still runs or its process died.
create table audit.pending (
  tenant_id       uuid not null references tenants.tenants,
  id              uuid not null,
  actor_id        uuid,
  actor_kind      text,
  via             text,
  credential_id   text,
  impersonator_id uuid,
  method          text not null,
  route           text not null,
  object_id       uuid,
  request_id      text not null,
  changed         boolean not null,
  status_code     integer,
  address         text,
  occurred_at     timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index pending_by_time on audit.pending (occurred_at);
select platform.protect('audit.pending');

-- `hash` is the SHA-256 of the entry before and of this one, so that none can be changed, taken out
-- or put in between. Actors are ids, never names.
create table audit.entries (
  tenant_id       uuid not null references tenants.tenants,
  sequence        bigint not null,
  id              uuid not null,
  actor_id        uuid,
  actor_kind      text,
  via             text,
  credential_id   text,
  impersonator_id uuid,
  method          text not null,
  route           text not null,
  object_id       uuid,
  request_id      text not null,
  changed         boolean not null,
  status_code     integer,
  occurred_at     timestamptz(3) not null,
  personal_hash   bytea not null,
  hash            bytea not null,
  primary key (tenant_id, sequence)
);
create unique index one_entry_per_id on audit.entries (tenant_id, id);
create index entries_of_actor on audit.entries (tenant_id, actor_id, id);
create index entries_of_object on audit.entries (tenant_id, object_id, id);
create index entries_of_route on audit.entries (tenant_id, route, id);
create index entries_by_time on audit.entries (tenant_id, occurred_at);
select platform.protect('audit.entries', true);

-- What is personal in an entry. The chain holds its salted hash, so it can be erased.
create table audit.personal (
  tenant_id   uuid not null,
  id          uuid not null,
  salt        bytea,
  address     text,
  occurred_at timestamptz(3) not null,
  -- Set when the address was cut or erased: the hash in the chain is of what it was.
  reduced_at  timestamptz(3),
  primary key (tenant_id, id),
  check ((salt is null) = (reduced_at is not null))
);
create index personal_by_age on audit.personal (occurred_at) where reduced_at is null;
select platform.protect('audit.personal');

-- The end of every tenant's chain: without it, entries cut off at the end would not be missed.
create table audit.heads (
  tenant_id uuid primary key references tenants.tenants,
  sequence  bigint not null,
  hash      bytea not null
);
select platform.protect('audit.heads');
