-- Invoices, the gateways that take money for them, and everything that happened to that money.

create schema billing;
select platform.open_schema('billing');

-- What everything we make at a provider is marked with. One row.
create table billing.installation (
  id              boolean primary key default true check (id),
  installation_id uuid not null,
  -- Where the outside reaches this installation.
  public_url      text
);
select platform.open_table('billing.installation');

create table billing.gateways (
  tenant_id           uuid not null references tenants.tenants,
  id                  uuid not null,
  driver              text not null check (length(driver) between 1 and 50),
  name                text not null check (length(name) between 1 and 200),
  mode                text not null check (mode in ('test', 'live')),
  enabled             boolean not null default false,
  position            integer not null default 0,
  settings            jsonb not null default '{}',
  -- Sealed under the installation's key and bound to this row.
  sealed_secrets      text,
  -- What may be shown of them: the last four characters.
  secret_hints        jsonb not null default '{}',
  account_id          text,
  webhook_endpoint_id text,
  checked_at          timestamptz(3),
  -- Why the provider cannot be used, since the last check.
  fault               text,
  -- How far the provider's log of events was read, by its clock.
  changes_read_to     timestamptz(3),
  created_at          timestamptz(3) not null,
  archived_at         timestamptz(3),
  primary key (tenant_id, id)
);
comment on column billing.gateways.mode is 'type: ''test'' | ''live''';
comment on column billing.gateways.settings is 'json: Record<string, unknown>';
comment on column billing.gateways.secret_hints is 'json: Record<string, string>';
create unique index gateways_by_id on billing.gateways (id);
select platform.protect('billing.gateways');

create table billing.provider_customers (
  tenant_id            uuid not null,
  id                   uuid not null,
  gateway_id           uuid not null,
  user_id              uuid not null,
  provider_customer_id text not null,
  created_at           timestamptz(3) not null,
  gone_at              timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, gateway_id) references billing.gateways,
  foreign key (tenant_id, user_id) references users.users
);
create unique index one_customer_per_gateway
  on billing.provider_customers (tenant_id, gateway_id, user_id) where gone_at is null;
create unique index one_row_per_provider_customer
  on billing.provider_customers (tenant_id, gateway_id, provider_customer_id);
create index provider_customers_of_user on billing.provider_customers (tenant_id, user_id);
select platform.protect('billing.provider_customers');

create table billing.payment_methods (
  tenant_id          uuid not null,
  id                 uuid not null,
  gateway_id         uuid not null,
  user_id            uuid not null,
  provider_method_id text not null,
  kind               text not null
                     check (kind in ('card', 'sepa_debit', 'paypal', 'bank_transfer', 'other')),
  brand              text,
  last4              text,
  exp_month          integer,
  exp_year           integer,
  fingerprint        text,
  label              text,
  is_default         boolean not null default false,
  created_at         timestamptz(3) not null,
  gone_at            timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, gateway_id) references billing.gateways,
  foreign key (tenant_id, user_id) references users.users,
  check (gone_at is null or not is_default)
);
comment on column billing.payment_methods.kind is
  'type: ''card'' | ''sepa_debit'' | ''paypal'' | ''bank_transfer'' | ''other''';
create unique index one_row_per_provider_method
  on billing.payment_methods (tenant_id, gateway_id, provider_method_id);
create unique index one_default_method
  on billing.payment_methods (tenant_id, user_id) where is_default;
create index payment_methods_of_user on billing.payment_methods (tenant_id, user_id, id);
select platform.protect('billing.payment_methods');

-- The row lock on a series makes its numbers gap-free: a rollback gives the number back.
create table billing.invoice_series (
  tenant_id      uuid not null references tenants.tenants,
  code           text not null,
  year           integer not null,
  next_sequence  integer not null default 1 check (next_sequence > 0),
  last_issued_at timestamptz(3),
  primary key (tenant_id, code, year)
);
select platform.protect('billing.invoice_series');

