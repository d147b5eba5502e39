-- Why each attempt to set a service up failed, for staff: `last_error` keeps only the last reason. The newest attempts of each service are kept.
create table services.provisioning_attempts (
  tenant_id  uuid not null,
  service_id uuid not null,
  -- Counted over the life of the service; a retry by staff continues it.
  attempt    integer not null,
  code       text not null,
  detail     text not null,
  failed_at  timestamptz(3) not null,
  primary key (tenant_id, service_id, attempt),
  -- Whoever adds one has locked this row, not the service, which others lock first.
  foreign key (tenant_id, service_id) references services.provisioning
);
select platform.protect('services.provisioning_attempts');
