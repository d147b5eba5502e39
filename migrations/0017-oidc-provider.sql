-- Signing people in for other applications: keys, what people allowed, and what was handed out.

-- The keys ID tokens are signed with. A key is published before it signs, and a while after.
create table oidc.signing_keys (
  tenant_id  uuid not null references tenants.tenants,
  -- Counts up: two processes that rotate at once make the same one, and only one of them can.
  generation integer not null check (generation > 0),
  id         uuid not null,
  sealed_key text not null,
  created_at timestamptz(3) not null,
  signs_at   timestamptz(3) not null,
  primary key (tenant_id, generation)
);
select platform.protect('oidc.signing_keys');

-- What a person allowed a client, in one sign-in. Every code and token hangs on its grant, so that
-- none can be written once the grant is gone, and all end with it.
create table oidc.grants (
  tenant_id  uuid not null,
  id         text not null check (length(id) between 20 and 100),
  user_id    uuid not null,
  client_id  uuid not null,
  scopes     text[] not null,
  payload    jsonb not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users,
  foreign key (tenant_id, client_id) references oidc.clients on delete cascade
);
comment on column oidc.grants.payload is 'json: object';
create index grants_of_user on oidc.grants (tenant_id, user_id, client_id);
create index grants_of_client on oidc.grants (tenant_id, client_id);
create index grants_by_end on oidc.grants (expires_at);
select platform.protect('oidc.grants');

-- Which session of its person a browser's session here stands on: ended there, it is ended here,
-- with all that was handed out through it.
create table oidc.sign_ins (
  tenant_id       uuid not null,
  uid             text not null,
  user_id         uuid not null,
  user_session_id uuid not null,
  expires_at      timestamptz(3) not null,
  primary key (tenant_id, uid),
  foreign key (tenant_id, user_id) references users.users
);
create index sign_ins_of_user on oidc.sign_ins (tenant_id, user_id);
create index sign_ins_by_end on oidc.sign_ins (expires_at);
select platform.protect('oidc.sign_ins');

-- Sessions of browsers, sign-ins under way, codes and tokens. `hash`: of what the browser or the
-- client holds; that itself is nowhere in the database.
create table oidc.artifacts (
  tenant_id   uuid not null,
  kind        text not null check (kind in
                ('Session', 'Interaction', 'AuthorizationCode', 'AccessToken', 'RefreshToken')),
  hash        bytea not null,
  -- The name of the browser's session, which its tokens know too; it opens nothing.
  uid         text,
  grant_id    text,
  user_id     uuid,
  client_id   uuid,
  payload     jsonb not null,
  created_at  timestamptz(3) not null,
  expires_at  timestamptz(3) not null,
  consumed_at timestamptz(3),
  primary key (tenant_id, kind, hash),
  constraint artifacts_hang_on_grant
    foreign key (tenant_id, grant_id) references oidc.grants on delete cascade,
  foreign key (tenant_id, user_id) references users.users,
  foreign key (tenant_id, client_id) references oidc.clients on delete cascade,
  check ((kind in ('AuthorizationCode', 'AccessToken', 'RefreshToken')) = (grant_id is not null)),
  check (kind <> 'Session' or uid is not null)
);
comment on column oidc.artifacts.kind is
  'type: ''Session'' | ''Interaction'' | ''AuthorizationCode'' | ''AccessToken'' | ''RefreshToken''';
comment on column oidc.artifacts.payload is 'json: object';
create unique index one_session_per_uid on oidc.artifacts (tenant_id, uid) where kind = 'Session';
create index artifacts_of_grant on oidc.artifacts (tenant_id, grant_id);
create index artifacts_of_user on oidc.artifacts (tenant_id, user_id);
create index artifacts_of_client on oidc.artifacts (tenant_id, client_id);
create index artifacts_by_end on oidc.artifacts (expires_at);
select platform.protect('oidc.artifacts');
