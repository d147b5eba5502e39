-- What the EU's register said about VAT numbers that visitors typed, for a day: an account that is opened with one of
-- them is taxed as its owner was told. The key is a keyed hash of the number.
create table users.vat_answers (
  tenant_id           uuid not null,
  subject             text not null,
  status              text not null check (status in ('valid', 'invalid')),
  -- For whom it was asked, and what the register calls its answer then.
  requester           text,
  consultation_number text,
  checked_at          timestamptz(3) not null,
  primary key (tenant_id, subject)
);
comment on column users.vat_answers.status is 'type: ''valid'' | ''invalid''';
create index vat_answers_by_age on users.vat_answers (checked_at);
select platform.protect('users.vat_answers');
