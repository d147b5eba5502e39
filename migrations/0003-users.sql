-- People: who they are, how they sign in, and the credentials they hold.

create schema users;
select platform.open_schema('users');

create table users.users (
  tenant_id         uuid not null references tenants.tenants,
  id                uuid not null,
  email             text not null check (email = lower(email) and length(email) <= 254),
  -- The address the person wants instead; it counts once it is confirmed.
  pending_email     text check (pending_email = lower(pending_email)),
  email_verified_at timestamptz(3),
  password_hash     text,
  name              text not null check (length(name) between 1 and 200),
  company           text,
  vat_number        text,
  vat_status        text not null default 'none'
                    check (vat_status in ('none', 'unchecked', 'valid', 'invalid', 'unavailable')),
  country           text check (country ~ '^[A-Z]{2}$'),
  address_line1     text,
  address_line2     text,
  address_postcode  text,
  address_city      text,
  address_region    text,
  address_country   text check (address_country ~ '^[A-Z]{2}$'),
  locale            text not null default 'en' check (locale in ('en', 'fr')),
  mfa_enabled_at    timestamptz(3),
  created_at        timestamptz(3) not null,
  suspended_at      timestamptz(3),
  deleted_at        timestamptz(3),
  primary key (tenant_id, id),
  check ((vat_number is null) = (vat_status = 'none')),
  check ((address_line1 is null) = (address_country is null)),
  check ((address_line1 is null) = (address_postcode is null)),
  check ((address_line1 is null) = (address_city is null))
);
comment on column users.users.vat_status is
  'type: ''none'' | ''unchecked'' | ''valid'' | ''invalid'' | ''unavailable''';
comment on column users.users.locale is 'type: ''en'' | ''fr''';
create unique index one_user_per_email on users.users (tenant_id, email);
create index users_by_email_start on users.users (tenant_id, email text_pattern_ops);
create index users_by_name_start on users.users (tenant_id, lower(name) text_pattern_ops);
select platform.protect('users.users');

create table users.sessions (
  tenant_id       uuid not null,
  id              uuid not null,
  user_id         uuid not null,
  address         text,
  user_agent      text check (length(user_agent) <= 300),
  impersonator_id uuid,
  created_at      timestamptz(3) not null,
  refreshed_at    timestamptz(3) not null,
  expires_at      timestamptz(3) not null,
  revoked_at      timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users
);
create index sessions_of_user on users.sessions (tenant_id, user_id, id);
create index sessions_by_end on users.sessions (expires_at);
select platform.protect('users.sessions');

-- The tokens of one session are a family. `rotated_at`: when the next one took its place.
create table users.refresh_tokens (
  tenant_id  uuid not null,
  id         uuid not null,
  session_id uuid not null,
  hash       bytea not null,
  created_at timestamptz(3) not null,
  rotated_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, session_id) references users.sessions on delete cascade
);
create unique index one_refresh_token_per_hash on users.refresh_tokens (tenant_id, hash);
create index refresh_tokens_of_session on users.refresh_tokens (tenant_id, session_id);
select platform.protect('users.refresh_tokens');

create table users.api_keys (
  tenant_id    uuid not null,
  id           uuid not null,
  user_id      uuid not null,
  name         text check (length(name) between 1 and 200),
  permission   text not null check (permission in ('read', 'read-write')),
  prefix       text not null,
  hash         bytea not null,
  allowed_ips  text[] not null default '{}',
  created_at   timestamptz(3) not null,
  expires_at   timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at   timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users
);
comment on column users.api_keys.permission is 'type: ''read'' | ''read-write''';
create unique index one_api_key_per_hash on users.api_keys (tenant_id, hash);
create index api_keys_of_user on users.api_keys (tenant_id, user_id, id);
select platform.protect('users.api_keys');

-- Links that went out by e-mail. Each works once, for the address it was sent to.
create table users.email_tokens (
  tenant_id  uuid not null,
  id         uuid not null,
  user_id    uuid not null,
  purpose    text not null check (purpose in ('verify', 'reset')),
  email      text not null,
  hash       bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at    timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users
);
comment on column users.email_tokens.purpose is 'type: ''verify'' | ''reset''';
create unique index one_email_token_per_hash on users.email_tokens (tenant_id, hash);
create index email_tokens_of_user on users.email_tokens (tenant_id, user_id, purpose);
create index email_tokens_by_end on users.email_tokens (expires_at);
select platform.protect('users.email_tokens');
