-- Where servers can stand, as buyers choose it. A location may span several panel connections.
create table panel.locations (
  tenant_id   uuid not null,
  id          uuid not null,
  slug        text not null,
  name        text not null,
  -- ISO 3166-1 alpha-2; gives the flag.
  country     text not null check (country ~ '^[A-Z]{2}$'),
  city        text,
  position    integer not null default 0,
  -- Not offered to buyers; servers stay there.
  hidden      boolean not null default false,
  created_at  timestamptz(3) not null,
  -- Not sold any more; services keep it.
  archived_at timestamptz(3),
  primary key (tenant_id, id)
);
create unique index locations_slug on panel.locations (tenant_id, slug) where archived_at is null;
create index locations_by_position on panel.locations (tenant_id, position, id);
select platform.protect('panel.locations');

-- A location of a panel, or a tag of its machines, that a location is made of.
create table panel.location_places (
  tenant_id   uuid not null,
  location_id uuid not null,
  node_id     uuid not null,
  remote_id   text not null,
  primary key (tenant_id, location_id, node_id, remote_id),
  foreign key (tenant_id, location_id) references panel.locations,
  foreign key (tenant_id, node_id) references panel.nodes
);
create index location_places_of_node on panel.location_places (tenant_id, node_id);
select platform.protect('panel.location_places');

-- Where a product is sold, where buyers choose; empty: wherever its servers may stand.
alter table store.products add column location_ids uuid[] not null default '{}';

alter table store.cart_items add column location_id uuid;
alter table store.cart_items add constraint cart_items_location
  foreign key (tenant_id, location_id) references panel.locations not valid;

alter table orders.order_items add column location_id uuid;
alter table orders.order_items add constraint order_items_location
  foreign key (tenant_id, location_id) references panel.locations not valid;

-- Fixed for the life of a service, unless staff note that they moved its server.
alter table services.services add column location_id uuid;
alter table services.services add constraint services_location
  foreign key (tenant_id, location_id) references panel.locations not valid;
