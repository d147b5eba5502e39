-- Why a credit note was issued, as a key and the facts of its text, beside the text that was frozen in the
-- buyer's language. Null where a person wrote the reason, and on credit notes of before.
alter table billing.credit_notes
  add column reason_key text,
  add column reason_facts jsonb;
comment on column billing.credit_notes.reason_facts is 'json: Record<string, string>';
