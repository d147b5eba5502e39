-- Logos of shops. Kept for good under the hash of their bytes: issued documents show the one they were
-- made with, and mails link to the one they were sent with.

create table tenants.logos (
  tenant_id  uuid not null references tenants.tenants,
  sha256     bytea not null check (octet_length(sha256) = 32),
  media_type text not null check (media_type in ('image/png', 'image/jpeg')),
  content    bytea not null check (octet_length(content) <= 262144),
  created_at timestamptz(3) not null,
  primary key (tenant_id, sha256)
);
comment on column tenants.logos.media_type is 'type: ''image/png'' | ''image/jpeg''';
create trigger made_once before update on tenants.logos
  for each row execute function platform.refuse_change();
select platform.protect('tenants.logos');

-- The one a shop shows now.
alter table tenants.tenants
  add column logo_sha256 bytea,
  add foreign key (id, logo_sha256) references tenants.logos (tenant_id, sha256);

comment on column billing.documents.facts is
  'json: { paidCents: number; brandName: string; color: string | null; footer: string | null; logo?: string | null }';
