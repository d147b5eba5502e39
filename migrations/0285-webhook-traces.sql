-- The trace that caused a message, as a W3C `traceparent`: its deliveries belong to it. Null where nothing is traced.
alter table webhooks.messages add column trace text;
