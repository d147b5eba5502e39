-- The terms that a person accepted when they registered: which version, in which language, and when.

alter table users.users
  add column terms_version integer,
  add column terms_language text,
  add column terms_accepted_at timestamptz(3);