create table billing.invoices (
  tenant_id         uuid not null references tenants.tenants,
  id                uuid not null,
  user_id           uuid not null,
  kind              text not null
                    check (kind in ('checkout', 'upgrade', 'renewal', 'top_up', 'manual')),
  -- The order, upgrade or service it was made for.
  reference         uuid,
  status            text not null
                    check (status in ('draft', 'open', 'paid', 'void', 'uncollectible')),
  -- Null while it is a draft or pro forma.
  number            text,
  currency          text not null check (currency ~ '^[A-Z]{3}$'),
  price_mode        text not null check (price_mode in ('exclusive', 'inclusive')),
  subtotal_cents    bigint not null,
  discount_cents    bigint not null,
  net_cents         bigint not null,
  tax_cents         bigint not null,
  total_cents       bigint not null check (total_cents >= 0),
  paid_cents        bigint not null default 0 check (paid_cents >= 0),
  credited_cents    bigint not null default 0 check (credited_cents >= 0),
  refunded_cents    bigint not null default 0 check (refunded_cents >= 0),
  reversed_cents    bigint not null default 0 check (reversed_cents >= 0),
  -- Customer credit set aside for it while it is pro forma.
  held_credit_cents bigint not null default 0 check (held_credit_cents >= 0),
  disputed          boolean not null default false,
  seller            jsonb not null,
  buyer             jsonb not null,
  -- Where the customer was, and which rule decided on the tax.
  tax_country       text,
  tax_reason        text,
  -- Why no VAT is charged, in the words the law asks for; and what else must be said.
  mentions          jsonb not null default '[]',
  -- SHA-256 over the issued content.
  content_hash      bytea,
  note              text,
  void_reason       text,
  created_at        timestamptz(3) not null,
  issued_at         timestamptz(3),
  due_at            timestamptz(3),
  paid_at           timestamptz(3),
  voided_at         timestamptz(3),
  written_off_at    timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users,
  check (net_cents + tax_cents = total_cents),
  check (credited_cents <= total_cents),
  check (refunded_cents + reversed_cents <= paid_cents),
  check ((number is null) = (issued_at is null)),
  check ((number is null) = (content_hash is null)),
  check (held_credit_cents = 0 or (status = 'open' and number is null)),
  check (status <> 'paid' or number is not null)
);
comment on column billing.invoices.kind is
  'type: ''checkout'' | ''upgrade'' | ''renewal'' | ''top_up'' | ''manual''';
comment on column billing.invoices.status is
  'type: ''draft'' | ''open'' | ''paid'' | ''void'' | ''uncollectible''';
comment on column billing.invoices.price_mode is 'type: ''exclusive'' | ''inclusive''';
comment on column billing.invoices.seller is 'json: Record<string, string | boolean | null>';
comment on column billing.invoices.buyer is 'json: Record<string, string | null>';
comment on column billing.invoices.mentions is 'json: { code: string; text: string }[]';
create unique index one_invoice_per_number on billing.invoices (tenant_id, number);
create index invoices_of_user on billing.invoices (tenant_id, user_id, id);
create index invoices_by_reference on billing.invoices (tenant_id, reference);
create index unpaid_pro_formas on billing.invoices (created_at)
  where status = 'open' and number is null;
create index open_invoices_by_due_day on billing.invoices (due_at) where status = 'open';
select platform.protect('billing.invoices');

create table billing.invoice_lines (
  tenant_id         uuid not null,
  id                uuid not null,
  invoice_id        uuid not null,
  position          integer not null,
  description       text not null,
  service_id        uuid,
  product_id        uuid,
  quantity          integer not null,
  unit_price_cents  bigint not null,
  subtotal_cents    bigint not null,
  discount_cents    bigint not null,
  net_cents         bigint not null,
  tax_cents         bigint not null,
  total_cents       bigint not null,
  tax_category      text not null check (tax_category in ('S', 'AE', 'O', 'E')),
  rate_basis_points integer,
  tax_country       text not null,
  period_start      timestamptz(3),
  period_end        timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references billing.invoices on delete cascade,
  check (net_cents + tax_cents = total_cents)
);
comment on column billing.invoice_lines.tax_category is 'type: ''S'' | ''AE'' | ''O'' | ''E''';
create unique index one_line_per_position
  on billing.invoice_lines (tenant_id, invoice_id, position);
create index invoice_lines_of_service on billing.invoice_lines (tenant_id, service_id);
select platform.protect('billing.invoice_lines');

create table billing.invoice_taxes (
  tenant_id         uuid not null,
  invoice_id        uuid not null,
  position          integer not null,
  category          text not null check (category in ('S', 'AE', 'O', 'E')),
  rate_basis_points integer,
  country           text not null,
  net_cents         bigint not null,
  tax_cents         bigint not null,
  primary key (tenant_id, invoice_id, position),
  foreign key (tenant_id, invoice_id) references billing.invoices on delete cascade
);
comment on column billing.invoice_taxes.category is 'type: ''S'' | ''AE'' | ''O'' | ''E''';
select platform.protect('billing.invoice_taxes');

