-- As before, but the buyer also goes from a free trial that was settled without a number: nothing was ever issued.
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
    (old.number is null and old.status in ('void', 'uncollectible', 'paid'))
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
