-- What people may say of themselves beside their address: none of it has to be known.
alter table users.users
  add column phone text,
  add column time_zone text,
  -- When they agreed to get news and offers; null where they did not, or not any more.
  add column marketing_consent_at timestamptz(3);
