-- in steps: the index of slugs is built while the shop works
-- A deleted category is archived, and can be restored with the products that it had.
alter table store.categories
  add column if not exists archived_at timestamptz(3),
  add column if not exists archived_products uuid[] not null default '{}'
-- next step
drop index concurrently if exists store.categories_slug_in_use
-- next step
create unique index concurrently categories_slug_in_use
  on store.categories (tenant_id, slug, archived_at) nulls not distinct
-- next step
-- The slug of an archived category is free.
alter table store.categories drop constraint if exists categories_slug
