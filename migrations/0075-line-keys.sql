-- Lines are found by their invoice and their place on it, never by an id alone: one index less to write. What
-- tells them apart is `one_line_per_position`, whose columns are never empty, also for whoever copies changes to
-- another database.
alter table billing.invoice_lines
  drop constraint invoice_lines_pkey,
  replica identity using index one_line_per_position;
