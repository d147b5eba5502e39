import { conflict, notFound } from '#lib/problem.ts'
import { IdParams, Page } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findBreak, listBreaks, resolveBreak } from './queries.ts'
import { BreakQuery, BreakResolution, BreakSchema, breakView } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']

export const breakRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/breaks',
    config: { access: 'admin', permission: 'gateways:read' },
    schema: {
      tags,
      summary: 'List reconciliation differences with payment providers, newest first',
      querystring: BreakQuery,
      response: { 200: Page(BreakSchema) },
    },
    async handler({ query, tenantId, db }) {
      const page = await listBreaks(db, tenantId, query)
      return { ...page, data: page.data.map(breakView) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/breaks/:id',
    config: { access: 'admin', permission: 'gateways:read' },
    schema: {
      tags,
      summary: 'Get a reconciliation difference with a payment provider',
      params: IdParams,
      response: { 200: BreakSchema },
    },
    async handler({ params, tenantId, db }) {
      const row = await findBreak(db, tenantId, params.id)
      if (!row) throw notFound('Break')
      return breakView(row)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/breaks/:id/resolve',
    config: {
      access: 'admin',
      permission: 'gateways:write',
      exists: ({ db, tenantId, params }) => findBreak(db, tenantId, (params as { id: string }).id),
    },
    schema: {
      tags,
      summary: 'Record how a difference was resolved; this books nothing',
      description: '409 `break_resolved`.',
      params: IdParams,
      body: BreakResolution,
      response: { 200: BreakSchema },
    },
    async handler({ params, body, caller, tenantId, now, transact }) {
      return transact(async (tx) => {
        const { resolution } = body
        const values = { resolvedAt: now, resolvedBy: caller.userId, resolution }
        const row = await resolveBreak(tx, { tenantId, id: params.id }, values)
        if (row) return breakView(row)
        if (!(await findBreak(tx, tenantId, params.id))) throw notFound('Break')
        throw conflict('This difference is resolved already.', 'break_resolved')
      })
    },
  })
}
