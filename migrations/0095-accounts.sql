-- What an account needs so that nothing begun by somebody else outlives a change of its credentials.

-- When the present address was confirmed, while another address is pending: a pending change that is
-- cancelled gives the confirmation back.
alter table users.users add column email_verified_before timestamptz(3);

-- A key made with another key: it ends with that one.
alter table users.api_keys add column parent_id uuid;
alter table users.api_keys
  add foreign key (tenant_id, parent_id) references users.api_keys not valid;

-- The API key with which an administrator acts as a person, where it was not a session of theirs.
alter table users.sessions add column impersonator_key_id uuid;
alter table users.sessions drop constraint sessions_check;
alter table users.sessions add constraint impersonator_with_one_credential check (
  (impersonator_id is null and impersonator_session_id is null and impersonator_key_id is null)
  or (impersonator_id is not null
    and num_nonnulls(impersonator_session_id, impersonator_key_id) = 1)) not valid;

-- How often somebody did what is limited per hour or day, such as causing mails to strangers. `subject`
-- is a person, a service, or the keyed hash of a network. The count starts again once `ends_at` has passed.
create table users.allowances (
  tenant_id uuid not null,
  kind      text not null,
  subject   text not null,
  used      integer not null check (used > 0),
  ends_at   timestamptz(3) not null,
  primary key (tenant_id, kind, subject)
);
create index allowances_by_end on users.allowances (ends_at);
select platform.protect('users.allowances');
