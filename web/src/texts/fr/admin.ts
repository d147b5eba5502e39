import type { AdminTexts } from '../admin.tsx'
import { affiliates } from './admin-affiliates.ts'
import { brand } from './admin-brand.ts'
import { catalogue } from './admin-catalogue.ts'
import { help } from './admin-help.ts'
import { imports } from './admin-imports.ts'
import { incidents } from './admin-incidents.ts'
import { integrations } from './admin-integrations.ts'
import { invoices } from './admin-invoices.ts'
import { legal } from './admin-legal.ts'
import { lists } from './admin-lists.ts'
import { locations } from './admin-locations.ts'
import { mails } from './admin-mails.ts'
import { moneyRules } from './admin-money-rules.ts'
import { options } from './admin-options.ts'
import { orders } from './admin-orders.ts'
import { overview } from './admin-overview.ts'
import { palette } from './admin-palette.ts'
import { panels } from './admin-panels.ts'
import { payments } from './admin-payments.ts'
import { people } from './admin-people.ts'
import { reports } from './admin-reports.ts'
import { roles } from './admin-roles.ts'
import { servers } from './admin-servers.ts'
import { settings } from './admin-settings.ts'
import { setup } from './admin-setup.ts'
import { shell } from './admin-shell.ts'
import { system } from './admin-system.ts'
import { tasks } from './admin-tasks.ts'
import { tenants } from './admin-tenants.ts'
import { tickets } from './admin-tickets.ts'

/** The texts of the administration, one file per area. */
export const adminFr: AdminTexts = {
  affiliates,
  brand,
  catalogue,
  imports,
  incidents,
  integrations,
  invoices,
  legal,
  lists,
  mails,
  moneyRules,
  orders,
  overview,
  palette,
  locations,
  options,
  panels,
  payments,
  people,
  reports,
  roles,
  servers,
  settings,
  setup,
  shell,
  system,
  tasks,
  tenants,
  help,
  tickets,
}
