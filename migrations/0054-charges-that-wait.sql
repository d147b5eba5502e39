-- A charge that waits: a page to pay the same invoice is open at a provider, and may still be paid.
alter table services.periods add column charge_again_at timestamptz(3);
create index periods_to_charge on services.periods (charge_again_at)
  where charge_again_at is not null;
