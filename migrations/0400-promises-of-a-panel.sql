-- in steps: people buy meanwhile
-- The pages of the shop ask how much room there is: what was promised on a panel and is not counted by it yet is read from this
-- index, and what was placed before is not.
drop index concurrently if exists panel.reservations_of_node_placed
-- next step
create index concurrently reservations_of_node_placed on panel.reservations (tenant_id, node_id, placed_at)
-- next step
drop index concurrently if exists panel.reservations_of_node
