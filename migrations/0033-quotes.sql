-- A pro forma whose price no longer holds has another one in its place (R3.4).
alter table billing.invoices
  -- The one to pay instead.
  add column replaced_by uuid,
  add foreign key (tenant_id, replaced_by) references billing.invoices,
  add constraint replaced_is_void check (replaced_by is null or status = 'void');
create index invoices_by_replacement on billing.invoices (tenant_id, replaced_by)
  where replaced_by is not null;

-- What an order was priced of, so that it can be priced again; null for orders from before.
alter table orders.orders add column quote jsonb;
comment on column orders.orders.quote is
  'json: { lines: { itemId: string; productId: string; categoryId: string | null; planId: string; interval: ''one_time'' | ''hour'' | ''week'' | ''month'' | ''year''; quantity: number; setupFee: boolean; free: boolean; unitPriceCents: number; description: string; serviceId: string | null }[]; coupons: Record<string, unknown>[] }';

-- The setup fee that is on the invoice of a period.
alter table services.periods
  add column setup_fee_cents bigint not null default 0 check (setup_fee_cents >= 0);

-- An administrator's invoice keeps what its draft was made of while it is pro forma: to price it again.
alter table billing.invoices drop constraint drafts_have_lines;
alter table billing.invoices
  add constraint drafts_have_lines check (status <> 'draft' or draft_lines is not null);