-- Once it is no draft, what an invoice says stands; once it is numbered, its number too.
create function billing.refuse_changed_invoice() returns trigger language plpgsql as $$
begin
  if old.status = 'draft' then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  if tg_op = 'DELETE' then
    raise exception 'An invoice that was issued stays' using errcode = 'restrict_violation';
  end if;
  if (old.user_id, old.kind, old.reference, old.currency, old.price_mode, old.subtotal_cents,
      old.discount_cents, old.net_cents, old.tax_cents, old.total_cents, old.seller, old.buyer,
      old.tax_country, old.tax_reason, old.mentions, old.created_at)
     is distinct from
     (new.user_id, new.kind, new.reference, new.currency, new.price_mode, new.subtotal_cents,
      new.discount_cents, new.net_cents, new.tax_cents, new.total_cents, new.seller, new.buyer,
      new.tax_country, new.tax_reason, new.mentions, new.created_at)
     or (old.number is not null
         and (old.number, old.issued_at, old.content_hash)
             is distinct from (new.number, new.issued_at, new.content_hash))
  then
    raise exception 'An invoice that was issued does not change'
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger issued_stays before update or delete on billing.invoices
  for each row execute function billing.refuse_changed_invoice();

create function billing.refuse_changed_part() returns trigger language plpgsql as $$
begin
  if exists (
    select from billing.invoices
    where tenant_id = old.tenant_id and id = old.invoice_id and status <> 'draft'
  ) then
    raise exception 'An invoice that was issued does not change'
      using errcode = 'restrict_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger issued_stays before update or delete on billing.invoice_lines
  for each row execute function billing.refuse_changed_part();
create trigger issued_stays before update or delete on billing.invoice_taxes
  for each row execute function billing.refuse_changed_part();

create table billing.credit_notes (
  tenant_id         uuid not null,
  id                uuid not null,
  invoice_id        uuid not null,
  user_id           uuid not null,
  number            text not null,
  invoice_number    text not null,
  invoice_issued_at timestamptz(3) not null,
  reason            text not null,
  currency          text not null,
  net_cents         bigint not null check (net_cents >= 0),
  tax_cents         bigint not null check (tax_cents >= 0),
  total_cents       bigint not null check (total_cents > 0),
  seller            jsonb not null,
  buyer             jsonb not null,
  mentions          jsonb not null,
  content_hash      bytea not null,
  created_at        timestamptz(3) not null,
  issued_at         timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references billing.invoices,
  check (net_cents + tax_cents = total_cents)
);
comment on column billing.credit_notes.seller is 'json: Record<string, string | boolean | null>';
comment on column billing.credit_notes.buyer is 'json: Record<string, string | null>';
comment on column billing.credit_notes.mentions is 'json: { code: string; text: string }[]';
create unique index one_credit_note_per_number on billing.credit_notes (tenant_id, number);
create index credit_notes_of_invoice on billing.credit_notes (tenant_id, invoice_id, id);
create index credit_notes_of_user on billing.credit_notes (tenant_id, user_id, id);
select platform.protect('billing.credit_notes', true);

-- One line per tax group of the invoice.
create table billing.credit_note_lines (
  tenant_id         uuid not null,
  credit_note_id    uuid not null,
  position          integer not null,
  category          text not null check (category in ('S', 'AE', 'O', 'E')),
  rate_basis_points integer,
  country           text not null,
  net_cents         bigint not null,
  tax_cents         bigint not null,
  total_cents       bigint not null,
  primary key (tenant_id, credit_note_id, position),
  foreign key (tenant_id, credit_note_id) references billing.credit_notes
);
comment on column billing.credit_note_lines.category is 'type: ''S'' | ''AE'' | ''O'' | ''E''';
select platform.protect('billing.credit_note_lines', true);

