-- in steps: a large shop has many people, and new processes start beside old ones
alter table users.users
  drop constraint if exists users_locale_check,
  drop constraint if exists users_locale,
  add constraint users_locale
    check (locale in ('en', 'fr', 'de', 'nl', 'es', 'it', 'pl', 'pt')) not valid
-- next step
alter table users.users validate constraint users_locale
-- next step
comment on column users.users.locale is
  'type: ''en'' | ''fr'' | ''de'' | ''nl'' | ''es'' | ''it'' | ''pl'' | ''pt'''
