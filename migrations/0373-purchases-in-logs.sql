-- The purchase that a message or a provisioning is part of: the order, or the invoice where nothing was ordered. Lines
-- in the log carry it, however the purchase was paid. Rows from before have none.
alter table webhooks.messages add column purchase_id uuid;
alter table services.provisioning add column purchase_id uuid;