-- One try to be paid. It is committed before a provider hears of it.
create table billing.payment_attempts (
  tenant_id         uuid not null,
  id                uuid not null,
  user_id           uuid not null,
  -- Null: paid from customer credit alone.
  gateway_id        uuid,
  purpose           text not null check (purpose in ('checkout', 'renewal', 'setup', 'credit')),
  -- The saved method to charge; null: the customer chooses at the provider.
  payment_method_id uuid,
  amount_cents      bigint not null check (amount_cents >= 0),
  currency          text not null check (currency ~ '^[A-Z]{3}$'),
  save_method       boolean not null default false,
  embedded          boolean not null default false,
  return_url        text,
  state             text not null check (state in
                    ('created', 'open', 'action_required', 'processing', 'paid', 'failed',
                     'canceled', 'expired', 'unknown')),
  -- Counts the idempotency keys used for it: a new one only when the last certainly did nothing.
  key_number        integer not null default 1,
  -- What is sent to the provider under the current key, word for word.
  request           jsonb,
  sent_at           timestamptz(3),
  checkout_id       text,
  provider_payment_id text,
  next_step         jsonb,
  failure_code      text,
  failure_key       text,
  failure_retry     text,
  -- When the provider was asked for what is known here.
  observed_at       timestamptz(3),
  next_check_at     timestamptz(3),
  tries             integer not null default 0,
  -- Nobody wants it any more: it is to be ended at the provider.
  cancel_wanted_at  timestamptz(3),
  created_at        timestamptz(3) not null,
  ended_at          timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users,
  foreign key (tenant_id, gateway_id) references billing.gateways,
  foreign key (tenant_id, payment_method_id) references billing.payment_methods,
  check (gateway_id is not null or purpose = 'credit')
);
comment on column billing.payment_attempts.purpose is
  'type: ''checkout'' | ''renewal'' | ''setup'' | ''credit''';
comment on column billing.payment_attempts.state is
  'type: ''created'' | ''open'' | ''action_required'' | ''processing'' | ''paid'' | ''failed'' | ''canceled'' | ''expired'' | ''unknown''';
comment on column billing.payment_attempts.request is 'json: Record<string, unknown>';
comment on column billing.payment_attempts.next_step is 'json: Record<string, unknown>';
create unique index payment_attempts_by_id on billing.payment_attempts (id);
create unique index one_attempt_per_checkout
  on billing.payment_attempts (tenant_id, gateway_id, checkout_id, id);
create index attempts_by_provider_payment
  on billing.payment_attempts (tenant_id, gateway_id, provider_payment_id);
create index attempts_of_user on billing.payment_attempts (tenant_id, user_id, id);
create index attempts_to_check on billing.payment_attempts (next_check_at)
  where next_check_at is not null;
select platform.protect('billing.payment_attempts');

-- What an attempt would pay; several invoices where one payment is for all of them.
create table billing.attempt_invoices (
  tenant_id  uuid not null,
  attempt_id uuid not null,
  invoice_id uuid not null,
  primary key (tenant_id, attempt_id, invoice_id),
  foreign key (tenant_id, attempt_id) references billing.payment_attempts,
  foreign key (tenant_id, invoice_id) references billing.invoices
);
create index attempts_of_invoice on billing.attempt_invoices (tenant_id, invoice_id);
select platform.protect('billing.attempt_invoices', true);

-- Money that came in. One row per payment of a provider, whoever tells of it and how often.
create table billing.payments (
  tenant_id           uuid not null,
  id                  uuid not null,
  user_id             uuid not null,
  gateway_id          uuid not null,
  attempt_id          uuid,
  provider_payment_id text not null,
  received_cents      bigint not null check (received_cents > 0),
  currency            text not null,
  fee_cents           bigint not null default 0,
  -- What no invoice could use; it became customer credit.
  credit_cents        bigint not null default 0 check (credit_cents >= 0),
  method_kind         text,
  method_brand        text,
  method_last4        text,
  fingerprint         text,
  paid_at             timestamptz(3) not null,
  created_at          timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users,
  foreign key (tenant_id, gateway_id) references billing.gateways,
  foreign key (tenant_id, attempt_id) references billing.payment_attempts
);
create unique index one_payment_per_provider_payment
  on billing.payments (tenant_id, gateway_id, provider_payment_id);
create index payments_of_user on billing.payments (tenant_id, user_id, id);
create index payments_of_attempt on billing.payments (tenant_id, attempt_id);
select platform.protect('billing.payments');

create table billing.payment_allocations (
  tenant_id    uuid not null,
  payment_id   uuid not null,
  invoice_id   uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  primary key (tenant_id, payment_id, invoice_id),
  foreign key (tenant_id, payment_id) references billing.payments,
  foreign key (tenant_id, invoice_id) references billing.invoices
);
create index allocations_of_invoice on billing.payment_allocations (tenant_id, invoice_id);
select platform.protect('billing.payment_allocations', true);

