-- People, catalogue and balances that come from another system.

-- An id as the application makes them (UUIDv7), of the moment that a row is about.
create function platform.new_id(at timestamptz) returns uuid language sql volatile as $$
  select (lpad(to_hex(greatest(0, floor(extract(epoch from at) * 1000))::bigint), 12, '0')
    || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$;

-- The passwords of people who came from another system, as that kept them, until their first sign-in.
create table users.legacy_passwords (
  tenant_id   uuid not null,
  user_id     uuid not null,
  -- none: there is nothing to compare with; a new one is to be set by a link.
  form        text not null check (form in ('bcrypt', 'md5salt', 'hmac-sha256', 'md5', 'none')),
  -- Sealed under the installation's key and bound to this row: some of these are quick to guess.
  sealed_hash text,
  created_at  timestamptz(3) not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users.users,
  check ((form = 'none') = (sealed_hash is null))
);
comment on column users.legacy_passwords.form is
  'type: ''bcrypt'' | ''md5salt'' | ''hmac-sha256'' | ''md5'' | ''none''';
select platform.protect('users.legacy_passwords');

create index origins_of_import on imports.origins (tenant_id, import_id, source_table);
-- What the old system held by what it is here: its rows are looked up by both ids.
create index origins_by_target on imports.origins (tenant_id, target_id);

-- The id that a row of another system gets here: the same whenever it is asked for, so that what
-- hangs on that row finds it without a look.
create function imports.id_of(at timestamptz, import_id uuid, resource text, source_id bigint)
returns uuid language sql immutable as $$
  select (lpad(to_hex(greatest(0, floor(extract(epoch from at) * 1000))::bigint), 12, '0')
    || '7' || substr(digest, 1, 3) || '8' || substr(digest, 4, 15))::uuid
  from (select md5(import_id || resource || source_id) as digest) as made
$$;

-- The currency that prices without one are in; and what a coupon asks for that no coupon here can.
alter table imports.staged_currencies add column main boolean;
alter table imports.staged_coupons add column restricted boolean;
