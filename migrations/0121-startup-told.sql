-- A change of how a server starts is not given up before its panel was looked at, once it may have reached it.

alter table services.startup_changes add column sent_at timestamptz(3);
comment on column services.startup_changes.sent_at is
  'When the panel was last asked to make it; null: it cannot have been made';
