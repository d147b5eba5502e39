-- Applications that sign their users in through this shop.

create schema oidc;
select platform.open_schema('oidc');

create table oidc.clients (
  tenant_id                 uuid not null references tenants.tenants,
  id                        uuid not null,
  name                      text not null check (length(name) between 1 and 200),
  type                      text not null check (type in ('confidential', 'public')),
  redirect_uris             text[] not null,
  post_logout_redirect_uris text[] not null,
  scopes                    text[] not null,
  -- How long the old secret still works when a new one is made.
  secret_overlap_seconds    integer not null check (secret_overlap_seconds >= 0),
  secret_hash               bytea,
  secret_end                text check (length(secret_end) = 4),
  previous_secret_hash      bytea,
  previous_secret_ends_at   timestamptz(3),
  created_at                timestamptz(3) not null,
  primary key (tenant_id, id),
  check ((type = 'confidential') = (secret_hash is not null)),
  check ((secret_hash is null) = (secret_end is null)),
  check ((previous_secret_hash is null) = (previous_secret_ends_at is null)),
  check (secret_hash is not null or previous_secret_hash is null)
);
comment on column oidc.clients.type is 'type: ''confidential'' | ''public''';
select platform.protect('oidc.clients');
