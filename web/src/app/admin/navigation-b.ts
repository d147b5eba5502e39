import { I } from '../../ui/index.ts'
import type { NavigationItem } from './navigation.ts'

export const navigationB: readonly NavigationItem[] = [
  {
    ...{ to: '/admin/products', label: 'products', icon: I.Package, group: 'catalogue' },
    permissions: ['store:read'],
  },
  {
    ...{ to: '/admin/coupons', label: 'coupons', icon: I.Ticket, group: 'catalogue' },
    permissions: ['store:read'],
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
    ...{ to: '/admin/eggs', label: 'eggs', icon: I.Egg, group: 'machines' },
    permissions: ['nodes:read'],
  },
  {
    ...{ to: '/admin/differences', label: 'differences', icon: I.GitCompare, group: 'machines' },
    permissions: ['services:read'],
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
