-- An import that gets further each time is tried again however often its process ends.

alter table imports.imports add column advanced_in_try integer not null default 0;
