-- Views of lists that staff save: a filter, an order and hidden columns under a name.
create schema desk;
select platform.open_schema('desk');

create table desk.views (
  tenant_id      uuid not null,
  id             uuid not null,
  user_id        uuid not null,
  screen         text not null,
  name           text not null,
  -- The query string of the list. Only the screen interprets it.
  query          text not null check (length(query) <= 2000),
  hidden_columns text[] not null,
  shared         boolean not null,
  created_at     timestamptz(3) not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users.users
);
create unique index views_by_name on desk.views (tenant_id, user_id, screen, name);
create index views_of_screen on desk.views (tenant_id, screen, id);
select platform.protect('desk.views');
