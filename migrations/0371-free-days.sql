-- Free days are a period without a price. While they last, a costlier plan costs the difference to this price of a
-- whole period; null for every other period.
alter table services.periods
  add column free_price_cents bigint,
  add column free_days integer,
  add column free_reason text;
alter table services.periods
  add constraint periods_free check (
    (free_price_cents is null) = (free_days is null)
    and (free_price_cents is null) = (free_reason is null)
    and (free_price_cents is null or free_price_cents >= 0 and free_days >= 0
      and invoice_id is null and paid_at is not null)
  ) not valid;

-- The end of the last free days: later periods are counted from there. Null where none were given.
alter table services.services add column free_until timestamptz(3);
