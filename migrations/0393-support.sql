-- Tickets: what customers ask and staff answer.
create schema support;
select platform.open_schema('support');

-- Where tickets are handled. The first one of a tenant has the tenant's own id, so that two requests cannot make two.
create table support.departments (
  tenant_id        uuid not null,
  id               uuid not null,
  -- Its name by language: {"en": "Billing"}. Without any it is called by a text of the product.
  names            jsonb not null,
  position         integer not null default 0,
  visibility       text not null check (visibility in ('customers', 'staff')),
  -- The groups of staff that see its tickets; empty: all staff who may see tickets.
  group_ids        uuid[] not null default '{}',
  default_priority text not null check (default_priority in ('low', 'normal', 'high', 'urgent')),
  created_at       timestamptz(3) not null,
  archived_at      timestamptz(3),
  primary key (tenant_id, id)
);
comment on column support.departments.names is 'json: Record<string, string>';
comment on column support.departments.visibility is 'type: ''customers'' | ''staff''';
comment on column support.departments.default_priority is 'type: ''low'' | ''normal'' | ''high'' | ''urgent''';
select platform.protect('support.departments');

-- One conversation with one customer. Its status follows from the facts and is not stored.
create table support.tickets (
  tenant_id          uuid not null,
  id                 uuid not null,
  number             text not null,
  department_id      uuid not null,
  subject            text not null,
  priority           text not null check (priority in ('low', 'normal', 'high', 'urgent')),
  opened_via         text not null check (opened_via in ('portal', 'api', 'staff')),
  assignee_id        uuid,
  service_id         uuid,
  invoice_id         uuid,
  -- The closed ticket that this one continues.
  follows_id         uuid,
  -- Since when the customer has been waiting for an answer; null while the next message is up to the customer.
  waiting_since      timestamptz(3),
  first_responded_at timestamptz(3),
  on_hold_at         timestamptz(3),
  hold_until         timestamptz(3),
  closed_at          timestamptz(3),
  closed_by          text check (closed_by in ('customer', 'staff', 'erasure')),
  -- The last public message; and the last of anything, notes included.
  last_message_at    timestamptz(3) not null,
  last_activity_at   timestamptz(3) not null,
  created_at         timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, department_id) references support.departments,
  foreign key (tenant_id, assignee_id) references users.users (tenant_id, id),
  foreign key (tenant_id, service_id) references services.services (tenant_id, id),
  foreign key (tenant_id, invoice_id) references billing.invoices (tenant_id, id),
  foreign key (tenant_id, follows_id) references support.tickets (tenant_id, id),
  check ((closed_at is null) = (closed_by is null)),
  check (closed_at is null or (waiting_since is null and on_hold_at is null)),
  check (hold_until is null or on_hold_at is not null)
);
create unique index tickets_number on support.tickets (tenant_id, number);
create index tickets_by_activity on support.tickets (tenant_id, last_activity_at, id);
create index tickets_of_department on support.tickets (tenant_id, department_id, last_activity_at, id);
create index tickets_waiting on support.tickets (tenant_id, waiting_since, id)
  where closed_at is null and on_hold_at is null and waiting_since is not null;
create index tickets_answered on support.tickets (tenant_id, last_activity_at, id)
  where closed_at is null and on_hold_at is null and waiting_since is null;
create index tickets_on_hold on support.tickets (tenant_id, last_activity_at, id)
  where closed_at is null and on_hold_at is not null;
create index tickets_of_assignee on support.tickets (tenant_id, assignee_id, last_activity_at, id)
  where closed_at is null;
create index tickets_of_service on support.tickets (tenant_id, service_id, id)
  where service_id is not null;
create index tickets_of_invoice on support.tickets (tenant_id, invoice_id, id)
  where invoice_id is not null;
create index tickets_following on support.tickets (tenant_id, follows_id)
  where follows_id is not null;
create index holds_ending on support.tickets (tenant_id, hold_until)
  where hold_until is not null;
comment on column support.tickets.priority is 'type: ''low'' | ''normal'' | ''high'' | ''urgent''';
comment on column support.tickets.opened_via is 'type: ''portal'' | ''api'' | ''staff''';
comment on column support.tickets.closed_by is 'type: ''customer'' | ''staff'' | ''erasure''';
select platform.protect('support.tickets');

-- Who takes part: the customer who asked, and people whom staff added.
create table support.participants (
  tenant_id  uuid not null,
  id         uuid not null,
  ticket_id  uuid not null,
  user_id    uuid not null,
  role       text not null check (role in ('requester', 'copied')),
  added_by   uuid,
  created_at timestamptz(3) not null,
  -- Gets no more notices of this ticket.
  muted_at   timestamptz(3),
  removed_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, ticket_id) references support.tickets,
  foreign key (tenant_id, user_id) references users.users (tenant_id, id)
);
create unique index participants_of_ticket on support.participants (tenant_id, ticket_id, user_id)
  where removed_at is null;
create unique index one_requester on support.participants (tenant_id, ticket_id)
  where role = 'requester';
create index tickets_of_participant on support.participants (tenant_id, user_id, ticket_id);
comment on column support.participants.role is 'type: ''requester'' | ''copied''';
select platform.protect('support.participants');

create table support.messages (
  tenant_id  uuid not null,
  id         uuid not null,
  ticket_id  uuid not null,
  -- A note is for staff only.
  kind       text not null check (kind in ('public', 'note')),
  author     text not null check (author in ('customer', 'staff')),
  author_id  uuid not null,
  body       text not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, ticket_id) references support.tickets
);
create index messages_of_ticket on support.messages (tenant_id, ticket_id, id);
create index messages_of_author on support.messages (tenant_id, author_id, created_at);
comment on column support.messages.kind is 'type: ''public'' | ''note''';
comment on column support.messages.author is 'type: ''customer'' | ''staff''';
select platform.protect('support.messages');

-- What was done with a ticket besides writing.
create table support.changes (
  tenant_id  uuid not null,
  id         uuid not null,
  ticket_id  uuid not null,
  kind       text not null check (kind in
    ('assigned', 'priority', 'department', 'held', 'closed', 'reopened', 'participant_added', 'participant_removed')),
  -- Null: it happened by itself.
  actor_id   uuid,
  -- The value before and after: an id, a priority or an instant.
  before     text,
  after      text,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, ticket_id) references support.tickets
);
create index changes_of_ticket on support.changes (tenant_id, ticket_id, id);
comment on column support.changes.kind is
  'type: ''assigned'' | ''priority'' | ''department'' | ''held'' | ''closed'' | ''reopened'' | ''participant_added'' | ''participant_removed''';
select platform.protect('support.changes');