create table billing.refunds (
  tenant_id          uuid not null,
  id                 uuid not null,
  user_id            uuid not null,
  invoice_id         uuid,
  credit_note_id     uuid,
  -- Null: to the customer's credit.
  payment_id         uuid,
  gateway_id         uuid,
  provider_refund_id text,
  amount_cents       bigint not null check (amount_cents > 0),
  currency           text not null,
  state              text not null check (state in
                     ('pending', 'action_required', 'succeeded', 'failed', 'canceled')),
  origin             text not null check (origin in ('us', 'provider')),
  reason             text not null,
  failure_code       text,
  sent_at            timestamptz(3),
  created_at         timestamptz(3) not null,
  ended_at           timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users,
  foreign key (tenant_id, invoice_id) references billing.invoices,
  foreign key (tenant_id, credit_note_id) references billing.credit_notes,
  foreign key (tenant_id, payment_id) references billing.payments,
  check ((payment_id is null) = (gateway_id is null))
);
comment on column billing.refunds.state is
  'type: ''pending'' | ''action_required'' | ''succeeded'' | ''failed'' | ''canceled''';
comment on column billing.refunds.origin is 'type: ''us'' | ''provider''';
create unique index one_refund_per_provider_refund
  on billing.refunds (tenant_id, gateway_id, provider_refund_id);
create index refunds_of_invoice on billing.refunds (tenant_id, invoice_id, id);
create index refunds_of_payment on billing.refunds (tenant_id, payment_id);
create index refunds_of_user on billing.refunds (tenant_id, user_id, id);
select platform.protect('billing.refunds');

create table billing.disputes (
  tenant_id           uuid not null,
  id                  uuid not null,
  payment_id          uuid not null,
  gateway_id          uuid not null,
  provider_dispute_id text not null,
  amount_cents        bigint not null,
  currency            text not null,
  state               text not null check (state in
                      ('inquiry', 'needs_response', 'under_review', 'won', 'lost',
                       'closed_without_loss')),
  reason              text,
  respond_by          timestamptz(3),
  -- Withdrawn by the provider and not come back, as booked.
  held_cents          bigint not null default 0 check (held_cents >= 0),
  -- Lost for good and due again, as booked.
  lost_cents          bigint not null default 0 check (lost_cents >= 0),
  fee_cents           bigint not null default 0,
  observed_at         timestamptz(3) not null,
  created_at          timestamptz(3) not null,
  ended_at            timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, payment_id) references billing.payments,
  foreign key (tenant_id, gateway_id) references billing.gateways
);
comment on column billing.disputes.state is
  'type: ''inquiry'' | ''needs_response'' | ''under_review'' | ''won'' | ''lost'' | ''closed_without_loss''';
create unique index one_dispute_per_provider_dispute
  on billing.disputes (tenant_id, gateway_id, provider_dispute_id);
create index disputes_of_payment on billing.disputes (tenant_id, payment_id);
select platform.protect('billing.disputes');

-- What providers told us, kept before it is used.
create table billing.provider_events (
  tenant_id   uuid not null,
  id          uuid not null,
  gateway_id  uuid not null,
  event_key   text not null check (length(event_key) between 1 and 300),
  type        text not null,
  object_id   text,
  -- The event as JSON text: it may hold what a jsonb column would refuse.
  envelope    text not null,
  state       text not null check (state in ('new', 'done', 'ignored', 'failed')),
  tries       integer not null default 0,
  -- Why it was ignored or failed, or how the last try ended.
  note        text,
  received_at timestamptz(3) not null,
  done_at     timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, gateway_id) references billing.gateways
);
comment on column billing.provider_events.state is
  'type: ''new'' | ''done'' | ''ignored'' | ''failed''';
create unique index one_event_per_key
  on billing.provider_events (tenant_id, gateway_id, event_key);
create index provider_events_by_age on billing.provider_events (received_at);
select platform.protect('billing.provider_events');

-- Where the provider's books and ours do not fit: nothing was booked, and somebody has to look.
create table billing.breaks (
  tenant_id   uuid not null,
  id          uuid not null,
  gateway_id  uuid not null,
  kind        text not null,
  object_id   text not null,
  attempt_id  uuid,
  details     jsonb not null,
  created_at  timestamptz(3) not null,
  resolved_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, gateway_id) references billing.gateways
);
comment on column billing.breaks.details is 'json: Record<string, unknown>';
create unique index one_break_per_object
  on billing.breaks (tenant_id, gateway_id, kind, object_id);
select platform.protect('billing.breaks');

-- Who is reading an export of their data right now: one at a time.
create table billing.export_leases (
  tenant_id   uuid not null,
  user_id     uuid not null,
  lease_id    uuid not null,
  held_until  timestamptz(3) not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users.users
);
select platform.protect('billing.export_leases');
