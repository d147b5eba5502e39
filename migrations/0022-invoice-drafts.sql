-- Drafts of administrators, series beside the usual one, and where a buyer was seen to be.

alter table billing.invoices
  -- What a draft is made of; its amounts are worked out again whenever it is read or issued.
  add column draft_lines jsonb,
  -- The series it is numbered in; null for that of its kind.
  add column series text,
  -- Which country each piece of evidence names (R2.5).
  add column evidence jsonb,
  add column evidence_conflict boolean not null default false,
  add constraint drafts_have_lines check ((status = 'draft') = (draft_lines is not null));
comment on column billing.invoices.draft_lines is
  'json: { description: string; quantity: number; unitPriceCents: number; productId: string | null; periodStart: string | null; periodEnd: string | null }[]';
comment on column billing.invoices.evidence is
  'json: { pieces: { kind: ''billing_address'' | ''payment''; country: string }[]; country: string | null }';
create index invoices_to_review on billing.invoices (tenant_id, id) where evidence_conflict;

-- Once it is no draft, what an invoice says stands; once it is numbered, its number too, and what
-- its tax rests on. It never becomes a draft again, which could be deleted.
create or replace function billing.refuse_changed_invoice() returns trigger language plpgsql as $$
declare
  shown_buyer    jsonb := new.buyer;
  shown_evidence jsonb := new.evidence;
begin
  if old.status = 'draft' then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  if tg_op = 'DELETE' then
    raise exception 'An invoice that was issued stays' using errcode = 'restrict_violation';
  end if;
  if new.buyer = '{}' and new.anonymized_at is not null and (
    (old.number is null and old.status in ('void', 'uncollectible'))
    or current_setting('billing.anonymizing', true) = 'on'
  ) then
    shown_buyer := old.buyer;
    if new.evidence is null then
      shown_evidence := old.evidence;
    end if;
  end if;
  if new.status = 'draft'
     or (old.tenant_id, old.id, old.user_id, old.kind, old.reference, old.currency, old.price_mode,
         old.subtotal_cents, old.discount_cents, old.net_cents, old.tax_cents, old.total_cents,
         old.seller, old.buyer, old.tax_country, old.tax_reason, old.mentions, old.created_at)
        is distinct from
        (new.tenant_id, new.id, new.user_id, new.kind, new.reference, new.currency, new.price_mode,
         new.subtotal_cents, new.discount_cents, new.net_cents, new.tax_cents, new.total_cents,
         new.seller, shown_buyer, new.tax_country, new.tax_reason, new.mentions, new.created_at)
     or (old.number is not null
         and (old.number, old.issued_at, old.content_hash, old.series, old.evidence,
              old.evidence_conflict)
             is distinct from
             (new.number, new.issued_at, new.content_hash, new.series, shown_evidence,
              new.evidence_conflict))
  then
    raise exception 'An invoice that was issued does not change'
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- The evidence of where somebody was goes with the buyer's name, when the law no longer wants it kept.
create or replace function billing.anonymize_documents(
  tenant uuid, before timestamptz, most integer, at timestamptz
) returns integer language plpgsql security definer
set search_path = '' set billing.anonymizing = 'on' as $$
declare
  invoices integer;
  notes    integer;
begin
  update billing.invoices set buyer = '{}', evidence = null, anonymized_at = at
  where tenant_id = tenant and id in (
    select document.id from billing.invoices document
    join users.users person
      on person.tenant_id = document.tenant_id and person.id = document.user_id
    where document.tenant_id = tenant and person.deleted_at is not null
      and document.anonymized_at is null and document.issued_at < before
    limit most);
  get diagnostics invoices = row_count;
  update billing.credit_notes set buyer = '{}', anonymized_at = at
  where tenant_id = tenant and id in (
    select document.id from billing.credit_notes document
    join users.users person
      on person.tenant_id = document.tenant_id and person.id = document.user_id
    where document.tenant_id = tenant and person.deleted_at is not null
      and document.anonymized_at is null and document.issued_at < before
    limit most);
  get diagnostics notes = row_count;
  return invoices + notes;
end $$;

-- The same for its lines and taxes, wherever they come from or go to.
create or replace function billing.refuse_changed_part() returns trigger language plpgsql as $$
begin
  if exists (
    select from billing.invoices
    where tenant_id = old.tenant_id and id = old.invoice_id and status <> 'draft'
  ) or (tg_op = 'UPDATE' and exists (
    select from billing.invoices
    where tenant_id = new.tenant_id and id = new.invoice_id and status <> 'draft'
  )) then
    raise exception 'An invoice that was issued does not change'
      using errcode = 'restrict_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;

-- Where a card or account was issued: ISO 3166 code.
alter table billing.payments add column method_country text;
