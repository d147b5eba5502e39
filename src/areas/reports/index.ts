import type { Area } from '#platform/area.ts'
import { accountingSettings } from './accounting/settings.ts'
import { bookRoutes } from './books/routes.ts'
import { deferredRoutes } from './deferred/routes.ts'
import { exportRoutes } from './exports/routes.ts'
import { receivableRoutes } from './receivables/routes.ts'
import { recurringRoutes } from './recurring/routes.ts'
import { revenueRoutes } from './revenue/routes.ts'
import { statementRoutes } from './statements/routes.ts'
import { taxRoutes } from './taxes/routes.ts'

export const reports: Area = {
  name: 'reports',
  routes: [
    ...[revenueRoutes, recurringRoutes, taxRoutes, receivableRoutes, deferredRoutes],
    ...[bookRoutes, statementRoutes, exportRoutes],
  ],
  settings: [accountingSettings],
  permissions: [
    { key: 'reports:read', description: 'See reports on sales, tax, receivables and the ledger' },
    {
      key: 'exports:read',
      description: 'Download all invoices, credit notes, payments and bookings of a period',
    },
  ],
}
