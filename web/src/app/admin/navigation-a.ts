import { I } from '../../ui/index.ts'
import type { NavigationItem } from './navigation.ts'

export const navigationA: readonly NavigationItem[] = [
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
]
