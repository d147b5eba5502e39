-- What the law asks a shop to publish, version by version, and which version of the terms an order accepted.

create table tenants.legal_texts (
  tenant_id    uuid not null references tenants.tenants,
  id           uuid not null,
  kind         text not null check (kind in ('terms', 'privacy', 'legal', 'withdraw')),
  version      integer not null check (version > 0),
  texts        jsonb not null,
  published_at timestamptz(3) not null,
  published_by uuid,
  primary key (tenant_id, id)
);
comment on column tenants.legal_texts.kind is 'type: ''terms'' | ''privacy'' | ''legal'' | ''withdraw''';
comment on column tenants.legal_texts.texts is 'json: Readonly<Record<string, string>>';
create unique index one_legal_text_per_version on tenants.legal_texts (tenant_id, kind, version);
create trigger made_once before update on tenants.legal_texts
  for each row execute function platform.refuse_change();
select platform.protect('tenants.legal_texts');

-- Null where no terms were published when the order was placed.
alter table orders.orders
  add column terms_version  integer,
  add column terms_language text;
