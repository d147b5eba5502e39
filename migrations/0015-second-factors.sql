-- How people prove that it is them, beyond the password: codes, passkeys, linked accounts.

-- When the session showed a second factor; null for one that a password alone opened.
alter table users.sessions add column second_factor_at timestamptz(3);

-- The seed of a person's codes. It counts once it is confirmed; `last_step` is the newest period
-- of 30 seconds whose code was used, so that no code works twice.
create table users.totp_secrets (
  tenant_id     uuid not null,
  user_id       uuid not null,
  sealed_secret text not null,
  created_at    timestamptz(3) not null,
  confirmed_at  timestamptz(3),
  last_step     bigint not null default 0,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users.users
);
select platform.protect('users.totp_secrets');

create table users.recovery_codes (
  tenant_id  uuid not null,
  id         uuid not null,
  user_id    uuid not null,
  hash       bytea not null,
  created_at timestamptz(3) not null,
  used_at    timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users
);
create unique index one_recovery_code_per_hash on users.recovery_codes (tenant_id, user_id, hash);
select platform.protect('users.recovery_codes');

-- Sign-ins that wait for their second factor: the password was right.
create table users.pending_sign_ins (
  tenant_id  uuid not null,
  id         uuid not null,
  user_id    uuid not null,
  hash       bytea not null,
  failures   integer not null default 0,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users
);
create unique index one_pending_sign_in_per_hash on users.pending_sign_ins (tenant_id, hash);
create index pending_sign_ins_of_user on users.pending_sign_ins (tenant_id, user_id);
create index pending_sign_ins_by_end on users.pending_sign_ins (expires_at);
select platform.protect('users.pending_sign_ins');

-- Keys of a person's devices. `rp_id`: the host name that the key was made for.
create table users.passkeys (
  tenant_id     uuid not null,
  id            uuid not null,
  user_id       uuid not null,
  name          text not null check (length(name) between 1 and 200),
  credential_id text not null check (length(credential_id) <= 1400),
  public_key    bytea not null,
  rp_id         text not null,
  counter       bigint not null check (counter >= 0),
  transports    text[] not null,
  backed_up     boolean not null,
  created_at    timestamptz(3) not null,
  last_used_at  timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users
);
create unique index one_passkey_per_credential on users.passkeys (tenant_id, credential_id);
create index passkeys_of_user on users.passkeys (tenant_id, user_id, id);
select platform.protect('users.passkeys');

-- What an authenticator is asked to sign. Each is deleted when it comes back, right or wrong.
create table users.passkey_challenges (
  tenant_id          uuid not null,
  id                 uuid not null,
  purpose            text not null check (purpose in ('register', 'sign_in', 'second_factor')),
  hash               bytea not null,
  user_id            uuid,
  session_id         uuid,
  pending_sign_in_id uuid,
  created_at         timestamptz(3) not null,
  expires_at         timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users,
  check ((purpose = 'sign_in') = (user_id is null)),
  check ((purpose = 'register') = (session_id is not null)),
  check ((purpose = 'second_factor') = (pending_sign_in_id is not null))
);
comment on column users.passkey_challenges.purpose is
  'type: ''register'' | ''sign_in'' | ''second_factor''';
create unique index one_passkey_challenge_per_hash on users.passkey_challenges (tenant_id, hash);
create index passkey_challenges_of_user on users.passkey_challenges (tenant_id, user_id);
create index passkey_challenges_by_end on users.passkey_challenges (expires_at);
select platform.protect('users.passkey_challenges');

-- Guesses at an account, counted per network they come from, and over all networks ('*').
-- `account` is the person's id, or stands for an address that nobody has.
create table users.guesses (
  tenant_id    uuid not null,
  account      uuid not null,
  network      text not null,
  failures     integer not null check (failures >= 0),
  guessed_at   timestamptz(3) not null,
  -- When somebody last signed in from there.
  signed_in_at timestamptz(3),
  primary key (tenant_id, account, network)
);
create index guesses_by_age on users.guesses (guessed_at);
select platform.protect('users.guesses');

-- Accounts elsewhere that belong to a person here.
create table users.connections (
  tenant_id  uuid not null,
  id         uuid not null,
  user_id    uuid not null,
  provider   text not null check (provider in ('discord')),
  account_id text not null,
  name       text not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users
);
comment on column users.connections.provider is 'type: ''discord''';
create unique index one_connection_per_account
  on users.connections (tenant_id, provider, account_id);
create unique index one_connection_per_provider on users.connections (tenant_id, user_id, provider);
select platform.protect('users.connections');

-- Links that were begun: the person has gone to the provider, and may come back once.
create table users.connection_starts (
  tenant_id       uuid not null,
  id              uuid not null,
  user_id         uuid not null,
  session_id      uuid not null,
  provider        text not null check (provider in ('discord')),
  network         text not null,
  redirect_uri    text not null,
  sealed_verifier text not null,
  created_at      timestamptz(3) not null,
  expires_at      timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users
);
comment on column users.connection_starts.provider is 'type: ''discord''';
create index connection_starts_of_user on users.connection_starts (tenant_id, user_id);
create index connection_starts_by_end on users.connection_starts (expires_at);
select platform.protect('users.connection_starts');
