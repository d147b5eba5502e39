-- An import that could not be undone: how often that was tried, and why the last attempt has ended.
alter table imports.imports
  add column undo_tries integer not null default 0,
  add column undo_failure jsonb;
comment on column imports.imports.undo_failure is
  'json: { code: ''undo_failed'' | ''import_in_use''; detail: string | null; at: string }';
