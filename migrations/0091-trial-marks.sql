-- Who tried a product, as far as can be known beside the account: keyed hashes of the address, of the
-- fingerprints of payment methods and of panel accounts. They outlive the account.

create table store.trial_marks (
  tenant_id  uuid not null,
  product_id uuid not null,
  mark       text not null,
  -- The order of the trial: a trial that came to nothing is forgotten with it.
  reference  uuid not null,
  created_at timestamptz(3) not null,
  forget_at  timestamptz(3) not null,
  primary key (tenant_id, product_id, mark),
  foreign key (tenant_id, product_id) references store.products
);
create index trial_marks_of_reference on store.trial_marks (tenant_id, reference);
create index trial_marks_to_forget on store.trial_marks (forget_at);
select platform.protect('store.trial_marks');

-- The key of these hashes, sealed; one for each tenant, so that marks of two shops cannot be compared.
create table store.trial_keys (
  tenant_id  uuid primary key references tenants.tenants,
  sealed_key text not null
);
select platform.protect('store.trial_keys');

-- Whether the customer wants the plan's trial, where it has one.
alter table store.cart_items add column trial boolean not null default true;
