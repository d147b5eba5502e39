-- What products and categories are called and described as in other languages than that of the shop, what search engines
-- are told of them, and the badge of a product.
alter table store.products
  add column translations jsonb not null default '{}',
  add column badge text check (badge in ('popular', 'new', 'recommended'));
alter table store.categories
  add column translations jsonb not null default '{}';
comment on column store.products.badge is 'type: ''popular'' | ''new'' | ''recommended'' | null';
comment on column store.products.translations is 'json: Readonly<Record<string, {
  name?: string
  description?: string
  searchTitle?: string
  searchDescription?: string
}>>';
comment on column store.categories.translations is 'json: Readonly<Record<string, {
  name?: string
  description?: string
  searchTitle?: string
  searchDescription?: string
}>>';
