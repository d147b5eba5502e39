import { notFound } from '#lib/problem.ts'
import { IdParams, Page } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { problemLanguageOf } from '#platform/http/language.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { paymentIn } from '../attempts/rules.ts'
import { PaymentSchema, PayRequest } from '../attempts/schema.ts'
import { startPayment } from '../attempts/start.ts'
import { beginPayment, preparedOf } from '../quotes/begin.ts'
import { closingPages } from '../quotes/pages.ts'
import { InvoiceDetailsSchema, invoiceDetails } from './details.ts'
import { findOwnInvoice, partsOfAll, searchInvoicesOf } from './queries.ts'
import { InvoiceSchema, OwnInvoiceQuery } from './schema.ts'
import { invoiceView } from './view.ts'

const tags: Tag[] = ['Billing']

export const invoiceRoutes: Routes = async (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/billing/invoices',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'List my invoices, newest first',
      querystring: OwnInvoiceQuery,
      response: { 200: Page(InvoiceSchema) },
    },
    async handler({ query, caller, db, now }) {
      const page = await searchInvoicesOf(db, caller, query, now)
      const parts = await partsOfAll(
        db,
        caller.tenantId,
        page.data.map(({ id }) => id),
      )
      return { ...page, data: page.data.map((row) => invoiceView(row, parts, now)) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/billing/invoices/:id',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'Get one of my invoices',
      params: IdParams,
      response: { 200: InvoiceDetailsSchema },
    },
    async handler({ params, caller, db, now }) {
      const row = await findOwnInvoice(db, caller, params.id)
      if (!row) throw notFound('Invoice')
      return invoiceDetails(db, row, { showsMethods: caller.impersonatorId === null }, now)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/billing/invoices/:id/pay',
    config: {
      access: 'user',
      exists: ({ db, caller, params }) => findOwnInvoice(db, caller, (params as { id: string }).id),
    },
    schema: {
      tags,
      summary: 'Pay what is due on one of my invoices',
      description:
        'Where the price of an order without a number no longer holds (tax or price has changed), ' +
        'nothing is paid: 409 `quote_expired` says which invoice stands in its place, in `details`.',
      params: IdParams,
      body: PayRequest,
      response: { 200: PaymentSchema, ...problems(409) },
    },
    async handler(request) {
      const { params, body, caller, db, now, transact } = request
      const invoiceIds = [params.id]
      const begun = await closingPages(deps, db, (pages) =>
        transact((tx) => beginPayment(tx, deps.areas, caller, { invoiceIds, ...body, pages }, now)),
      )
      const payment = await startPayment(deps, db, preparedOf(begun))
      return paymentIn(problemLanguageOf(request), payment)
    },
  })
}
