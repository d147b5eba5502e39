-- in steps: what is sold stays on sale, tenant by tenant
-- A product is sold as long as a server can be made of it: its provisioning is there and without fault.
alter table store.products add column if not exists sellable_since timestamptz(3)
-- next step
comment on column store.products.sellable_since is
  'Since when it can be delivered; null: it is neither shown nor sold'
-- next step
-- The values of the eggs' variables are checked by the service within the hour after it has started.
do $$
declare
  tenant uuid;
begin
  for tenant in select id from tenants.tenants order by id loop
    update store.products as product set sellable_since = product.created_at
     where product.tenant_id = tenant and product.sellable_since is null
       and product.provisioning is not null
       and exists (select from panel.eggs as egg
                    where egg.tenant_id = product.tenant_id
                      and egg.id = (product.provisioning ->> 'eggId')::uuid
                      and egg.archived_at is null);
    commit;
  end loop;
end $$
