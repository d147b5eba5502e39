-- A change of options is a change like that of a product (decision 218): the same row, of another kind. What it replaces
-- is `components_before`; `priced_at` is the instant from which unused time was counted.
alter table services.upgrades
  add column kind text not null default 'product' check (kind in ('product', 'options')),
  add column priced_at timestamptz(3),
  add column components_before jsonb;
comment on column services.upgrades.kind is 'type: ''product'' | ''options''';
comment on column services.upgrades.components_before is
  'json: { key: string; kind: ''location'' | ''option''; sourceId: string; valueId: string | null; quantity: number | null; text: string | null; name: string | null; label: string; position: number; priceCents: Cents; feeCents: Cents; priceMicros: number | null; valueCents: Cents }[]';
comment on column services.upgrades.parts is
  'json: { startsAt: Instant; endsAt: Instant; creditCents: Cents; chargeCents: Cents; valueCents: Cents; values?: Record<string, Cents>; components?: Record<string, { creditCents: Cents; chargeCents: Cents }> }[]';

-- Options that a service gives up or lowers with its next period; null: none. Its `id` is that of the change to come,
-- under which units of values are taken until then.
alter table services.services add column scheduled_options jsonb;
comment on column services.services.scheduled_options is
  'json: { id: string; options: { key: string; component: { key: string; kind: ''location'' | ''option''; sourceId: string; valueId: string | null; quantity: number | null; text: string | null; name: string | null; label: string; position: number; priceCents: Cents; feeCents: Cents; priceMicros: number | null } | null }[] }';
