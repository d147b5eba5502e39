-- in steps: carts stay in use, tenant by tenant
-- Options of items get a meaning: those that were stored before options existed never had one, and no order kept them.
do $$
declare
  tenant uuid;
begin
  for tenant in select id from tenants.tenants order by id loop
    update store.cart_items set options = '{}' where tenant_id = tenant and options <> '{}';
    commit;
  end loop;
end $$
