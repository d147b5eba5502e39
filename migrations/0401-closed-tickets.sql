-- Closed tickets are counted by department: most tickets are closed, and few of some departments.
create index tickets_closed on support.tickets (tenant_id, department_id, last_activity_at, id)
  where closed_at is not null;
