-- What a newer dump of the same system may change of what was imported before, and how the servers of
-- imported services are found.

alter table imports.origins
  -- What the row said there when it was last taken over, and what stood here right after. What differs
  -- from the first was changed there since, what differs from the second was changed here.
  add column source_hash text,
  add column target_hash text,
  -- Of a client: the credit that was taken over, in hundredths, and its currency.
  add column credit bigint,
  add column credit_currency text;

alter table imports.staged_clients
  -- Whether what is known of them is written anew.
  add column follows boolean,
  -- Of a client who is known: by how much their credit changes here, or that it cannot.
  add column credit_change bigint,
  add column credit_kept boolean;
-- What was owed here on an invoice that is known, in cents, before it is written anew.
alter table imports.staged_invoices add column owed_before bigint;

comment on column billing.invoices.imported is
  'json: { importId: string; updatedBy?: string; number: string; status: string; subtotalCents: number; taxCents: number; secondTaxCents: number; creditCents: number; dueCents: number; totalCents: number }';
comment on column services.services.imported is
  'json: { importId: string; updatedBy?: string; formerId?: string; status: string; cycle: string; firstCents: number; amountCents: number; quantity: number }';
-- Other systems call a server on the panel by the number of its service there.
create index services_by_former_id on services.services (tenant_id, (imported ->> 'formerId'))
  where imported is not null;
alter table services.drift_findings
  drop constraint drift_findings_kind_check,
  add constraint drift_findings_kind_check check (kind in
    ('orphan', 'unknown', 'missing', 'limits', 'suspension', 'owner', 'unattached', 'imported'));
comment on column services.drift_findings.kind is
  'type: ''orphan'' | ''unknown'' | ''missing'' | ''limits'' | ''suspension'' | ''owner'' | ''unattached'' | ''imported''';
