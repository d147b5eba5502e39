-- Host names that the staff of a tenant asked for: the platform decides on them.
alter table tenants.tenants add column proposed_domains text[] not null default '{}';
