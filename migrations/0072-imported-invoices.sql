-- Imported invoices say themselves which row they were, as payments, credit and orders do: of each of them
-- another row was kept, and an entry of its index. Those of before stay where they are.
alter table billing.invoices
  add column source_system text,
  add column source_id bigint,
  -- What the row said there when it was last taken over, and what stood here right after.
  add column source_fingerprint text,
  add column target_fingerprint text;
