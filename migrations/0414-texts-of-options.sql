-- What options and their values are called in other languages than that of the shop (decision 220).
alter table store.options
  add column translations jsonb not null default '{}';
comment on column store.options.translations is 'json: Readonly<Record<string, {
  name?: string
  description?: string
  unit?: string
  values?: Readonly<Record<string, string>>
}>>';
