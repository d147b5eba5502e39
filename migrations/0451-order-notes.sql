-- The note that a customer added to their order; it is deleted with their personal data.
alter table orders.orders add column note text;
