-- Which member of staff placed an order for its customer; null for an order that the customer placed.
alter table orders.orders add column placed_by uuid;
