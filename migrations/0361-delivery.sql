-- How the services of a product come into being; fixed once the product was sold.
alter table store.products add column delivery text not null default 'server';
alter table store.products
  add constraint products_delivery check (delivery in ('server', 'none')) not valid;
comment on column store.products.delivery is 'type: ''server'' | ''none''';

-- Copied from the product when the service is created.
alter table services.services add column delivery text not null default 'server';
alter table services.services
  add constraint services_delivery check (delivery in ('server', 'none')) not valid;
comment on column services.services.delivery is 'type: ''server'' | ''none''';
