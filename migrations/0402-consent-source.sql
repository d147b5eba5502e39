-- Where a person agreed to get news and offers: the time alone is no evidence. Null for what was agreed before.
alter table users.users
  add column marketing_consent_source text
    check (marketing_consent_source in ('registration', 'profile', 'api_key'));
