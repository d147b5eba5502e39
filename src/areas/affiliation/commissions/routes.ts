import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { IdParams, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findAffiliateOf } from '../affiliates/queries.ts'
import { approveCommission, rejectCommission } from './actions.ts'
import { findListedCommission, listCommissions } from './queries.ts'
import { withStatus } from './rules.ts'
import { Commission, CommissionQuery, CommissionStatus, OwnCommission } from './schema.ts'

const tags: Tag[] = ['Affiliation']
const write = { access: 'admin', permission: 'affiliation:write' } as const

const OwnQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(CommissionStatus),
})

/** The commissions of affiliates, by invoice. */
export const commissionRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/affiliation/commissions',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'My commissions, newest first',
      querystring: OwnQuery,
      response: { 200: Page(OwnCommission), ...problems(404) },
    },
    async handler({ query: { status, ...page }, caller, db, tenantId }) {
      const affiliate = await findAffiliateOf(db, caller)
      if (!affiliate || affiliate.closedAt) throw notFound('Affiliate')
      const found = await listCommissions(db, tenantId, { affiliateId: affiliate.id, status }, page)
      return { ...found, data: found.data.map(withStatus) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/commissions',
    config: { access: 'admin', permission: 'affiliation:read' },
    schema: {
      tags,
      summary: 'List commissions, newest first; `toReview` selects those to be reviewed',
      querystring: CommissionQuery,
      response: { 200: Page(Commission) },
    },
    async handler({ query: { affiliateId, status, toReview, ...page }, tenantId, db }) {
      const found = await listCommissions(db, tenantId, { affiliateId, status, toReview }, page)
      return { ...found, data: found.data.map(withStatus) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/commissions/:id',
    config: { access: 'admin', permission: 'affiliation:read' },
    schema: {
      tags,
      summary: 'One commission',
      params: IdParams,
      response: { 200: Commission, ...problems(404) },
    },
    async handler({ params, tenantId, db }) {
      const commission = await findListedCommission(db, { tenantId, ...params })
      if (!commission) throw notFound('Commission')
      return withStatus(commission)
    },
  })

  const decisions = [
    {
      url: '/v1/admin/commissions/:id/approve',
      summary: 'Let a flagged commission become available when its time comes',
      description: '409 `commission_not_flagged`, and `commission_rejected`.',
      decide: approveCommission,
    },
    {
      url: '/v1/admin/commissions/:id/reject',
      summary: 'Reverse the rest of a commission permanently',
      description:
        '409 `commission_rejected`. What was converted into credit stays with the affiliate.',
      decide: rejectCommission,
    },
  ]
  for (const { url, summary, description, decide } of decisions) {
    app.route({
      method: 'POST',
      url,
      config: write,
      schema: {
        tags,
        summary,
        description,
        params: IdParams,
        response: { 200: Commission, ...problems(404, 409) },
      },
      async handler({ params, caller, tenantId, db, now, transact }) {
        const key = { tenantId, ...params }
        await transact((tx) => decide(tx, key, caller.userId, now))
        const commission = await findListedCommission(db, key)
        if (!commission) throw notFound('Commission')
        return withStatus(commission)
      },
    })
  }
}
