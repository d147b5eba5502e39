-- History that came from another system: known again by its id there, and looked after set by set.

-- What it was there, so that nothing else need say from which row it came.
alter table billing.imported_payments add column system text, add column source_id bigint;
alter table billing.imported_credit add column system text, add column source_id bigint;
alter table orders.imported_orders add column system text, add column source_id bigint;

-- A foreign key looks each row up by itself. These rows come by the hundred thousand in one statement:
-- what they name is looked up together, and refused as a foreign key would. Arguments: the table that is
-- referred to, and the column that does.
create function platform.refuse_unknown() returns trigger language plpgsql as $$
declare
  named text := format(
    'select distinct tenant_id, %1$I as id from added where %1$I is not null', tg_argv[1]);
  unknown boolean;
begin
  -- What another transaction may be taking away is waited for, and kept until this one ends.
  execute format(
    'select from %s as parent
     where (tenant_id, id) in (%s) and xmin <> pg_current_xact_id()::xid for key share',
    tg_argv[0], named);
  execute format(
    'select exists (select from (%s) as named where not exists (
       select from %s as parent where parent.tenant_id = named.tenant_id and parent.id = named.id))',
    named, tg_argv[0]) into unknown;
  if unknown then
    raise exception '% names a row of % that is not there', tg_table_name, tg_argv[0]
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

-- The other side: what is referred to is not taken away. Arguments: the table that refers, and its column.
create function platform.refuse_orphans() returns trigger language plpgsql as $$
declare
  orphaned boolean;
begin
  if not exists (select from removed) then return null; end if;
  execute format(
    'select exists (select from %s as child join removed
       on removed.tenant_id = child.tenant_id and removed.id = child.%I)',
    tg_argv[0], tg_argv[1]) into orphaned;
  if orphaned then
    raise exception '% still names a row of %', tg_argv[0], tg_table_name
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

-- An id that is referred to never becomes another.
create function platform.refuse_other_id() returns trigger language plpgsql as $$
begin
  if (new.tenant_id, new.id) is distinct from (old.tenant_id, old.id) then
    raise exception 'The id of a row of % does not change', tg_table_name
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- Puts both in the place of a foreign key.
create function platform.refer(child regclass, child_column text, parent regclass)
returns void language plpgsql as $$
declare
  name text := split_part(child::text, '.', 2) || '_' || child_column;
  event text;
begin
  foreach event in array array['insert', 'update'] loop
    execute format(
      'create trigger %I after %s on %s referencing new table as added
         for each statement execute function platform.refuse_unknown(%L, %L)',
      name || '_' || event, event, child, parent, child_column);
  end loop;
  execute format(
    'create trigger %I after delete on %s referencing old table as removed
       for each statement execute function platform.refuse_orphans(%L, %L)',
    name, parent, child, child_column);
  execute format(
    'create or replace trigger id_stays before update of tenant_id, id on %s
       for each row execute function platform.refuse_other_id()', parent);
end $$;

alter table billing.imported_payments
  drop constraint imported_payments_tenant_id_user_id_fkey,
  drop constraint imported_payments_tenant_id_invoice_id_fkey;
alter table billing.imported_credit drop constraint imported_credit_tenant_id_user_id_fkey;
alter table orders.imported_orders
  drop constraint imported_orders_tenant_id_user_id_fkey,
  drop constraint imported_orders_tenant_id_invoice_id_fkey;

select platform.refer('billing.imported_payments', 'user_id', 'users.users');
select platform.refer('billing.imported_payments', 'invoice_id', 'billing.invoices');
select platform.refer('billing.imported_credit', 'user_id', 'users.users');
select platform.refer('orders.imported_orders', 'user_id', 'users.users');
select platform.refer('orders.imported_orders', 'invoice_id', 'billing.invoices');
