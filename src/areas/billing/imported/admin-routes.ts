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
import { recordImportedRefund } from './refunds.ts'
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

/** Payments and credit of the previous system, and the refunds that staff record. */
export const adminImportedRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/imported-payments',
    config: reading,
    schema: {
      tags,
      summary: 'List imported payments, newest first',
      description:
        'Payments that the previous system received, as it recorded them, with the refunds recorded here.',
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
      summary: 'Record the refund of an imported payment',
      description:
        'Sends no money: it books a refund that was made elsewhere, at most the amount paid and not yet refunded. Revenue and tax do not change, because the sale is in the books of the previous system. Credit that was bought with the payment is removed separately.',
      params: IdParams,
      body: NewImportedRefund,
      response: { 201: ImportedRefundSchema, ...problems(404, 409, 422) },
    },
    async handler({ params: { id }, body, tenantId, now, transact }, reply) {
      const refund = await transact((tx) => recordImportedRefund(tx, { tenantId, id }, body, now))
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
      summary: 'List the imported credit history, newest first',
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
