import { client, read, readJson } from '../../../api/client.ts'

/** The pending work that the person may see. */
export const attention = read(['admin', 'attention'], (signal) =>
  client.GET('/v1/admin/attention', { signal }),
)

export const dashboard = read(['admin', 'dashboard'], (signal) =>
  client.GET('/v1/admin/dashboard', { signal }),
)

export const recurring = readJson(['admin', 'reports', 'mrr', 'year'], (signal) =>
  client.GET('/v1/admin/reports/mrr', {
    params: { query: { interval: 'month', format: 'json' } },
    signal,
  }),
)
