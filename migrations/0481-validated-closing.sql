-- A separate transaction: validating reads all tickets, and does not lock the table for writers.
alter table support.tickets validate constraint tickets_closed_by_check;
