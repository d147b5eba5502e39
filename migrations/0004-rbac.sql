-- What people may do in the administration: roles, held directly or through groups.

create schema rbac;
select platform.open_schema('rbac');

create table rbac.roles (
  tenant_id   uuid not null references tenants.tenants,
  id          uuid not null,
  name        text not null check (length(name) between 1 and 100),
  description text,
  permissions text[] not null,
  -- The one role of a tenant that holds everything; it cannot be changed or deleted.
  system      boolean not null default false,
  created_at  timestamptz(3) not null,
  primary key (tenant_id, id)
);
create unique index one_role_per_name on rbac.roles (tenant_id, lower(name));
create unique index one_system_role on rbac.roles (tenant_id) where system;
select platform.protect('rbac.roles');

create table rbac.user_roles (
  tenant_id  uuid not null,
  user_id    uuid not null,
  role_id    uuid not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, user_id, role_id),
  foreign key (tenant_id, user_id) references users.users,
  foreign key (tenant_id, role_id) references rbac.roles
);
create index user_roles_of_role on rbac.user_roles (tenant_id, role_id);
select platform.protect('rbac.user_roles');

create table rbac.groups (
  tenant_id  uuid not null references tenants.tenants,
  id         uuid not null,
  name       text not null check (length(name) between 1 and 100),
  created_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create unique index one_group_per_name on rbac.groups (tenant_id, lower(name));
select platform.protect('rbac.groups');

create table rbac.group_roles (
  tenant_id uuid not null,
  group_id  uuid not null,
  role_id   uuid not null,
  primary key (tenant_id, group_id, role_id),
  foreign key (tenant_id, group_id) references rbac.groups on delete cascade,
  foreign key (tenant_id, role_id) references rbac.roles
);
create index group_roles_of_role on rbac.group_roles (tenant_id, role_id);
select platform.protect('rbac.group_roles');

create table rbac.group_members (
  tenant_id uuid not null,
  group_id  uuid not null,
  user_id   uuid not null,
  primary key (tenant_id, user_id, group_id),
  foreign key (tenant_id, group_id) references rbac.groups on delete cascade,
  foreign key (tenant_id, user_id) references users.users
);
create index group_members_of_group on rbac.group_members (tenant_id, group_id);
select platform.protect('rbac.group_members');

-- The one-time token that makes a tenant's first administrator. Gone once there is one.
create table rbac.setups (
  tenant_id  uuid primary key references tenants.tenants,
  token_hash bytea not null,
  created_at timestamptz(3) not null
);
select platform.protect('rbac.setups');
