import { notFound } from '#lib/problem.ts'
import { IdParams, Page } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findDispute, listDisputes } from './queries.ts'
import { DisputeQuery, DisputeSchema, disputeView } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const reading = { access: 'admin', permission: 'invoices:read' } as const

export const disputeRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/disputes',
    config: reading,
    schema: {
      tags,
      summary: 'List disputed payments, newest first',
      querystring: DisputeQuery,
      response: { 200: Page(DisputeSchema) },
    },
    async handler({ query, tenantId, db }) {
      const page = await listDisputes(db, tenantId, query)
      return { ...page, data: page.data.map(disputeView) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/disputes/:id',
    config: reading,
    schema: {
      tags,
      summary: 'Get a disputed payment; evidence is submitted to the payment provider',
      params: IdParams,
      response: { 200: DisputeSchema },
    },
    async handler({ params, tenantId, db }) {
      const row = await findDispute(db, tenantId, params.id)
      if (!row) throw notFound('Dispute')
      return disputeView(row)
    },
  })
}
