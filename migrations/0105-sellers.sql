-- A shop sells only once its seller is complete: there is no default seller any more.

-- Since when the seller's name, address and tax decision are complete; null: the shop sells nothing.
alter table tenants.tenants add column seller_ready_at timestamptz(3);

do $$
begin
  perform set_config('moorage.tenant', '*', true);
  -- A seller with a name and an address of its own sells on. Its tax decision is the one by which it
  -- has been invoicing, and what was filled in for it until now is written down.
  update tenants.tenants
    set seller_ready_at = now(),
        seller = seller || jsonb_build_object(
          'name', coalesce(seller ->> 'name', name),
          'country', coalesce(seller ->> 'country', 'FR'),
          'taxStatus', case when (seller ->> 'smallBusiness')::boolean then 'small_business' else 'registered' end
        )
    where coalesce(seller ->> 'name', name) <> 'Moorage'
      and coalesce(seller ->> 'line1', '-') <> '-'
      and coalesce(seller ->> 'city', '-') <> '-';
  -- Details that nobody entered are forgotten.
  update tenants.tenants set seller = seller - 'postcode' where seller ->> 'postcode' = '-';
  update tenants.tenants
    set seller = seller - array_remove(array[
      case when seller ->> 'name' = 'Moorage' then 'name' end,
      case when seller ->> 'line1' = '-' then 'line1' end,
      case when seller ->> 'city' = '-' then 'city' end,
      case when seller ->> 'name' = 'Moorage' and seller ->> 'line1' = '-' then 'country' end
    ], null)
    where seller_ready_at is null;
end $$;
