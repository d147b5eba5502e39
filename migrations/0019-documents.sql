-- Documents of invoices and credit notes: made once after the commit, kept as files.

create table billing.documents (
  tenant_id      uuid not null,
  id             uuid not null,
  kind           text not null check (kind in ('invoice', 'pro_forma', 'credit_note')),
  invoice_id     uuid,
  credit_note_id uuid,
  requested_at   timestamptz(3) not null,
  -- What it says beside the frozen content, settled before the first try to make it: every further
  -- try makes the same.
  facts          jsonb,
  made_at        timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references billing.invoices,
  foreign key (tenant_id, credit_note_id) references billing.credit_notes,
  check ((invoice_id is null) = (kind = 'credit_note')),
  check ((credit_note_id is null) = (kind <> 'credit_note')),
  check (made_at is null or facts is not null)
);
comment on column billing.documents.kind is 'type: ''invoice'' | ''pro_forma'' | ''credit_note''';
comment on column billing.documents.facts is
  'json: { paidCents: number; brandName: string; color: string | null; footer: string | null }';
create unique index one_document_per_invoice
  on billing.documents (tenant_id, invoice_id, kind) where invoice_id is not null;
create unique index one_document_per_credit_note
  on billing.documents (tenant_id, credit_note_id) where credit_note_id is not null;
select platform.protect('billing.documents');

-- The files of a document that is made. They are never another: only a pro forma's may go.
create table billing.document_files (
  tenant_id   uuid not null,
  document_id uuid not null,
  format      text not null check (format in ('pdf', 'cii', 'ubl')),
  file_key    text not null,
  sha256      bytea not null,
  size_bytes  integer not null,
  primary key (tenant_id, document_id, format),
  foreign key (tenant_id, document_id) references billing.documents on delete cascade
);
comment on column billing.document_files.format is 'type: ''pdf'' | ''cii'' | ''ubl''';
create trigger made_once before update on billing.document_files
  for each row execute function platform.refuse_change();
select platform.protect('billing.document_files');
