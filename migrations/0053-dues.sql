-- By how much what is owed on an issued invoice changed, and when, as the books have it: what it was
-- on a day in the past is what it is now less what has changed since.
create table billing.dues (
  tenant_id    uuid not null,
  id           uuid not null,
  invoice_id   uuid not null,
  change_cents bigint not null check (change_cents <> 0),
  created_at   timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references billing.invoices
);
create index dues_of_invoice on billing.dues (tenant_id, invoice_id) include (change_cents);
create index dues_by_time on billing.dues (tenant_id, created_at) include (invoice_id, change_cents);
select platform.protect('billing.dues', true);

-- What the books have of invoices that are there already.
with booked as (
  select transaction.tenant_id, transaction.event_id, transaction.created_at,
    posting.amount_cents as cents
  from ledger.transactions as transaction
  join ledger.postings as posting
    on posting.tenant_id = transaction.tenant_id and posting.transaction_id = transaction.id
  join ledger.accounts as account
    on account.tenant_id = posting.tenant_id and account.id = posting.account_id
  where account.code like 'receivable:%'
), known as (
  select booked.tenant_id, invoice.id as invoice_id, booked.created_at, booked.cents
  from booked
  join billing.invoices as invoice
    on invoice.tenant_id = booked.tenant_id and invoice.id = booked.event_id
  union all
  select booked.tenant_id, note.invoice_id, booked.created_at, booked.cents
  from booked
  join billing.credit_notes as note
    on note.tenant_id = booked.tenant_id and note.id = booked.event_id
  union all
  select booked.tenant_id, refund.invoice_id, booked.created_at, booked.cents
  from booked
  join billing.refunds as refund
    on refund.tenant_id = booked.tenant_id and refund.id = booked.event_id
  where refund.invoice_id is not null
  union all
  select booked.tenant_id, part.invoice_id, booked.created_at, -part.amount_cents
  from booked
  join billing.payment_allocations as part
    on part.tenant_id = booked.tenant_id and part.payment_id = booked.event_id
  join billing.invoices as invoice
    on invoice.tenant_id = part.tenant_id and invoice.id = part.invoice_id
  where invoice.kind <> 'top_up'
  union all
  select booked.tenant_id, only_part.invoice_id, booked.created_at, booked.cents
  from booked
  join billing.disputes as dispute
    on dispute.tenant_id = booked.tenant_id and dispute.id = booked.event_id
  cross join lateral (
    select min(part.invoice_id::text)::uuid as invoice_id
    from billing.payment_allocations as part
    join billing.invoices as invoice
      on invoice.tenant_id = part.tenant_id and invoice.id = part.invoice_id
    where part.tenant_id = dispute.tenant_id and part.payment_id = dispute.payment_id
      and invoice.kind <> 'top_up'
    having count(*) = 1
  ) as only_part
), standing as (
  select invoice.tenant_id, invoice.id as invoice_id, invoice.issued_at,
    case when invoice.status = 'open'
      then total_cents - credited_cents - (paid_cents - refunded_cents - reversed_cents)
      else 0 end as cents
  from billing.invoices as invoice
  where invoice.number is not null and invoice.kind <> 'top_up'
), rest as (
  -- What disputes and refunds did of a payment for several is not known by invoice: noted when they ended.
  select standing.tenant_id, standing.invoice_id,
    coalesce(moved.at, standing.issued_at) as created_at,
    standing.cents - coalesce((
      select sum(known.cents) from known
      where known.tenant_id = standing.tenant_id and known.invoice_id = standing.invoice_id
    ), 0) as cents
  from standing
  left join lateral (
    select max(greatest(dispute.created_at, dispute.ended_at, refund.created_at)) as at
    from billing.payment_allocations as part
    left join billing.disputes as dispute
      on dispute.tenant_id = part.tenant_id and dispute.payment_id = part.payment_id
    left join billing.refunds as refund
      on refund.tenant_id = part.tenant_id and refund.payment_id = part.payment_id
      and refund.invoice_id is null
    where part.tenant_id = standing.tenant_id and part.invoice_id = standing.invoice_id
  ) as moved on true
)
insert into billing.dues (tenant_id, id, invoice_id, change_cents, created_at)
select tenant_id, gen_random_uuid(), invoice_id, sum(cents), created_at
from (select * from known union all select * from rest) as change
group by tenant_id, invoice_id, created_at
having sum(cents) <> 0;
