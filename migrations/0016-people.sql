-- Acting for others, the end of an account, and how long things are kept.

-- An impersonation ends with the session of the administrator who began it.
alter table users.sessions
  add column impersonator_session_id uuid,
  add foreign key (tenant_id, impersonator_session_id)
    references users.sessions on delete cascade,
  add check ((impersonator_id is null) = (impersonator_session_id is null));
create index sessions_of_impersonator
  on users.sessions (tenant_id, impersonator_session_id) where impersonator_session_id is not null;

create index mails_of_recipient on notifications.mails (tenant_id, recipient);
create index invitations_to_address on services.invitations (tenant_id, email);
create index invitations_by_inviter on services.invitations (tenant_id, invited_by);
create index deleted_people on users.users (tenant_id, id) where deleted_at is not null;

create index entries_of_impersonator
  on audit.entries (tenant_id, impersonator_id, id) where impersonator_id is not null;

-- Where the chain begins after its oldest entries were pruned: the last of those, and its hash.
alter table audit.heads
  add column anchor_sequence bigint not null default 0 check (anchor_sequence >= 0),
  add column anchor_hash bytea not null default decode(repeat('00', 32), 'hex'),
  add column pruned_at timestamptz(3);

-- Entries stay as they were written; the oldest go when nobody has to keep them any longer.
create function audit.refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('audit.pruning', true) = 'on' then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
drop trigger append_only on audit.entries;
create trigger append_only before update or delete on audit.entries
  for each row execute function audit.refuse_change();

-- Removes the oldest entries of a tenant that are all older than a moment, at most so many, and
-- moves the beginning of the chain behind them. The application may call it, and delete nothing
-- itself: what it cannot do is take an entry out of the middle, or hide that the beginning moved.
create function audit.prune(tenant uuid, before timestamptz, most integer, at timestamptz)
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
  delete from audit.entries where tenant_id = tenant and sequence <= last_pruned;
  get diagnostics pruned = row_count;
  return pruned;
end $$;

-- Set when the law no longer wanted the buyer's name to be kept; the hash is of what it was.
alter table billing.invoices add column anonymized_at timestamptz(3);
alter table billing.credit_notes add column anonymized_at timestamptz(3);

-- As before, but the buyer may go: at once from what was never issued, and after the time the law
-- wants it kept from what was.
create or replace function billing.refuse_changed_invoice() returns trigger language plpgsql as $$
declare
  shown_buyer jsonb := new.buyer;
begin
  if old.status = 'draft' then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  if tg_op = 'DELETE' then
    raise exception 'An invoice that was issued stays' using errcode = 'restrict_violation';
  end if;
  if new.buyer = '{}' and new.anonymized_at is not null and (
    (old.number is null and old.status in ('void', 'uncollectible'))
    or current_setting('billing.anonymizing', true) = 'on'
  ) then
    shown_buyer := old.buyer;
  end if;
  if (old.user_id, old.kind, old.reference, old.currency, old.price_mode, old.subtotal_cents,
      old.discount_cents, old.net_cents, old.tax_cents, old.total_cents, old.seller, old.buyer,
      old.tax_country, old.tax_reason, old.mentions, old.created_at)
     is distinct from
     (new.user_id, new.kind, new.reference, new.currency, new.price_mode, new.subtotal_cents,
      new.discount_cents, new.net_cents, new.tax_cents, new.total_cents, new.seller, shown_buyer,
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

create function billing.refuse_changed_note() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('billing.anonymizing', true) = 'on'
    and new.buyer = '{}'
    and to_jsonb(new) - '{buyer,anonymized_at}'::text[]
      = to_jsonb(old) - '{buyer,anonymized_at}'::text[]
  then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
drop trigger append_only on billing.credit_notes;
create trigger append_only before update or delete on billing.credit_notes
  for each row execute function billing.refuse_changed_note();

-- Takes the buyer out of documents of people who are gone, where they were issued before a moment;
-- at most so many of each kind. Answers how many there were.
create function billing.anonymize_documents(
  tenant uuid, before timestamptz, most integer, at timestamptz
) returns integer language plpgsql security definer
set search_path = '' set billing.anonymizing = 'on' as $$
declare
  invoices integer;
  notes    integer;
begin
  update billing.invoices set buyer = '{}', anonymized_at = at
  where tenant_id = tenant and id in (
    select document.id from billing.invoices document
    join users.users person
      on person.tenant_id = document.tenant_id and person.id = document.user_id
    where document.tenant_id = tenant and person.deleted_at is not null
      and document.anonymized_at is null and document.issued_at < before
    limit most);
  get diagnostics invoices = row_count;
  update billing.credit_notes set buyer = '{}', anonymized_at = at
  where tenant_id = tenant and id in (
    select document.id from billing.credit_notes document
    join users.users person
      on person.tenant_id = document.tenant_id and person.id = document.user_id
    where document.tenant_id = tenant and person.deleted_at is not null
      and document.anonymized_at is null and document.issued_at < before
    limit most);
  get diagnostics notes = row_count;
  return invoices + notes;
end $$;

-- Both take a tenant's word for who it is, so only the application may call them.
revoke execute on function audit.prune, billing.anonymize_documents from public;
do $$ begin
  if exists (select from pg_roles where rolname = 'moorage_app') then
    grant execute on function audit.prune, billing.anonymize_documents to moorage_app;
  end if;
end $$;
