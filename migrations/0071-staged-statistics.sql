-- What the planner of statements knows of the rows on their way.

-- Looks at some rows of every table that an import stages: written just now, they are taken for few, and
-- are gone through by the index, one after the other. A sample of three hundred rows tells how many there
-- are. Only the owner of a table may have it looked at, so this is done with the owner's rights; a table
-- that somebody else looks at is left to them.
create function imports.look_at_staged() returns void language plpgsql security definer
set search_path = pg_catalog set default_statistics_target = 1 as $$
declare
  staged regclass;
begin
  for staged in
    select oid from pg_class
    where relnamespace = 'imports'::regnamespace and relkind = 'r' and relname like 'staged\_%'
      and pg_relation_size(oid) > 0
    order by relname
  loop
    execute format('analyze (skip_locked) %s', staged);
  end loop;
end $$;
