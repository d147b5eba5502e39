import type { AdminParts, AdminTexts } from '../admin.tsx'
import { lists } from './admin-lists.ts'
import { overview } from './admin-overview.ts'
import { shell } from './admin-shell.ts'

/** The texts of the administration that more than one area needs. */
export const adminFr: Pick<AdminTexts, 'lists' | 'overview' | 'shell'> = { lists, overview, shell }

/** The texts of its areas: each is a file of its own, loaded with the screens that need it. */
export const adminFrParts: AdminParts = {
  affiliates: async () => (await import('./admin-affiliates.ts')).affiliates,
  brand: async () => (await import('./admin-brand.ts')).brand,
  catalogue: async () => (await import('./admin-catalogue.ts')).catalogue,
  help: async () => (await import('./admin-help.ts')).help,
  imports: async () => (await import('./admin-imports.ts')).imports,
  incidents: async () => (await import('./admin-incidents.ts')).incidents,
  integrations: async () => (await import('./admin-integrations.ts')).integrations,
  invoices: async () => (await import('./admin-invoices.ts')).invoices,
  legal: async () => (await import('./admin-legal.ts')).legal,
  locations: async () => (await import('./admin-locations.ts')).locations,
  mails: async () => (await import('./admin-mails.ts')).mails,
  moneyRules: async () => (await import('./admin-money-rules.ts')).moneyRules,
  options: async () => (await import('./admin-options.ts')).options,
  orders: async () => (await import('./admin-orders.ts')).orders,
  palette: async () => (await import('./admin-palette.ts')).palette,
  panels: async () => (await import('./admin-panels.ts')).panels,
  payments: async () => (await import('./admin-payments.ts')).payments,
  people: async () => (await import('./admin-people.ts')).people,
  reports: async () => (await import('./admin-reports.ts')).reports,
  roles: async () => (await import('./admin-roles.ts')).roles,
  servers: async () => (await import('./admin-servers.ts')).servers,
  settings: async () => (await import('./admin-settings.ts')).settings,
  setup: async () => (await import('./admin-setup.ts')).setup,
  system: async () => (await import('./admin-system.ts')).system,
  tasks: async () => (await import('./admin-tasks.ts')).tasks,
  tenants: async () => (await import('./admin-tenants.ts')).tenants,
  replies: async () => (await import('./admin-replies.ts')).replies,
  tickets: async () => (await import('./admin-tickets.ts')).tickets,
  views: async () => (await import('./admin-views.ts')).views,
}
