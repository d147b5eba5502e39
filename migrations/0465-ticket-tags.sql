-- Tags that staff put on tickets, to find those about the same thing. Customers never see them.
create table support.ticket_tags (
  tenant_id uuid not null,
  ticket_id uuid not null,
  -- Lower case. Compared by code points, so that the beginning of a name is found in the index.
  name      text collate "C" not null check (length(name) between 1 and 40),
  primary key (tenant_id, ticket_id, name),
  foreign key (tenant_id, ticket_id) references support.tickets
);
create index tickets_with_tag on support.ticket_tags (tenant_id, name, ticket_id desc);
select platform.protect('support.ticket_tags');

-- The rows that exist have one of the other kinds; the next migration validates the constraint.
alter table support.changes drop constraint changes_kind_check;
alter table support.changes add constraint changes_kind_check check (kind in
  ('assigned', 'priority', 'department', 'held', 'closed', 'reopened', 'participant_added', 'participant_removed',
   'tags')) not valid;
comment on column support.changes.kind is
  'type: ''assigned'' | ''priority'' | ''department'' | ''held'' | ''closed'' | ''reopened'' | ''participant_added'' | ''participant_removed'' | ''tags''';
