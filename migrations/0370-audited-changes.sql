-- What an edit changed: values before and after. Beside the chain, because it can hold personal data and is
-- erased; the chain holds its salted hash.
alter table audit.pending add column changes jsonb;
comment on column audit.pending.changes is
  'json: { path: string; before: unknown; after: unknown }[]';
alter table audit.entries add column changes_hash bytea;

create table audit.changes (
  tenant_id   uuid not null,
  id          uuid not null,
  occurred_at timestamptz(3) not null,
  changes     jsonb,
  salt        bytea,
  erased_at   timestamptz(3),
  primary key (tenant_id, id),
  check ((changes is null) = (erased_at is not null)),
  check ((salt is null) = (erased_at is not null))
);
comment on column audit.changes.changes is
  'json: { path: string; before: unknown; after: unknown }[]';
create index changes_by_age on audit.changes (occurred_at) where erased_at is null;
select platform.protect('audit.changes');

-- As before, and with what the pruned entries changed.
create or replace function audit.prune(tenant uuid, before timestamptz, most integer, at timestamptz)
returns integer language plpgsql security definer
set search_path = '' set audit.pruning = 'on' as $$
declare
  last_pruned bigint;
  pruned      integer;
begin
  perform from audit.heads where tenant_id = tenant for update;
  select max(sequence) into last_pruned
  from (
    select sequence, bool_and(occurred_at < before) over (order by sequence) as old
    from (
      select sequence, occurred_at from audit.entries
      where tenant_id = tenant order by sequence limit most
    ) oldest
  ) judged
  where old;
  if last_pruned is null then
    return 0;
  end if;
  update audit.heads
  set anchor_sequence = last_pruned, pruned_at = at,
      anchor_hash = (select hash from audit.entries
                     where tenant_id = tenant and sequence = last_pruned)
  where tenant_id = tenant;
  delete from audit.personal
  where tenant_id = tenant
    and id in (select id from audit.entries where tenant_id = tenant and sequence <= last_pruned);
  delete from audit.changes
  where tenant_id = tenant
    and id in (select id from audit.entries where tenant_id = tenant and sequence <= last_pruned);
  delete from audit.entries where tenant_id = tenant and sequence <= last_pruned;
  get diagnostics pruned = row_count;
  return pruned;
end $$;
