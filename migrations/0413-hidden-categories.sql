-- Products that were shown but for their hidden category: archiving it hides them, and restoring it takes that back.
alter table store.categories
  add column archived_hidden uuid[] not null default '{}';
