import { notFound } from '#lib/problem.ts'
import { CountedPage, IdParams } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import {
  findAttemptOfStaff,
  findPayment,
  type ListedPayment,
  listAllocations,
  listAttempts,
  listAttemptsFor,
  listPayments,
} from './admin-queries.ts'
import {
  AdminAttempt,
  AdminPayment,
  AdminPaymentDetails,
  AttemptQuery,
  PaymentQuery,
} from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const config = { access: 'admin', permission: 'invoices:read' } as const

/** Payments and payment attempts, for staff. */
export const adminPaymentRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/payments',
    config,
    schema: {
      tags,
      summary: 'List received payments, newest first',
      querystring: PaymentQuery,
      response: { 200: CountedPage(AdminPayment) },
    },
    async handler({ db, tenantId, query }) {
      const page = await listPayments(db, tenantId, query)
      return { ...page, data: await viewsOf(db, tenantId, page.data) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/payments/:id',
    config,
    schema: {
      tags,
      summary: 'Get a payment, its invoices and earlier attempts',
      params: IdParams,
      response: { 200: AdminPaymentDetails, ...problems(404) },
    },
    async handler({ db, tenantId, params: { id } }) {
      const payment = await findPayment(db, tenantId, id)
      const [view] = payment ? await viewsOf(db, tenantId, [payment]) : []
      if (!view) throw notFound('Payment')
      const invoiceIds = view.allocations.map(({ invoiceId }) => invoiceId)
      return { ...view, attempts: await listAttemptsFor(db, tenantId, invoiceIds) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/payment-attempts',
    config,
    schema: {
      tags,
      summary: 'List payment attempts, newest first',
      querystring: AttemptQuery,
      response: { 200: CountedPage(AdminAttempt) },
    },
    handler: ({ db, tenantId, query }) => listAttempts(db, tenantId, query),
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/payment-attempts/:id',
    config,
    schema: {
      tags,
      summary: 'Get a payment attempt and the provider’s response',
      params: IdParams,
      response: { 200: AdminAttempt, ...problems(404) },
    },
    async handler({ db, tenantId, params: { id } }) {
      const attempt = await findAttemptOfStaff(db, tenantId, id)
      if (!attempt) throw notFound('Payment attempt')
      return attempt
    },
  })
}

async function viewsOf(db: Db, tenantId: string, payments: readonly NonNullable<ListedPayment>[]) {
  const ids = payments.map(({ id }) => id)
  const parts = Map.groupBy(await listAllocations(db, tenantId, ids), (it) => it.paymentId)
  return payments.map((payment) => ({
    ...payment,
    allocations: (parts.get(payment.id) ?? []).map(({ paymentId: _, ...part }) => part),
  }))
}
