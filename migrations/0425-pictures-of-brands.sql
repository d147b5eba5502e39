-- The logo of a shop for dark surroundings, and its icon in browser tabs: both are kept with the logos.
alter table tenants.tenants
  add column dark_logo_sha256 bytea,
  add column favicon_sha256 bytea,
  add foreign key (id, dark_logo_sha256) references tenants.logos (tenant_id, sha256) not valid,
  add foreign key (id, favicon_sha256) references tenants.logos (tenant_id, sha256) not valid;
