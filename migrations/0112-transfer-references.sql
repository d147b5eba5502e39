-- in steps: every new invoice has the reference with which it is paid by transfer
-- The creditor reference (ISO 11649) that the document prints and the bank gateway gives. Null on invoices
-- of before, whose documents print the number, and on imported ones.
alter table billing.invoices add column if not exists transfer_reference text
-- next step
drop index concurrently if exists billing.invoices_by_transfer_reference
-- next step
create index concurrently invoices_by_transfer_reference
  on billing.invoices (tenant_id, transfer_reference) where transfer_reference is not null
