-- What a front end gets back when the address of a new account is confirmed, so that a purchase goes on; removed then.
alter table users.users add column registration_state text;
