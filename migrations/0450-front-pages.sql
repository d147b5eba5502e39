-- A shop's own texts for its front page, by language. Without a row, or without a text, the standard text is used.
create table tenants.front_pages (
  tenant_id  uuid not null references tenants.tenants,
  texts      jsonb not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id)
);
comment on column tenants.front_pages.texts is 'json: Readonly<Record<string, { title: string | null; lead: string | null; questions: { question: string; answer: string }[] }>>';
select platform.protect('tenants.front_pages');
