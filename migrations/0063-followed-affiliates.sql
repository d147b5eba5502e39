-- Affiliates of a Paymenter, and what a newer dump changes of affiliates who are known.

alter table imports.staged_affiliates
  -- What they are paid in, where it is not what their client pays in; the code in their links; a percentage
  -- of their own.
  add column currency bigint,
  add column code text,
  add column reward bigint,
  -- Of an affiliate who is known, in cents: by how much their balance changes here, how much of it was
  -- pending here and no longer is there, and whether it is less than nothing then.
  add column booked_change bigint,
  add column cleared bigint,
  add column overdrawn boolean;

alter table imports.staged_referrals
  -- The order that says who was brought, where it is no service; who that is, and when they first paid.
  add column order_ref bigint,
  add column client bigint,
  add column earned_at timestamptz;

alter table affiliation.imported_balances
  -- What was pending here and is in the balance there by now: it becomes available here by itself.
  add column cleared_cents bigint not null default 0,
  -- The import that brought the balance as it stands.
  add column updated_by uuid;
alter table affiliation.imported_commissions
  -- Since when it is no longer pending there.
  add column cleared_at timestamptz(3);
alter table affiliation.imported_commissions
  add check (kind = 'pending' or cleared_at is null) not valid;
