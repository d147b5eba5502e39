-- Pictures of products and categories. Each upload has an id of its own, so an address never shows another picture; a
-- picture that was replaced or removed is deleted.
create table store.images (
  tenant_id  uuid not null,
  id         uuid not null,
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  content    bytea not null check (octet_length(content) <= 524288),
  created_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
comment on column store.images.media_type is 'type: ''image/png'' | ''image/jpeg'' | ''image/webp''';
create trigger made_once before update on store.images
  for each row execute function platform.refuse_change();
select platform.protect('store.images');

-- Pages reserve the space of a picture by its measures. The alternative text is null where it only decorates.
alter table store.products
  add column image_id uuid,
  add column image_width integer,
  add column image_height integer,
  add column image_alt text,
  add foreign key (tenant_id, image_id) references store.images not valid,
  add constraint products_image check (
    (image_id is null) = (image_width is null) and (image_id is null) = (image_height is null)
    and (image_id is not null or image_alt is null)
  ) not valid;

alter table store.categories
  add column image_id uuid,
  add column image_width integer,
  add column image_height integer,
  add column image_alt text,
  add foreign key (tenant_id, image_id) references store.images not valid,
  add constraint categories_image check (
    (image_id is null) = (image_width is null) and (image_id is null) = (image_height is null)
    and (image_id is not null or image_alt is null)
  ) not valid;
