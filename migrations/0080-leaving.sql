-- What is owed and returned when a service ends.
alter table services.services
  -- Since when its server is missing from the panel; null while it has one, or never had one.
  add column server_lost_at timestamptz(3),
  add column cancel_code text check (cancel_code in
    ('too_expensive', 'not_needed', 'missing_feature', 'performance', 'support', 'switched', 'other'));
-- Why an invoice of this period was given up: a credit note that follows says the same.
alter table services.periods add column void_reason jsonb;
comment on column services.periods.void_reason is 'json: { key: string; facts: Record<string, string> | null } | { written: string }';
