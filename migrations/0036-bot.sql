-- Bots: their tokens, which roles people have where they chat, and what a bot still has to do.

create schema bot;
select platform.open_schema('bot');

create table bot.tokens (
  tenant_id          uuid not null references tenants.tenants,
  id                 uuid not null,
  name               text not null check (length(name) between 1 and 200),
  scopes             text[] not null
                     check (scopes <@ array['users:read', 'roles:read', 'notifications:read']),
  prefix             text not null,
  hash               bytea not null,
  allowed_ips        text[] not null default '{}',
  created_at         timestamptz(3) not null,
  expires_at         timestamptz(3),
  last_used_at       timestamptz(3),
  revoked_at         timestamptz(3),
  -- Up to where it has applied the changes of roles; null: it has never had all of them.
  applied_sequence   bigint check (applied_sequence >= 0),
  -- Notifications before this one are done with, or were there before the token.
  notifications_from uuid not null,
  primary key (tenant_id, id)
);
comment on column bot.tokens.scopes is
  'type: (''users:read'' | ''roles:read'' | ''notifications:read'')[]';
create unique index one_bot_token_per_hash on bot.tokens (tenant_id, hash);
select platform.protect('bot.tokens');

-- Who gets a role: those of whom `source` is true. Where several rows name one role, any of them.
create table bot.role_mappings (
  tenant_id        uuid not null references tenants.tenants,
  id               uuid not null,
  discord_guild_id text not null check (discord_guild_id ~ '^[0-9]{5,20}$'),
  discord_role_id  text not null check (discord_role_id ~ '^[0-9]{5,20}$'),
  source           text not null
                   check (source in ('product', 'plan', 'active_service', 'rbac_role', 'group')),
  source_id        uuid,
  created_at       timestamptz(3) not null,
  primary key (tenant_id, id),
  check ((source = 'active_service') = (source_id is null))
);
comment on column bot.role_mappings.source is
  'type: ''product'' | ''plan'' | ''active_service'' | ''rbac_role'' | ''group''';
create unique index one_mapping_of_a_kind on bot.role_mappings
  (tenant_id, discord_guild_id, discord_role_id, source, source_id) nulls not distinct;
select platform.protect('bot.role_mappings');

-- One row per tenant. Whoever holds its lock appends: so sequences become visible in their order.
create table bot.feeds (
  tenant_id        uuid primary key references tenants.tenants,
  last_sequence    bigint not null default 0 check (last_sequence >= trimmed_sequence),
  -- Changes up to this one are no longer kept.
  trimmed_sequence bigint not null default 0 check (trimmed_sequence >= 0)
);
select platform.protect('bot.feeds');

create table bot.role_changes (
  tenant_id  uuid not null,
  sequence   bigint not null,
  discord_id text not null,
  guild_id   text not null,
  role_id    text not null,
  action     text not null check (action in ('add', 'remove')),
  created_at timestamptz(3) not null,
  primary key (tenant_id, sequence),
  foreign key (tenant_id) references bot.feeds
);
comment on column bot.role_changes.action is 'type: ''add'' | ''remove''';
create index role_changes_by_age on bot.role_changes (tenant_id, created_at);
create index role_changes_of_member on bot.role_changes (tenant_id, discord_id);
select platform.protect('bot.role_changes');

-- What the feed has said: the roles that members have for a bot that has applied all of it.
create table bot.grants (
  tenant_id  uuid not null,
  discord_id text not null,
  guild_id   text not null,
  role_id    text not null,
  -- No foreign key: its lock on the person, taken while the feed is held, would meet that of somebody
  -- whose account ends, who holds the person and waits for the feed.
  user_id    uuid not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, discord_id, guild_id, role_id)
);
create index grants_of_user on bot.grants (tenant_id, user_id);
select platform.protect('bot.grants');

-- Notifications that a bot has passed on, until all before them are too.
create table bot.delivered (
  tenant_id       uuid not null,
  token_id        uuid not null,
  notification_id uuid not null,
  primary key (tenant_id, token_id, notification_id),
  foreign key (tenant_id, token_id) references bot.tokens
);
select platform.protect('bot.delivered');
