-- The paid periods to come that a change to another cycle counted when it was priced; null for changes of the same
-- cycle, and for those that were ordered before this was noted.
alter table services.upgrades add column counted_period_ids uuid[];
