-- What is looked up each time the metrics are read: what waits, and since when. Few rows, however many
-- there were. Of all tenants at once, so the tenant does not come first.

create index provider_events_waiting on billing.provider_events (received_at) where state = 'new';
create index deliveries_waiting on webhooks.deliveries (created_at) where status = 'pending';
create index breaks_open on billing.breaks (created_at) where resolved_at is null;
