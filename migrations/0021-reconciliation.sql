-- What providers and we have compared, what differs, and who has seen to it.

alter table billing.gateways
  -- When the provider's books were last compared with ours, by the provider's clock.
  add column compared_at timestamptz(3);

alter table billing.breaks
  add column resolved_by uuid,
  add column resolution  text,
  add constraint resolved_by_somebody
    check (resolved_by is null or resolved_at is not null),
  add constraint resolved_with_a_word
    check ((resolution is null) = (resolved_at is null));
create index open_breaks on billing.breaks (tenant_id, id) where resolved_at is null;

create index disputes_by_state on billing.disputes (tenant_id, state, id);
create index refunds_by_state on billing.refunds (tenant_id, state, id);
-- What a provider is asked about by its payments' age.
create index payments_by_day on billing.payments (tenant_id, gateway_id, paid_at);
