-- The parts of a mail, from which its text and its page are made when it is sent. Null for mails from before,
-- whose `body` is all there is, and once a secret link in it has been sent or has expired.
alter table notifications.mails add column content jsonb;
comment on column notifications.mails.content is
  'json: { greeting: string; paragraphs: string[]; rows: [string, string][]; action: { label: string; to: string } | null; after: string | null }';
