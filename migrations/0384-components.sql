-- What a service has beside its plan, each at its own price: its location, and the options that were chosen. The price
-- and the value of the service are the totals; what is left of them is the plan's. `fee_cents` is still to be charged.
alter table services.services add column components jsonb not null default '[]';
comment on column services.services.components is
  'json: { key: string; kind: ''location'' | ''option''; sourceId: string; valueId: string | null; quantity: number | null; text: string | null; name: string | null; label: string; position: number; priceCents: Cents; feeCents: Cents; priceMicros: number | null; valueCents: Cents }[]';

-- The same for one period, with the fees on its invoice.
alter table services.periods add column components jsonb not null default '[]';
comment on column services.periods.components is
  'json: { key: string; kind: ''location'' | ''option''; sourceId: string; valueId: string | null; quantity: number | null; text: string | null; name: string | null; label: string; position: number; priceCents: Cents; feeCents: Cents; priceMicros: number | null; valueCents: Cents }[]';

-- The same once a change is made; `values` of a part are what each component is worth in its period.
alter table services.upgrades add column components jsonb not null default '[]';
comment on column services.upgrades.components is
  'json: { key: string; kind: ''location'' | ''option''; sourceId: string; valueId: string | null; quantity: number | null; text: string | null; name: string | null; label: string; position: number; priceCents: Cents; feeCents: Cents; priceMicros: number | null; valueCents: Cents }[]';
comment on column services.upgrades.parts is
  'json: { startsAt: Instant; endsAt: Instant; creditCents: Cents; chargeCents: Cents; valueCents: Cents; values?: Record<string, Cents> }[]';

-- The component of a service that a line charges a period of. A line without one is of the plan, or charged once. Beside
-- the lines: the version before hashes a line with every column that it finds.
create table billing.line_components (
  tenant_id  uuid not null,
  invoice_id uuid not null,
  position   integer not null,
  component  text not null,
  primary key (tenant_id, invoice_id, position),
  foreign key (tenant_id, invoice_id, position)
    references billing.invoice_lines (tenant_id, invoice_id, position) on delete cascade
);
select platform.protect('billing.line_components');
create trigger issued_stays before update or delete on billing.line_components
  for each row execute function billing.refuse_changed_part();
create trigger issued_gets_no_more after insert on billing.line_components
  referencing new table as added
  for each statement execute function billing.refuse_added_part();

-- What is ordered beside the plan of a line, at its price when it was ordered, and whether its fees wait for a trial's end.
comment on column orders.orders.quote is
  'json: { lines: { itemId: string; productId: string; categoryId: string | null; planId: string; interval: ''one_time'' | ''hour'' | ''week'' | ''month'' | ''year''; quantity: number; setupFee: boolean; free: boolean; unitPriceCents: number; description: string; serviceId: string | null; components?: { key: string; kind: ''location'' | ''option''; sourceId: string; valueId: string | null; quantity: number | null; text: string | null; name: string | null; label: string; position: number; priceCents: Cents; feeCents: Cents; priceMicros: number | null }[]; intervalCount?: number; onTrial?: boolean }[]; coupons: Record<string, unknown>[] }';
