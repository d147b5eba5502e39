-- Gift codes that become credit of the customer who redeems them.
create schema vouchers;
select platform.open_schema('vouchers');

-- The key with which a shop's codes are hashed. A hash cannot be made again after the installation's key has changed,
-- so the shop has a key of its own, which is sealed again instead.
create table vouchers.keys (
  tenant_id  uuid primary key references tenants.tenants,
  sealed_key text not null
);
select platform.protect('vouchers.keys');

create table vouchers.batches (
  tenant_id        uuid not null,
  id               uuid not null,
  name             text not null,
  amount_cents     bigint not null check (amount_cents > 0),
  currency         text not null,
  count            integer not null check (count between 1 and 10000),
  expires_at       timestamptz(3),
  created_by       uuid not null,
  created_at       timestamptz(3) not null,
  -- How many codes exist so far, and since when all of them do.
  made             integer not null default 0 check (made between 0 and count),
  ready_at         timestamptz(3),
  -- The first download of the codes. They are deleted when it is confirmed, or a day later.
  downloaded_at    timestamptz(3),
  codes_deleted_at timestamptz(3),
  -- Since when all vouchers that had not been redeemed are void.
  voided_at        timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, created_by) references users.users,
  check ((ready_at is not null) = (made = count))
);
create index batches_of_creator on vouchers.batches (tenant_id, created_by);
create index batches_with_codes on vouchers.batches (tenant_id, created_at) where codes_deleted_at is null;
select platform.protect('vouchers.batches');

create table vouchers.vouchers (
  tenant_id    uuid not null,
  id           uuid not null,
  batch_id     uuid not null,
  -- HMAC-SHA256 of the 16 characters of the code, with the key of the shop.
  code_hash    bytea not null,
  -- Only until the codes of the batch are deleted.
  sealed_code  text,
  last4        text not null check (length(last4) = 4),
  amount_cents bigint not null check (amount_cents > 0),
  currency     text not null,
  expires_at   timestamptz(3),
  created_at   timestamptz(3) not null,
  redeemed_at  timestamptz(3),
  redeemed_by  uuid,
  voided_at    timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, batch_id) references vouchers.batches,
  foreign key (tenant_id, redeemed_by) references users.users,
  check ((redeemed_at is null) = (redeemed_by is null)),
  check (redeemed_at is null or voided_at is null)
);
create unique index one_voucher_per_code on vouchers.vouchers (tenant_id, code_hash);
create index vouchers_of_batch on vouchers.vouchers (tenant_id, batch_id, id);
create index vouchers_of_customer on vouchers.vouchers (tenant_id, redeemed_by, id) where redeemed_by is not null;
create index vouchers_not_redeemed on vouchers.vouchers (tenant_id, id) where redeemed_at is null and voided_at is null;
create index vouchers_redeemed on vouchers.vouchers (tenant_id, id) where redeemed_at is not null;
create index redeemed_of_batch on vouchers.vouchers (tenant_id, batch_id) where redeemed_at is not null;
create index vouchers_void on vouchers.vouchers (tenant_id, id) where voided_at is not null;
select platform.protect('vouchers.vouchers');

-- Wrong codes that a customer has entered: when, never which. Deleted after a day.
create table vouchers.attempts (
  tenant_id     uuid not null,
  id            uuid not null,
  user_id       uuid not null,
  failed_at     timestamptz(3) not null,
  -- The attempt that is one too many for a day: no code of this customer is accepted until then.
  blocked_until timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users
);
create index attempts_of_customer on vouchers.attempts (tenant_id, user_id, failed_at);
create index attempts_by_time on vouchers.attempts (failed_at);
select platform.protect('vouchers.attempts');
