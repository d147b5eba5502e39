-- A foreign key looks each row up by itself, which took a seventh of the time of an import: services, their
-- members and invoices are looked after by the statement now, as imported history is. For a statement of one
-- row that takes 7 µs more than a foreign key, for one of fifty thousand a third of the time.

-- Puts triggers in the place of a foreign key to (tenant_id, id). What a statement adds is looked up together,
-- and refused as a foreign key would: functions of their own have their plans made once.
create or replace function platform.refer(child regclass, child_column text, parent regclass)
returns void language plpgsql as $$
declare
  schema text := split_part(child::text, '.', 1);
  name   text := split_part(child::text, '.', 2) || '_' || child_column;
begin
  execute format($function$
    create or replace function %1$I.%2$I() returns trigger language plpgsql as $body$
    begin
      -- What another transaction may be taking away is waited for, and kept until this one ends.
      perform from %4$s as parent
      where (parent.tenant_id, parent.id) in (
          select tenant_id, %3$I from added where %3$I is not null)
        and parent.xmin <> pg_current_xact_id()::xid
      for key share;
      if exists (
        select from added where %3$I is not null and not exists (
          select from %4$s as parent
          where parent.tenant_id = added.tenant_id and parent.id = added.%3$I)
      ) then
        raise exception '%% names a row of %4$s that is not there', tg_table_name
          using errcode = 'foreign_key_violation';
      end if;
      return null;
    end $body$ $function$, schema, name || '_is_there', child_column, parent);
  execute format($function$
    create or replace function %1$I.%2$I() returns trigger language plpgsql as $body$
    begin
      perform from %4$s as parent
      where parent.tenant_id = new.tenant_id and parent.id = new.%3$I for key share;
      if not found and new.%3$I is not null then
        raise exception '%% names a row of %4$s that is not there', tg_table_name
          using errcode = 'foreign_key_violation';
      end if;
      return null;
    end $body$ $function$, schema, name || '_stays_there', child_column, parent);
  execute format('drop trigger if exists %I on %s', name || '_insert', child);
  execute format('drop trigger if exists %I on %s', name || '_update', child);
  execute format(
    'create trigger %I after insert on %s referencing new table as added
       for each statement execute function %I.%I()',
    name || '_insert', child, schema, name || '_is_there');
  execute format(
    'create trigger %1$I after update of tenant_id, %2$I on %3$s for each row
       when ((new.tenant_id, new.%2$I) is distinct from (old.tenant_id, old.%2$I))
       execute function %4$I.%5$I()',
    name || '_update', child_column, child, schema, name || '_stays_there');
  execute format(
    'create or replace trigger %I after delete on %s referencing old table as removed
       for each statement execute function platform.refuse_orphans(%L, %L)',
    name, parent, child, child_column);
  execute format(
    'create or replace trigger id_stays before update of tenant_id, id on %s
       for each row execute function platform.refuse_other_id()', parent);
end $$;

select platform.refer('billing.imported_payments', 'user_id', 'users.users');
select platform.refer('billing.imported_payments', 'invoice_id', 'billing.invoices');
select platform.refer('billing.imported_credit', 'user_id', 'users.users');
select platform.refer('orders.imported_orders', 'user_id', 'users.users');
select platform.refer('orders.imported_orders', 'invoice_id', 'billing.invoices');

select platform.refer('billing.invoices', 'user_id', 'users.users');
select platform.refer('services.services', 'user_id', 'users.users');
select platform.refer('services.services', 'product_id', 'store.products');
select platform.refer('services.services', 'plan_id', 'store.plans');
select platform.refer('services.members', 'user_id', 'users.users');
select platform.refer('services.members', 'service_id', 'services.services');
select platform.refer('services.recurring', 'user_id', 'users.users');
select platform.refer('services.recurring', 'service_id', 'services.services');

alter table billing.invoices drop constraint invoices_tenant_id_user_id_fkey;
alter table services.services
  drop constraint services_tenant_id_user_id_fkey,
  drop constraint services_tenant_id_product_id_fkey,
  drop constraint services_tenant_id_plan_id_fkey;
alter table services.members
  drop constraint members_tenant_id_user_id_fkey,
  drop constraint members_tenant_id_service_id_fkey;
alter table services.recurring
  drop constraint recurring_tenant_id_user_id_fkey,
  drop constraint recurring_tenant_id_service_id_fkey;
