-- in steps: what was on sale is published, tenant by tenant
-- A product is a draft until staff publish it; only published products are listed and sold.
alter table store.products add column if not exists published_at timestamptz(3)
-- next step
comment on column store.products.published_at is
  'Since when it is published; null: a draft, which is neither listed nor sold'
-- next step
-- Products without provisioning could not be delivered: they become drafts, which staff see under attention.
do $$
declare
  tenant uuid;
begin
  for tenant in select id from tenants.tenants order by id loop
    update store.products set published_at = created_at
     where tenant_id = tenant and published_at is null and provisioning is not null;
    commit;
  end loop;
end $$
