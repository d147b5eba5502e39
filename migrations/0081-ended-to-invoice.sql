-- in steps: services that end, or have ended, with metered hours to invoice are found without reading all that ended
drop index concurrently if exists services.services_ended_to_invoice
-- next step
create index concurrently services_ended_to_invoice on services.services (next_invoice_at)
  where next_invoice_at is not null and end_wanted_at is not null
