-- The texts that a shop wrote for a kind of mail in a language. Without a row the standard text is used.
create table notifications.mail_templates (
  tenant_id  uuid not null references tenants.tenants,
  kind       text not null check (kind <> ''),
  locale     text not null check (locale <> ''),
  subject    text not null check (subject <> ''),
  text       text not null check (text <> ''),
  updated_at timestamptz(3) not null,
  -- The placeholder because of which a mail was sent with the standard text, and when that first happened since the last edit.
  fault      text,
  fault_at   timestamptz(3),
  primary key (tenant_id, kind, locale),
  check ((fault is null) = (fault_at is null))
);
select platform.protect('notifications.mail_templates');
