-- The mail server of a shop: its mails go through it instead of the one of the installation.
create table notifications.mail_servers (
  tenant_id       uuid not null primary key references tenants.tenants,
  host            text not null check (host <> ''),
  port            integer not null check (port between 1 and 65535),
  -- tls: from the first byte; starttls: required; none: for relays without sign-in.
  security        text not null check (security in ('tls', 'starttls', 'none')),
  username        text,
  -- Bound to its row.
  sealed_password text,
  -- Another one with each change of the settings: the result of an attempt with older ones is dropped.
  edition         uuid not null,
  -- Of the last attempt whose result was new: null before the first one.
  checked_at      timestamptz(3),
  -- Why the server took no mail at the last attempt, and since when; null while it works.
  fault           text,
  failing_since   timestamptz(3),
  updated_at      timestamptz(3) not null,
  check ((username is null) = (sealed_password is null)),
  check (security <> 'none' or username is null),
  check ((fault is null) = (failing_since is null))
);
comment on column notifications.mail_servers.security is 'type: ''tls'' | ''starttls'' | ''none''';
select platform.protect('notifications.mail_servers');
