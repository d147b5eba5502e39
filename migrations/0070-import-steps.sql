-- An import is written in steps, each of which is there as a whole or not at all: a new start goes on
-- behind those that are.

create table imports.steps (
  tenant_id uuid not null,
  import_id uuid not null,
  step      text not null,
  -- Of `decided`: since when; everything is written as of then.
  at        timestamptz(3) not null,
  -- What later steps need of it.
  result    jsonb,
  primary key (tenant_id, import_id, step),
  foreign key (tenant_id, import_id) references imports.imports
);
comment on column imports.steps.result is 'type: Record<string, unknown>';
select platform.protect('imports.steps');

-- What people of a part bring along in credit and debts, until it is in the books.
create table imports.openings (
  tenant_id        uuid not null,
  import_id        uuid not null,
  lane             integer not null,
  user_id          uuid not null,
  currency         text not null,
  credit_cents     bigint not null,
  receivable_cents bigint not null,
  primary key (tenant_id, import_id, lane, user_id, currency)
);
select platform.protect('imports.openings');
