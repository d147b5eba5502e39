import type { LinkProps } from '@tanstack/react-router'
import type { AdminTexts } from '../../texts/admin.tsx'
import { I, type Icon } from '../../ui/index.ts'

/** The groups of the side bar, in their order. */
export const GROUPS = ['start', 'money', 'catalogue', 'machines', 'more'] as const

/** Keys of the texts that are names of pages. */
type PageName = {
  [Name in keyof AdminTexts['shell']]: AdminTexts['shell'][Name] extends string ? Name : never
}[keyof AdminTexts['shell']]

export type NavigationItem = {
  readonly to: NonNullable<LinkProps['to']>
  readonly label: PageName
  readonly icon: Icon
  readonly group: (typeof GROUPS)[number]
  /** One of these permissions is enough; an empty list allows all staff. */
  readonly permissions: readonly string[]
  /** The key to press after `g` to go there. */
  readonly key?: string
  /** The entry is highlighted only on its exact path. */
  readonly exact?: boolean
}

/** The pages of the sidebar, in order. */
export const NAVIGATION: readonly NavigationItem[] = [
  {
    ...{ to: '/admin', label: 'overview', icon: I.ChartLine, group: 'start', key: 'a' },
    ...{ permissions: [], exact: true },
  },
  {
    ...{ to: '/admin/people', label: 'people', icon: I.Users, group: 'start', key: 'p' },
    permissions: ['users:read'],
  },
  {
    ...{ to: '/admin/servers', label: 'servers', icon: I.Server2, group: 'start', key: 's' },
    permissions: ['services:read'],
  },
  {
    ...{ to: '/admin/tasks', label: 'tasks', icon: I.CircleCheck, group: 'start' },
    permissions: ['tasks:read'],
  },
  {
    ...{ to: '/admin/tickets', label: 'tickets', icon: I.Lifebuoy, group: 'start', key: 't' },
    permissions: ['tickets:read'],
  },
  {
    ...{ to: '/admin/help', label: 'help', icon: I.Book, group: 'start' },
    permissions: ['articles:read'],
  },
  {
    ...{ to: '/admin/incidents', label: 'incidents', icon: I.Flag, group: 'start' },
    permissions: ['incidents:read'],
  },
  {
    ...{ to: '/admin/orders', label: 'orders', icon: I.ShoppingCart, group: 'money', key: 'o' },
    permissions: ['orders:read'],
  },
  {
    ...{ to: '/admin/invoices', label: 'invoices', icon: I.Receipt, group: 'money', key: 'i' },
    permissions: ['invoices:read'],
  },
  {
    ...{ to: '/admin/payments', label: 'payments', icon: I.Cash, group: 'money', key: 'm' },
    permissions: ['invoices:read', 'gateways:read'],
  },
  {
    ...{ to: '/admin/reports', label: 'reports', icon: I.ChartLine, group: 'money', key: 'r' },
    permissions: ['reports:read'],
  },
  {
    ...{ to: '/admin/products', label: 'products', icon: I.Package, group: 'catalogue' },
    permissions: ['store:read'],
  },
  {
    ...{ to: '/admin/options', label: 'options', icon: I.Adjustments, group: 'catalogue' },
    permissions: ['store:read'],
  },
  {
    ...{ to: '/admin/coupons', label: 'coupons', icon: I.Ticket, group: 'catalogue' },
    permissions: ['store:read'],
  },
  {
    ...{ to: '/admin/vouchers', label: 'vouchers', icon: I.Gift, group: 'catalogue' },
    permissions: ['vouchers:read'],
  },
  {
    ...{ to: '/admin/tax-rates', label: 'taxRates', icon: I.Percentage, group: 'catalogue' },
    permissions: ['store:read'],
  },
  {
    ...{ to: '/admin/gateways', label: 'gateways', icon: I.CreditCard, group: 'catalogue' },
    permissions: ['gateways:read'],
  },
  {
    ...{ to: '/admin/panels', label: 'panels', icon: I.Plug, group: 'machines' },
    permissions: ['nodes:read'],
  },
  {
    ...{ to: '/admin/locations', label: 'locations', icon: I.MapPin, group: 'machines' },
    permissions: ['nodes:read'],
  },
  {
    ...{ to: '/admin/eggs', label: 'eggs', icon: I.Egg, group: 'machines' },
    permissions: ['nodes:read'],
  },
  {
    ...{ to: '/admin/differences', label: 'differences', icon: I.GitCompare, group: 'machines' },
    permissions: ['services:read'],
  },
  {
    ...{ to: '/admin/affiliates', label: 'affiliates', icon: I.Gift, group: 'more' },
    permissions: ['affiliation:read'],
  },
  {
    ...{ to: '/admin/settings', label: 'settings', icon: I.Settings, group: 'more' },
    permissions: ['settings:read'],
  },
  {
    ...{ to: '/admin/brand', label: 'brand', icon: I.Palette, group: 'more' },
    permissions: ['shop:read'],
  },
  {
    ...{ to: '/admin/legal', label: 'legal', icon: I.Scale, group: 'more' },
    permissions: ['shop:read'],
  },
  {
    ...{ to: '/admin/imports', label: 'imports', icon: I.Database, group: 'more' },
    permissions: ['imports:read'],
  },
  {
    ...{ to: '/admin/roles', label: 'roles', icon: I.ShieldLock, group: 'more' },
    permissions: ['rbac:read'],
  },
  {
    ...{ to: '/admin/system', label: 'system', icon: I.Cpu, group: 'more' },
    permissions: ['system:read'],
  },
  {
    ...{ to: '/admin/integrations', label: 'integrations', icon: I.Webhook, group: 'more' },
    permissions: ['webhooks:read', 'oauth:read', 'bot:read'],
  },
  {
    ...{ to: '/admin/mails', label: 'mails', icon: I.Mail, group: 'more' },
    permissions: ['system:read'],
  },
  {
    ...{ to: '/admin/announcements', label: 'announcements', icon: I.Speakerphone, group: 'more' },
    permissions: ['announcements:read'],
  },
  {
    ...{ to: '/admin/tenants', label: 'tenants', icon: I.Building, group: 'more' },
    permissions: ['tenants:read'],
  },
]
