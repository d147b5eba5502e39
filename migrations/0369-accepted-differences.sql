-- Renewals of an import whose figures do not add up begin only if a host has accepted the differences.
alter table imports.decisions drop constraint decisions_decision_check;
alter table imports.decisions add constraint decisions_decision_check check (decision in
  ('price', 'running_periods', 'tax', 'gateways', 'subscriptions', 'differences'));
comment on column imports.decisions.decision is
  'type: ''price'' | ''running_periods'' | ''tax'' | ''gateways'' | ''subscriptions'' | ''differences''';
