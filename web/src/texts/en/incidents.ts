export const incidents = {
  incident: (title: string) => `Incident: ${title}`,
  maintenance: (title: string) => `Maintenance: ${title}`,
  planned: (title: string) => `Planned maintenance: ${title}`,
  /** The names of servers, and how many further ones are affected. */
  affected: (names: string, further: number) =>
    `Affected: ${names}${further > 0 ? ` and ${further} more` : ''}`,
  times: (from: string, to: string) => `From ${from} to ${to}`,
  statuses: {
    draft: 'Draft',
    investigating: 'Investigating',
    identified: 'Cause found',
    monitoring: 'Fixed, under observation',
    resolved: 'Resolved',
    scheduled: 'Planned',
    in_progress: 'Under way',
    completed: 'Completed',
    canceled: 'Canceled',
  },
  seeStatus: 'View the status page',
}
