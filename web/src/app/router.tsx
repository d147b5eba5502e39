import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { type ServiceStatus, STATUSES } from '../areas/services/status.tsx'
import { Loading, NotFound } from '../ui/index.ts'
import type { administration } from './admin/routes.ts'
import { Crashed } from './crashed.tsx'
import { root } from './root.ts'

const customer = createRoute({
  getParentRoute: () => root,
  id: 'customer',
  // Staff see the administration without it.
  component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell'),
})
const parent = { getParentRoute: () => customer } as const

/** The status filter of a list in the URL: unknown values are left out. */
function statusIn({ status }: Record<string, unknown>): { status?: 'open' | 'paid' } {
  return status === 'open' || status === 'paid' ? { status } : {}
}

type ServersSearch = { status?: ServiceStatus | undefined; q?: string | undefined }

function serversIn({ status, q }: Record<string, unknown>): ServersSearch {
  const known = STATUSES.find((it) => it === status)
  return {
    ...(known && { status: known }),
    ...(typeof q === 'string' && q !== '' && { q: q.slice(0, 100) }),
  }
}

type TicketsSearch = {
  status?: 'live' | 'closed'
  ask?: true
  service?: string
  invoice?: string
}

/** The search parameters of tickets. A new question contains the object of the page that it was asked on. */
function ticketsIn({ status, ask, service, invoice }: Record<string, unknown>): TicketsSearch {
  return {
    ...((status === 'live' || status === 'closed') && { status }),
    ...(ask === true && { ask }),
    ...(typeof service === 'string' && { service }),
    ...(typeof invoice === 'string' && { invoice }),
  }
}

/** The return URL from a provider contains the payment. */
function paymentIn({ payment }: Record<string, unknown>): { payment?: string } {
  return typeof payment === 'string' ? { payment } : {}
}

// Each screen is a file of its own, loaded when it is opened or its link is hovered.
const home = createRoute({
  ...parent,
  path: '/home',
  component: lazyRouteComponent(() => import('../areas/home/home.tsx'), 'Home'),
})

const servers = createRoute({
  ...parent,
  path: '/servers',
  validateSearch: serversIn,
  component: lazyRouteComponent(() => import('../areas/services/servers.tsx'), 'Servers'),
})
const serversId = createRoute({
  ...parent,
  path: '/servers/$id',
  component: lazyRouteComponent(() => import('../areas/services/overview.tsx'), 'ServiceOverview'),
})
const serversIdActivity = createRoute({
  ...parent,
  path: '/servers/$id/activity',
  component: lazyRouteComponent(() => import('../areas/services/activity.tsx'), 'ServiceActivity'),
})
const serversIdStartup = createRoute({
  ...parent,
  path: '/servers/$id/startup',
  component: lazyRouteComponent(() => import('../areas/services/startup.tsx'), 'ServiceStartup'),
})
const serversIdPeople = createRoute({
  ...parent,
  path: '/servers/$id/people',
  component: lazyRouteComponent(() => import('../areas/services/people.tsx'), 'ServicePeople'),
})
const serversIdPlan = createRoute({
  ...parent,
  path: '/servers/$id/plan',
  component: lazyRouteComponent(() => import('../areas/services/plan.tsx'), 'ServicePlan'),
})
const orders = createRoute({
  ...parent,
  path: '/orders',
  component: lazyRouteComponent(() => import('../areas/billing/orders.tsx'), 'Orders'),
})
const invoices = createRoute({
  ...parent,
  path: '/invoices',
  validateSearch: statusIn,
  component: lazyRouteComponent(() => import('../areas/billing/invoices.tsx'), 'Invoices'),
})
const invoicesId = createRoute({
  ...parent,
  path: '/invoices/$id',
  validateSearch: paymentIn,
  component: lazyRouteComponent(() => import('../areas/billing/invoice.tsx'), 'InvoicePage'),
})
const creditNotesId = createRoute({
  ...parent,
  path: '/credit-notes/$id',
  component: lazyRouteComponent(() => import('../areas/billing/credit-note.tsx'), 'CreditNotePage'),
})
const payment = createRoute({
  ...parent,
  path: '/payment',
  component: lazyRouteComponent(() => import('../areas/billing/payment.tsx'), 'PaymentPage'),
})
const inviteFriends = createRoute({
  ...parent,
  path: '/invite-friends',
  component: lazyRouteComponent(
    () => import('../areas/affiliation/affiliation.tsx'),
    'Affiliation',
  ),
})
const tickets = createRoute({
  ...parent,
  path: '/tickets',
  validateSearch: ticketsIn,
  component: lazyRouteComponent(() => import('../areas/support/tickets.tsx'), 'Tickets'),
})
const ticketsId = createRoute({
  ...parent,
  path: '/tickets/$id',
  component: lazyRouteComponent(() => import('../areas/support/ticket.tsx'), 'TicketPage'),
})
const notifications = createRoute({
  ...parent,
  path: '/notifications',
  component: lazyRouteComponent(() => import('../areas/notifications/all.tsx'), 'AllNotifications'),
})
const account = createRoute({
  ...parent,
  path: '/account',
  component: lazyRouteComponent(() => import('../areas/account/profile.tsx'), 'Profile'),
})
const accountSecurity = createRoute({
  ...parent,
  path: '/account/security',
  component: lazyRouteComponent(() => import('../areas/account/security.tsx'), 'Security'),
})
const accountAccess = createRoute({
  ...parent,
  path: '/account/access',
  component: lazyRouteComponent(() => import('../areas/account/access.tsx'), 'Access'),
})
const accountMessages = createRoute({
  ...parent,
  path: '/account/messages',
  component: lazyRouteComponent(() => import('../areas/account/messages.tsx'), 'Messages'),
})
const accountData = createRoute({
  ...parent,
  path: '/account/data',
  component: lazyRouteComponent(() => import('../areas/account/data.tsx'), 'OwnData'),
})

const customerArea = customer.addChildren([
  home,
  servers,
  serversId,
  serversIdActivity,
  serversIdStartup,
  serversIdPeople,
  serversIdPlan,
  orders,
  invoices,
  invoicesId,
  creditNotesId,
  payment,
  inviteFriends,
  tickets,
  ticketsId,
  notifications,
  account,
  accountSecurity,
  accountAccess,
  accountMessages,
  accountData,
])

const options = {
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: Crashed,
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  scrollRestoration: true,
} as const

/**
 * The router. The routes of the administration are loaded only on its own pages: from the customer area, a full
 * page load is needed. In the other direction none is needed, so that staff who view the shop as a customer keep
 * the token in memory.
 */
export async function loadRouter() {
  if (/^\/admin(?:\/|$)/.test(location.pathname)) {
    return completeRouter((await import('./admin/routes.ts')).administration)
  }
  return createRouter({ routeTree: root.addChildren([customerArea]), ...options })
}

function completeRouter(admin: typeof administration) {
  return createRouter({ routeTree: root.addChildren([customerArea, admin]), ...options })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof completeRouter>
  }
}
