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
]
