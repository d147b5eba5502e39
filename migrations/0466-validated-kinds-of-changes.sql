-- A separate transaction: validating reads all changes, and does not lock the table for writers.
alter table support.changes validate constraint changes_kind_check;
