-- A deleted category is archived, and can be restored with the products that it had.
alter table store.categories
  add column archived_at timestamptz(3),
  add column archived_products uuid[] not null default '{}';
comment on column store.categories.archived_products is
  'The products that lost it when it was archived: they get it back unless they have another one';
alter table store.categories drop constraint categories_slug;
create unique index categories_slug on store.categories (tenant_id, slug) where archived_at is null;
create index categories_archived on store.categories (tenant_id, id) where archived_at is not null;
