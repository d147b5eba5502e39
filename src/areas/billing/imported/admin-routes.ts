import type { FastifyRequest } from 'fastify'
import { IdParams, Page } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import {
  findImportedPayment,
  type ImportedRefundRow,
  listImportedCredit,
  listImportedPayments,
  listImportedRefunds,
} from './admin-queries.ts'
import { noteImportedRefund } from './refunds.ts'
import {
  ImportedCreditQuery,
  ImportedCreditSchema,
  ImportedPaymentQuery,
  ImportedPaymentSchema,
  ImportedRefundSchema,
  NewImportedRefund,
} from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const reading = { access: 'admin', permission: 'invoices:read' } as const

function exists({ db, tenantId, params }: FastifyRequest) {
  return findImportedPayment(db, { tenantId, id: (params as { id: string }).id })
}

/** Money of another system, for staff who look it up or have given it back. */
export const adminImportedRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/imported-payments',
    config: reading,
    schema: {
      tags,
      summary: 'List payments that another system received, newest first',
      description: 'As that system kept them. Refunds that were noted here are listed with them.',
      querystring: ImportedPaymentQuery,
      response: { 200: Page(ImportedPaymentSchema) },
    },
    async handler({ db, tenantId, query }) {
      const page = await listImportedPayments(db, tenantId, query)
      return { ...page, data: await withRefunds(db, tenantId, page.data) }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/imported-payments/:id/refunds',
    config: { access: 'admin', permission: 'invoices:write', exists },
    schema: {
      tags,
      summary: 'Note that a payment of another system was refunded',
      description:
        'Sends no money: it notes and books what was sent, at most what was paid and not refunded. Revenue and tax stay, because a sale of another system is corrected there. Credit that was bought with the payment is taken back separately.',
      params: IdParams,
      body: NewImportedRefund,
      response: { 201: ImportedRefundSchema, ...problems(404, 409, 422) },
    },
    async handler({ params: { id }, body, tenantId, now, transact }, reply) {
      const refund = await transact((tx) => noteImportedRefund(tx, { tenantId, id }, body, now))
      return reply.code(201).send(viewOf(refund))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/imported-credit',
    config: reading,
    schema: {
      tags,
      operationId: 'admin.importedCredit.list',
      summary: 'List how credit was given and used in another system, newest first',
      querystring: ImportedCreditQuery,
      response: { 200: Page(ImportedCreditSchema) },
    },
    handler: ({ db, tenantId, query }) => listImportedCredit(db, tenantId, query),
  })
}

type Listed = Awaited<ReturnType<typeof listImportedPayments>>['data'][number]

async function withRefunds(db: Db, tenantId: string, payments: readonly Listed[]) {
  const ids = payments.map(({ id }) => id)
  const refunds = Map.groupBy(await listImportedRefunds(db, tenantId, ids), (it) => it.paymentId)
  return payments.map((payment) => ({
    ...payment,
    refunds: (refunds.get(payment.id) ?? []).map(viewOf),
  }))
}

function viewOf({ tenantId: _, userId: __, ...refund }: ImportedRefundRow) {
  return refund
}
