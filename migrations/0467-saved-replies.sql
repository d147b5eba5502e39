-- Texts that staff save for their answers, and what is done with the ticket when one is sent.
create table support.saved_replies (
  tenant_id      uuid not null,
  id             uuid not null,
  -- Null: shared with all staff of its departments.
  owner_id       uuid,
  name           text not null,
  -- Only for tickets of these departments; empty: for all.
  department_ids uuid[] not null default '{}',
  -- By language: {"en": "Hello {{customer.firstName}}"}.
  texts          jsonb not null,
  actions        jsonb not null,
  -- Raised by each change: an answer names the one that its author has seen.
  revision       integer not null default 1,
  created_at     timestamptz(3) not null,
  archived_at    timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, owner_id) references users.users (tenant_id, id)
);
comment on column support.saved_replies.texts is 'json: Record<string, string>';
comment on column support.saved_replies.actions is
  'json: { next: ''answered'' | ''hold'' | ''close'' | null; holdHours: number | null; priority: ''low'' | ''normal'' | ''high'' | ''urgent'' | null; assigneeId: string | null; assignToMe: boolean; departmentId: string | null; tags: string[] }';
create unique index shared_replies_by_name on support.saved_replies (tenant_id, lower(name))
  where owner_id is null and archived_at is null;
create unique index own_replies_by_name on support.saved_replies (tenant_id, owner_id, lower(name))
  where owner_id is not null and archived_at is null;
create index saved_replies_in_order on support.saved_replies (tenant_id, lower(name), id);
create index saved_replies_of_person on support.saved_replies (tenant_id, owner_id);
select platform.protect('support.saved_replies');
