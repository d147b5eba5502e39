import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { boot } from '../../api/boot.ts'
import { type AdminPart, loadAdminTexts } from '../../texts/admin.tsx'
import { adminRoot, listSearch } from './root.ts'

const parent = { getParentRoute: () => adminRoot } as const
const needs = (...permissions: string[]) => ({ staticData: { permissions } })
/** The areas whose texts a screen shows: they are loaded in parallel with its script. */
const words = (...areas: AdminPart[]) => ({ loader: () => loadAdminTexts(boot.locale, areas) })

const overview = createRoute({
  ...{ ...parent, path: '/' },
  component: lazyRouteComponent(() => import('../../areas/home/admin/overview.tsx'), 'Overview'),
})
const notifications = createRoute({
  ...{ ...parent, path: '/notifications' },
  component: lazyRouteComponent(
    () => import('../../areas/notifications/all.tsx'),
    'AllNotifications',
  ),
})

const people = createRoute({
  ...{
    ...parent,
    ...words('people'),
    ...needs('users:read'),
    path: '/people',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(() => import('../../areas/users/admin/people.tsx'), 'People'),
})
const peopleId = createRoute({
  ...{ ...parent, ...words('people', 'affiliates'), ...needs('users:read'), path: '/people/$id' },
  component: lazyRouteComponent(() => import('../../areas/users/admin/person.tsx'), 'PersonPage'),
})
const servers = createRoute({
  ...{
    ...parent,
    ...words('servers'),
    ...needs('services:read'),
    path: '/servers',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(
    () => import('../../areas/services/admin/servers.tsx'),
    'AdminServers',
  ),
})
const serversId = createRoute({
  ...{ ...parent, ...words('servers'), ...needs('services:read'), path: '/servers/$id' },
  component: lazyRouteComponent(
    () => import('../../areas/services/admin/service.tsx'),
    'AdminServicePage',
  ),
})
const tasks = createRoute({
  ...{
    ...parent,
    ...words('tasks'),
    ...needs('tasks:read'),
    path: '/tasks',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(() => import('../../areas/services/admin/tasks.tsx'), 'Tasks'),
})
const tasksId = createRoute({
  ...{ ...parent, ...words('tasks'), ...needs('tasks:read'), path: '/tasks/$id' },
  component: lazyRouteComponent(() => import('../../areas/services/admin/task.tsx'), 'TaskPage'),
})
const tickets = createRoute({
  ...{
    ...parent,
    ...words('tickets'),
    ...needs('tickets:read'),
    path: '/tickets',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(
    () => import('../../areas/support/admin/tickets.tsx'),
    'AdminTickets',
  ),
})
const ticketsId = createRoute({
  ...{ ...parent, ...words('tickets', 'replies'), ...needs('tickets:read'), path: '/tickets/$id' },
  component: lazyRouteComponent(
    () => import('../../areas/support/admin/ticket/ticket.tsx'),
    'AdminTicketPage',
  ),
})
const departments = createRoute({
  ...{ ...parent, ...words('tickets'), ...needs('support:read'), path: '/departments' },
  component: lazyRouteComponent(
    () => import('../../areas/support/admin/departments.tsx'),
    'Departments',
  ),
})
const savedReplies = createRoute({
  ...{
    ...parent,
    ...words('tickets', 'replies'),
    ...needs('tickets:write'),
    path: '/saved-replies',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(
    () => import('../../areas/support/admin/saved-replies.tsx'),
    'SavedReplies',
  ),
})
const help = createRoute({
  ...{ ...parent, ...words('help'), ...needs('articles:read'), path: '/help' },
  component: lazyRouteComponent(() => import('../../areas/knowledge/admin/help.tsx'), 'AdminHelp'),
})
const helpId = createRoute({
  ...{ ...parent, ...words('help'), ...needs('articles:read'), path: '/help/$id' },
  component: lazyRouteComponent(
    () => import('../../areas/knowledge/admin/article.tsx'),
    'AdminArticlePage',
  ),
})
const incidents = createRoute({
  ...{
    ...parent,
    ...words('incidents'),
    ...needs('incidents:read'),
    path: '/incidents',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(
    () => import('../../areas/incidents/admin/incidents.tsx'),
    'AdminIncidents',
  ),
})
const incidentsId = createRoute({
  ...{ ...parent, ...words('incidents'), ...needs('incidents:read'), path: '/incidents/$id' },
  component: lazyRouteComponent(
    () => import('../../areas/incidents/admin/incident.tsx'),
    'AdminIncidentPage',
  ),
})
const orders = createRoute({
  ...{
    ...parent,
    ...words('orders'),
    ...needs('orders:read'),
    path: '/orders',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(
    () => import('../../areas/billing/admin/orders.tsx'),
    'AdminOrders',
  ),
})
const ordersId = createRoute({
  ...{ ...parent, ...words('orders'), ...needs('orders:read'), path: '/orders/$id' },
  component: lazyRouteComponent(
    () => import('../../areas/billing/admin/order.tsx'),
    'AdminOrderPage',
  ),
})
const invoices = createRoute({
  ...{
    ...parent,
    ...words('invoices'),
    ...needs('invoices:read'),
    path: '/invoices',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(
    () => import('../../areas/billing/admin/invoices.tsx'),
    'AdminInvoices',
  ),
})
const invoicesNew = createRoute({
  ...{
    ...parent,
    ...words('invoices'),
    ...needs('invoices:write'),
    path: '/invoices/new',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(
    () => import('../../areas/billing/admin/new-invoice.tsx'),
    'NewInvoice',
  ),
})
const invoicesId = createRoute({
  ...{ ...parent, ...words('invoices'), ...needs('invoices:read'), path: '/invoices/$id' },
  component: lazyRouteComponent(
    () => import('../../areas/billing/admin/invoice.tsx'),
    'AdminInvoicePage',
  ),
})
const payments = createRoute({
  ...{
    ...parent,
    ...words('payments', 'invoices'),
    ...needs('invoices:read', 'gateways:read'),
    path: '/payments',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(() => import('../../areas/billing/admin/payments.tsx'), 'Payments'),
})
const paymentsId = createRoute({
  ...{
    ...parent,
    ...words('payments', 'invoices'),
    ...needs('invoices:read'),
    path: '/payments/$id',
  },
  component: lazyRouteComponent(
    () => import('../../areas/billing/admin/payment.tsx'),
    'PaymentPage',
  ),
})
const bankEntriesId = createRoute({
  ...{ ...parent, ...words('payments'), ...needs('invoices:read'), path: '/payments/bank/$id' },
  component: lazyRouteComponent(
    () => import('../../areas/billing/admin/bank-entry.tsx'),
    'BankEntryPage',
  ),
})
const reports = createRoute({
  ...{
    ...parent,
    ...words('reports'),
    ...needs('reports:read'),
    path: '/reports',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(() => import('../../areas/reports/admin/reports.tsx'), 'Reports'),
})

const firstRun = createRoute({
  ...{ ...parent, ...words('setup'), ...needs('shop:read'), path: '/first-run' },
  component: lazyRouteComponent(() => import('../../areas/setup/admin/checklist.tsx'), 'FirstRun'),
})
const firstRunSeller = createRoute({
  ...{ ...parent, ...words('setup', 'settings'), ...needs('shop:read'), path: '/first-run/seller' },
  component: lazyRouteComponent(() => import('../../areas/setup/admin/seller.tsx'), 'SellerStep'),
})
const firstRunBrand = createRoute({
  ...{ ...parent, ...words('setup', 'brand'), ...needs('shop:read'), path: '/first-run/brand' },
  component: lazyRouteComponent(() => import('../../areas/setup/admin/brand.tsx'), 'BrandStep'),
})
const firstRunMail = createRoute({
  ...{
    ...parent,
    ...words('setup', 'mails', 'brand'),
    ...needs('shop:read'),
    path: '/first-run/mail',
  },
  component: lazyRouteComponent(() => import('../../areas/setup/admin/mail.tsx'), 'MailStep'),
})
const firstRunPayments = createRoute({
  ...{
    ...parent,
    ...words('setup', 'moneyRules'),
    ...needs('gateways:read'),
    path: '/first-run/payments',
  },
  component: lazyRouteComponent(
    () => import('../../areas/setup/admin/payments.tsx'),
    'PaymentsStep',
  ),
})
const firstRunPanel = createRoute({
  ...{ ...parent, ...words('setup', 'panels'), ...needs('nodes:read'), path: '/first-run/panel' },
  component: lazyRouteComponent(() => import('../../areas/setup/admin/panel.tsx'), 'PanelStep'),
})
const firstRunProduct = createRoute({
  ...{
    ...parent,
    ...words('setup', 'catalogue'),
    ...needs('store:read'),
    path: '/first-run/product',
  },
  component: lazyRouteComponent(() => import('../../areas/setup/admin/product.tsx'), 'ProductStep'),
})

const products = createRoute({
  ...{ ...parent, ...words('catalogue'), ...needs('store:read'), path: '/products' },
  component: lazyRouteComponent(() => import('../../areas/store/admin/products.tsx'), 'Products'),
})
const newProduct = createRoute({
  ...{ ...parent, ...words('catalogue', 'setup'), ...needs('store:write'), path: '/products/new' },
  component: lazyRouteComponent(
    () => import('../../areas/store/admin/new-product.tsx'),
    'NewProduct',
  ),
})
const product = createRoute({
  ...{ ...parent, ...words('catalogue'), ...needs('store:read'), path: '/products/$id' },
  component: lazyRouteComponent(() => import('../../areas/store/admin/product.tsx'), 'ProductPage'),
})
const coupons = createRoute({
  ...{
    ...parent,
    ...words('moneyRules'),
    ...needs('store:read'),
    path: '/coupons',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(() => import('../../areas/store/admin/coupons.tsx'), 'Coupons'),
})
const vouchers = createRoute({
  ...{
    ...parent,
    ...words('moneyRules'),
    ...needs('vouchers:read'),
    path: '/vouchers',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(
    () => import('../../areas/vouchers/admin/index.ts'),
    'AdminVouchers',
  ),
})
const vouchersId = createRoute({
  ...{
    ...parent,
    ...words('moneyRules'),
    ...needs('vouchers:read'),
    path: '/vouchers/$id',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(
    () => import('../../areas/vouchers/admin/index.ts'),
    'AdminVoucherBatch',
  ),
})
const taxRates = createRoute({
  ...{
    ...parent,
    ...words('moneyRules', 'setup'),
    ...needs('store:read'),
    path: '/tax-rates',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(() => import('../../areas/store/admin/tax-rates.tsx'), 'TaxRates'),
})
const options = createRoute({
  ...{ ...parent, ...words('options', 'catalogue'), ...needs('store:read'), path: '/options' },
  component: lazyRouteComponent(() => import('../../areas/store/admin/options.tsx'), 'Options'),
})
const gateways = createRoute({
  ...{
    ...parent,
    ...words('moneyRules', 'catalogue'),
    ...needs('gateways:read'),
    path: '/gateways',
  },
  component: lazyRouteComponent(() => import('../../areas/billing/admin/gateways.tsx'), 'Gateways'),
})

const panels = createRoute({
  ...{ ...parent, ...words('panels'), ...needs('nodes:read'), path: '/panels' },
  component: lazyRouteComponent(() => import('../../areas/panel/admin/panels.tsx'), 'Panels'),
})
const panel = createRoute({
  ...{ ...parent, ...words('panels'), ...needs('nodes:read'), path: '/panels/$id' },
  component: lazyRouteComponent(() => import('../../areas/panel/admin/panel.tsx'), 'Panel'),
})
const locations = createRoute({
  ...{
    ...parent,
    ...words('locations'),
    ...needs('nodes:read'),
    path: '/locations',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(() => import('../../areas/panel/admin/locations.tsx'), 'Locations'),
})
const eggs = createRoute({
  ...{
    ...parent,
    ...words('panels'),
    ...needs('nodes:read'),
    path: '/eggs',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(() => import('../../areas/panel/admin/eggs.tsx'), 'Eggs'),
})
const egg = createRoute({
  ...{ ...parent, ...words('panels'), ...needs('nodes:read'), path: '/eggs/$id' },
  component: lazyRouteComponent(() => import('../../areas/panel/admin/egg.tsx'), 'EggPage'),
})
const differences = createRoute({
  ...{
    ...parent,
    ...words('panels'),
    ...needs('services:read'),
    path: '/differences',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(
    () => import('../../areas/panel/admin/differences.tsx'),
    'Differences',
  ),
})
const settings = createRoute({
  ...{ ...parent, ...words('settings'), ...needs('settings:read'), path: '/settings' },
  component: lazyRouteComponent(
    () => import('../../areas/tenants/admin/settings.tsx'),
    'SettingsPage',
  ),
})
const company = createRoute({
  ...{ ...parent, ...words('settings', 'setup'), ...needs('shop:read'), path: '/settings/company' },
  component: lazyRouteComponent(() => import('../../areas/tenants/admin/company.tsx'), 'Company'),
})
const brand = createRoute({
  ...{ ...parent, ...words('brand'), ...needs('shop:read'), path: '/brand' },
  component: lazyRouteComponent(
    () => import('../../areas/tenants/admin/brand-page.tsx'),
    'BrandPage',
  ),
})

const legal = createRoute({
  ...{
    ...parent,
    ...words('legal'),
    ...needs('shop:read'),
    path: '/legal',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(() => import('../../areas/tenants/admin/legal.tsx'), 'LegalTexts'),
})

const imports = createRoute({
  ...{ ...parent, ...words('imports'), ...needs('imports:read'), path: '/imports' },
  component: lazyRouteComponent(() => import('../../areas/imports/admin/imports.tsx'), 'Imports'),
})
const importsId = createRoute({
  ...{ ...parent, ...words('imports'), ...needs('imports:read'), path: '/imports/$id' },
  component: lazyRouteComponent(() => import('../../areas/imports/admin/import.tsx'), 'ImportPage'),
})
const roles = createRoute({
  ...{ ...parent, ...words('roles'), ...needs('rbac:read'), path: '/roles' },
  component: lazyRouteComponent(() => import('../../areas/rbac/admin/roles.tsx'), 'Roles'),
})
const system = createRoute({
  ...{ ...parent, ...words('system'), ...needs('system:read'), path: '/system' },
  component: lazyRouteComponent(() => import('../../areas/system/admin/system.tsx'), 'SystemPage'),
})
const audit = createRoute({
  ...{
    ...parent,
    ...words('system'),
    ...needs('audit:read'),
    path: '/audit',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(() => import('../../areas/system/admin/audit.tsx'), 'Audit'),
})

const affiliates = createRoute({
  ...{
    ...parent,
    ...words('affiliates'),
    ...needs('affiliation:read'),
    path: '/affiliates',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(
    () => import('../../areas/affiliation/admin/affiliates.tsx'),
    'Affiliates',
  ),
})
const affiliatesId = createRoute({
  ...{ ...parent, ...words('affiliates'), ...needs('affiliation:read'), path: '/affiliates/$id' },
  component: lazyRouteComponent(
    () => import('../../areas/affiliation/admin/affiliate.tsx'),
    'AffiliatePage',
  ),
})

const integrations = createRoute({
  ...{
    ...parent,
    ...words('integrations', 'panels'),
    ...needs('webhooks:read', 'oauth:read', 'bot:read'),
    path: '/integrations',
  },
  component: lazyRouteComponent(
    () => import('../../areas/webhooks/admin/integrations.tsx'),
    'Integrations',
  ),
})
const endpoint = createRoute({
  ...{
    ...parent,
    ...words('integrations'),
    ...needs('webhooks:read'),
    path: '/integrations/$id',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(
    () => import('../../areas/webhooks/admin/endpoint.tsx'),
    'EndpointPage',
  ),
})
const mails = createRoute({
  ...{
    ...parent,
    ...words('mails'),
    ...needs('system:read'),
    path: '/mails',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(() => import('../../areas/notifications/admin/mails.tsx'), 'Mails'),
})
const mailServer = createRoute({
  ...{ ...parent, ...words('mails'), ...needs('system:read'), path: '/mails/server' },
  component: lazyRouteComponent(
    () => import('../../areas/notifications/admin/mail-server.tsx'),
    'MailServerPage',
  ),
})
const mailTexts = createRoute({
  ...{ ...parent, ...words('mails'), ...needs('system:read'), path: '/mails/texts' },
  component: lazyRouteComponent(
    () => import('../../areas/notifications/admin/templates/list.tsx'),
    'MailTemplates',
  ),
})
const mailTextsKind = createRoute({
  ...{
    ...parent,
    ...words('mails'),
    ...needs('system:read'),
    path: '/mails/texts/$kind',
    validateSearch: listSearch,
  },
  component: lazyRouteComponent(
    () => import('../../areas/notifications/admin/templates/editor.tsx'),
    'MailTemplatePage',
  ),
})
const announcements = createRoute({
  ...{ ...parent, ...words('mails'), ...needs('announcements:read'), path: '/announcements' },
  component: lazyRouteComponent(
    () => import('../../areas/notifications/admin/announcements.tsx'),
    'Announcements',
  ),
})
const tenants = createRoute({
  ...{ ...parent, ...words('tenants'), ...needs('tenants:read'), path: '/tenants' },
  component: lazyRouteComponent(() => import('../../areas/tenants/admin/tenants.tsx'), 'Tenants'),
})

const screens = [
  ...[overview, notifications, people, peopleId, servers, serversId, orders],
  ...[
    tasks,
    tasksId,
    tickets,
    ticketsId,
    departments,
    savedReplies,
    help,
    helpId,
    incidents,
    incidentsId,
  ],
  ...[ordersId, invoices, invoicesNew, invoicesId, payments, paymentsId, bankEntriesId, reports],
  ...[firstRun, firstRunSeller, firstRunBrand, firstRunMail, firstRunPayments, firstRunPanel],
  ...[
    firstRunProduct,
    products,
    newProduct,
    product,
    options,
    coupons,
    taxRates,
    gateways,
    vouchers,
    vouchersId,
  ],
  ...[panels, panel, locations, eggs, egg, differences, settings, company, brand, legal],
  ...[affiliates, affiliatesId, imports, importsId, roles, system, audit],
  ...[integrations, endpoint, mails, mailServer, mailTexts, mailTextsKind, announcements, tenants],
] as const

/** Every screen of the administration. Customers do not load it. */
export const administration = adminRoot.addChildren([...screens])
