-- What a change of plan cost for each period, and what was given back of an invoice for which service, so that a
-- later change, a refund between the two and a cancellation value every period by itself.

alter table services.upgrades add column parts jsonb;

comment on column services.upgrades.parts is 'json: { startsAt: Instant; endsAt: Instant; creditCents: Cents; chargeCents: Cents; valueCents: Cents }[]';

-- Credit notes that the change or the end of a service caused. They concern that service alone, whereas any other
-- credit note of an invoice counts for all of its lines.
create table services.given_back (
  tenant_id    uuid not null,
  id           uuid not null,
  service_id   uuid not null,
  invoice_id   uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  created_at   timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, service_id) references services.services,
  foreign key (tenant_id, invoice_id) references billing.invoices
);
create index on services.given_back (tenant_id, invoice_id);
create index on services.given_back (tenant_id, service_id);
select platform.protect('services.given_back');
