-- Applications that link accounts by address must not be entered with an address that was never confirmed.
alter table oidc.clients add column require_verified_email boolean not null default true;
