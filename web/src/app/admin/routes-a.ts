import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { adminRoot, listSearch } from './root.ts'

const parent = { getParentRoute: () => adminRoot } as const

const overview = createRoute({
  ...parent,
  path: '/',
  component: lazyRouteComponent(() => import('../../areas/home/admin/overview.tsx'), 'Overview'),
})
const notifications = createRoute({
  ...parent,
  path: '/notifications',
  component: lazyRouteComponent(
    () => import('../../areas/notifications/all.tsx'),
    'AllNotifications',
  ),
})

const people = createRoute({
  ...parent,
  path: '/people',
  staticData: { permissions: ['users:read'] },
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../../areas/users/admin/people.tsx'), 'People'),
})
const peopleId = createRoute({
  ...parent,
  path: '/people/$id',
  staticData: { permissions: ['users:read'] },

  component: lazyRouteComponent(() => import('../../areas/users/admin/person.tsx'), 'PersonPage'),
})
const servers = createRoute({
  ...parent,
  path: '/servers',
  staticData: { permissions: ['services:read'] },
  validateSearch: listSearch,
  component: lazyRouteComponent(
    () => import('../../areas/services/admin/servers.tsx'),
    'AdminServers',
  ),
})
const serversId = createRoute({
  ...parent,
  path: '/servers/$id',
  staticData: { permissions: ['services:read'] },

  component: lazyRouteComponent(
    () => import('../../areas/services/admin/service.tsx'),
    'AdminServicePage',
  ),
})
const orders = createRoute({
  ...parent,
  path: '/orders',
  staticData: { permissions: ['orders:read'] },
  validateSearch: listSearch,
  component: lazyRouteComponent(
    () => import('../../areas/billing/admin/orders.tsx'),
    'AdminOrders',
  ),
})
const ordersId = createRoute({
  ...parent,
  path: '/orders/$id',
  staticData: { permissions: ['orders:read'] },

  component: lazyRouteComponent(
    () => import('../../areas/billing/admin/order.tsx'),
    'AdminOrderPage',
  ),
})
const invoices = createRoute({
  ...parent,
  path: '/invoices',
  staticData: { permissions: ['invoices:read'] },
  validateSearch: listSearch,
  component: lazyRouteComponent(
    () => import('../../areas/billing/admin/invoices.tsx'),
    'AdminInvoices',
  ),
})
const invoicesNew = createRoute({
  ...parent,
  path: '/invoices/new',
  staticData: { permissions: ['invoices:write'] },
  validateSearch: listSearch,
  component: lazyRouteComponent(
    () => import('../../areas/billing/admin/new-invoice.tsx'),
    'NewInvoice',
  ),
})
const invoicesId = createRoute({
  ...parent,
  path: '/invoices/$id',
  staticData: { permissions: ['invoices:read'] },

  component: lazyRouteComponent(
    () => import('../../areas/billing/admin/invoice.tsx'),
    'AdminInvoicePage',
  ),
})
const payments = createRoute({
  ...parent,
  path: '/payments',
  staticData: { permissions: ['invoices:read', 'gateways:read'] },
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../../areas/billing/admin/payments.tsx'), 'Payments'),
})
const bankEntriesId = createRoute({
  ...parent,
  path: '/payments/bank/$id',
  staticData: { permissions: ['invoices:read'] },

  component: lazyRouteComponent(
    () => import('../../areas/billing/admin/bank-entry.tsx'),
    'BankEntryPage',
  ),
})
const reports = createRoute({
  ...parent,
  path: '/reports',
  staticData: { permissions: ['reports:read'] },
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../../areas/reports/admin/reports.tsx'), 'Reports'),
})

/** Routes of the overview, people, services and money. */
export const routesA = [
  overview,
  notifications,
  people,
  peopleId,
  servers,
  serversId,
  orders,
  ordersId,
  invoices,
  invoicesNew,
  invoicesId,
  payments,
  bankEntriesId,
  reports,
] as const
