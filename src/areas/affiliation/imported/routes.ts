import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import {
  Amount,
  Currency,
  Id,
  IdParams,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findAffiliate, findAffiliateOf } from '../affiliates/queries.ts'
import { listImportedCommissions } from './queries.ts'

const tags: Tag[] = ['Affiliation']

const ImportedEntry = Resource('ImportedCommission', {
  id: Id,
  kind: OneOf(
    ['earned', 'pending', 'paid_out'],
    'Only what was pending there becomes available here; the rest is history',
  ),
  amountCents: Amount,
  currency: Currency,
  description: Type.String(),
  happenedAt: Nullable(Timestamp),
  availableAt: Nullable(Timestamp),
  maturedAt: Nullable(Timestamp),
  forfeitedAt: Nullable(Timestamp),
})

/** Affiliates' earnings and payouts in their former system. */
export const importedRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/affiliation/imported-commissions',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'List my commissions and payouts of the previous system, newest first',
      querystring: PageQuery,
      response: { 200: Page(ImportedEntry), ...problems(404) },
    },
    async handler({ query, caller, db }) {
      const affiliate = await findAffiliateOf(db, caller)
      if (!affiliate || affiliate.closedAt) throw notFound('Affiliate')
      return listImportedCommissions(db, affiliate, query)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/affiliates/:id/imported-commissions',
    config: { access: 'admin', permission: 'affiliation:read' },
    schema: {
      tags,
      summary: 'List commissions and payouts of an affiliate in the previous system, newest first',
      params: IdParams,
      querystring: PageQuery,
      response: { 200: Page(ImportedEntry), ...problems(404) },
    },
    async handler({ query, params: { id }, tenantId, db }) {
      const affiliate = await findAffiliate(db, { tenantId, id })
      if (!affiliate) throw notFound('Affiliate')
      return listImportedCommissions(db, affiliate, query)
    },
  })
}
