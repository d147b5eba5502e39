import { findInvoice, invoiceView, partsOf, startPayment } from '#billing'
import { holds } from '#lib/caller.ts'
import { notFound, unauthorized } from '#lib/problem.ts'
import { CountedPage, IdParams, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { POLLING, SAME_PAGE, unlessSame } from '#platform/http/polled.ts'
import { cartLines } from '#store'
import { settingsOf } from '#tenants'
import { findUser } from '#users'
import { cancelOwnOrder, checkout } from './actions.ts'
import { consentFor } from './consent/actions.ts'
import {
  findOrder,
  findOrderOf,
  listOrders,
  listOrdersOf,
  listPaymentsOf,
  listServicesMade,
} from './queries.ts'
import {
  AdminOrder,
  AdminOrderDetails,
  AdminOrderQuery,
  CheckedOut,
  Checkout,
  Consent,
  Order,
} from './schema.ts'
import { surveyCart } from './servers.ts'
import { orderSettings } from './settings.ts'
import { adminViewsOf, oneOf, viewsOf } from './views.ts'

export const checkoutRoutes: Routes = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/billing/checkout',
    config: { access: 'user' },
    schema: {
      tags: ['Billing'],
      summary: 'Order the items of my cart',
      description:
        'Checks prices, tax, coupons, stock and room once more, and writes order, invoice and services in one transaction; the cart is empty then. `payment` says how to pay and is null where nothing is due; services start once the invoice is paid. 409 `cart_changed`, 422 `cart_empty`, `out_of_stock`, `no_capacity`, `immediate_start_required`, `terms_not_accepted` or a limit of unpaid orders. If the provider fails (502), the order stands and can be paid later. Send an `Idempotency-Key`.',
      body: Checkout,
      response: { 201: CheckedOut, ...problems(409, 422, 502) },
    },
    async handler({ db, caller, body, now, transact }, reply) {
      const survey = await surveyCart(deps, db, caller)
      const { order, invoice, prepared } = await transact((tx) =>
        checkout(tx, caller, { ...body, survey, secrets: deps.secrets }, now),
      )
      // The order is valid whatever the provider answers now: the payment is tried again, or made later.
      const payment = prepared && (await startPayment(deps, db, prepared))
      const key = { tenantId: order.tenantId, invoiceId: invoice.id }
      const current = (await findInvoice(db, key)) ?? invoice
      return reply.code(201).send({
        order: await oneOf(db, order),
        invoice: invoiceView(current, await partsOf(db, key), now),
        payment,
      })
    },
  })
}

export const consentRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/billing/checkout/consent',
    config: { access: 'user' },
    schema: {
      tags: ['Billing'],
      summary: 'Get the consent to an immediate start: whether my cart needs it, and its text',
      response: { 200: Consent, ...problems(422) },
    },
    async handler({ db, caller, now }) {
      const user = await findUser(db, caller)
      if (!user) throw unauthorized()
      const lines = await cartLines(db, caller, now)
      const terms = await settingsOf(db, caller.tenantId, orderSettings)
      return consentFor(db, user, { lines, terms }, now)
    },
  })
}

export const orderRoutes: Routes = (app) => {
  app.route({
    method: 'POST',
    url: '/v1/billing/orders/:id/cancel',
    config: { access: 'user' },
    schema: {
      tags: ['Billing'],
      summary: 'Cancel one of my unpaid orders',
      description:
        'Voids its invoice and releases stock and room. Money that arrives later becomes credit. 409 once it is paid or canceled.',
      params: IdParams,
      response: { 200: Order, ...problems(404, 409) },
    },
    async handler({ caller, params: { id }, now, transact }) {
      return transact(async (tx) => {
        await cancelOwnOrder(tx, caller, id, now)
        return oneOf(tx, await findOrderOf(tx, caller, id))
      })
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/billing/orders',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags: ['Billing'],
      summary: 'My orders, newest first',
      querystring: PageQuery,
      response: { 200: Page(Order) },
    },
    async handler({ db, caller, query }) {
      const { data, nextCursor } = await listOrdersOf(db, caller, query)
      return { data: await viewsOf(db, caller.tenantId, data), nextCursor }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/billing/orders/:id',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags: ['Billing'],
      summary: 'One of my orders',
      params: IdParams,
      response: { 200: Order, ...problems(404) },
    },
    async handler({ db, caller, params }) {
      return oneOf(db, await findOrderOf(db, caller, params.id))
    },
  })
}

export const adminOrderRoutes: Routes = (app) => {
  const tags = ['Admin - Store & Invoices']

  app.route({
    method: 'GET',
    url: '/v1/admin/orders',
    config: { access: 'admin', permission: 'orders:read' },
    schema: {
      tags,
      summary: 'All orders, newest first',
      description: POLLING,
      querystring: AdminOrderQuery,
      response: { 200: CountedPage(AdminOrder), ...SAME_PAGE },
    },
    async handler(request, reply) {
      const { db, tenantId, query } = request
      const page = await listOrders(db, tenantId, query)
      const data = await adminViewsOf(db, tenantId, page.data)
      return unlessSame(request, reply, { ...page, data })
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/orders/:id',
    config: { access: 'admin', permission: 'orders:read' },
    schema: {
      tags,
      summary: 'One order with its invoice, payments and services',
      params: IdParams,
      response: { 200: AdminOrderDetails, ...problems(404) },
    },
    async handler({ db, tenantId, caller, params: { id }, now }) {
      const order = await findOrder(db, { tenantId, id })
      if (!order) throw notFound('Order')
      const { invoiceId } = order
      const may = (permission: string) => holds(caller.permissions, permission)
      const [[view], invoice, parts, payments, services] = await Promise.all([
        adminViewsOf(db, tenantId, [order]),
        may('invoices:read') ? findInvoice(db, { tenantId, invoiceId }) : undefined,
        may('invoices:read') ? partsOf(db, { tenantId, invoiceId }) : undefined,
        may('invoices:read') ? listPaymentsOf(db, order) : null,
        may('services:read') ? listServicesMade(db, order) : null,
      ])
      if (!view) throw notFound('Order')
      const shown = invoice && parts ? invoiceView(invoice, parts, now) : null
      return { ...view, invoice: shown, payments, services }
    },
  })
}
