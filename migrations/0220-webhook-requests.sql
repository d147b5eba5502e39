-- The request that a message goes back to: a process sends those of many requests in one piece of work.
alter table webhooks.messages add column request_id text;
