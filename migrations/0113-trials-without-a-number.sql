-- A free trial is settled without an invoice number: there is no sale until its first paid period (R4.3).
alter table billing.invoices
  drop constraint invoices_check6,
  add constraint paid_has_number check (status <> 'paid' or number is not null or total_cents = 0) not valid;
