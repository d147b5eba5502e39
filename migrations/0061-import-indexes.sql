-- What an import of half a million rows keeps up, and nobody reads by.

-- Most rows name none of these: an entry for each that does not is only work.
drop index billing.invoices_by_reference;
create index invoices_by_reference on billing.invoices (tenant_id, reference)
  where reference is not null;
drop index billing.invoice_lines_of_service;
create index invoice_lines_of_service on billing.invoice_lines (tenant_id, service_id)
  where service_id is not null;
drop index services.services_of_order;
create index services_of_order on services.services (tenant_id, order_id, id)
  where order_id is not null;
drop index services.services_of_invoice;
create index services_of_invoice on services.services (tenant_id, invoice_id)
  where invoice_id is not null;
drop index services.services_on_node;
create index services_on_node on services.services (tenant_id, node_id)
  where node_id is not null;

-- Read once, when the import adds up what it wrote: all of a shop's rows then.
drop index billing.imported_payments_of_import;
drop index billing.imported_credit_of_import;
drop index orders.imported_orders_of_import;

-- Asked for by who leaves, and then among the people alone, which the key finds.
drop index imports.origins_by_target;

-- An invoice's person is of the same tenant, who is there.
alter table billing.invoices drop constraint invoices_tenant_id_fkey;
