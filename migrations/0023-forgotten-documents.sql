-- Finds what was made anonymous at a moment: the files of those documents go after it.

create index invoices_anonymized on billing.invoices (tenant_id, anonymized_at)
  where anonymized_at is not null;
create index credit_notes_anonymized on billing.credit_notes (tenant_id, anonymized_at)
  where anonymized_at is not null;
