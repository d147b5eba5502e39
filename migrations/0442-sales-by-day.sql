-- Net sales of each day (UTC), so that the dashboard does not add up the postings of a month. Every booking of sales
-- holds the balance of the revenue account in its currency, so adding to a day never waits for another transaction.
create table ledger.sales_days (
  tenant_id uuid not null,
  currency  text not null,
  day       date not null,
  net_cents bigint not null,
  primary key (tenant_id, currency, day)
) with (fillfactor = 50);
select platform.protect('ledger.sales_days');

create function ledger.note_sales() returns trigger language plpgsql as $$
begin
  insert into ledger.sales_days as known (tenant_id, currency, day, net_cents)
  select added.tenant_id, added.currency, (transaction.created_at at time zone 'UTC')::date,
    -sum(added.amount_cents)
  from added
  join ledger.accounts as account
    on account.tenant_id = added.tenant_id and account.id = added.account_id
  join ledger.transactions as transaction
    on transaction.tenant_id = added.tenant_id and transaction.id = added.transaction_id
  where account.code = 'revenue'
  group by 1, 2, 3
  order by 1, 2, 3
  on conflict (tenant_id, currency, day) do update set net_cents = known.net_cents + excluded.net_cents;
  return null;
end $$;
create trigger note_sales after insert on ledger.postings
  referencing new table as added
  for each statement execute function ledger.note_sales();

insert into ledger.sales_days (tenant_id, currency, day, net_cents)
select posting.tenant_id, posting.currency, (transaction.created_at at time zone 'UTC')::date,
  -sum(posting.amount_cents)
from ledger.accounts as account
join ledger.postings as posting
  on posting.tenant_id = account.tenant_id and posting.account_id = account.id
join ledger.transactions as transaction
  on transaction.tenant_id = posting.tenant_id and transaction.id = posting.transaction_id
where account.code = 'revenue'
group by 1, 2, 3;
