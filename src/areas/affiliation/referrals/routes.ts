import { notFound } from '#lib/problem.ts'
import { Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findAffiliateOf } from '../affiliates/queries.ts'
import { listReferrals, listReferralsOf } from './queries.ts'
import { maskedName } from './rules.ts'
import { OwnReferral, Referral, ReferralQuery } from './schema.ts'

const tags: Tag[] = ['Affiliation']

/** Which affiliate referred whom. */
export const referralRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/affiliation/referrals',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'List my referrals, newest first; names are masked',
      querystring: PageQuery,
      response: { 200: Page(OwnReferral), ...problems(404) },
    },
    async handler({ query, caller, db }) {
      const affiliate = await findAffiliateOf(db, caller)
      if (!affiliate || affiliate.closedAt) throw notFound('Affiliate')
      const { data, nextCursor } = await listReferralsOf(db, affiliate, query)
      return {
        data: data.map(({ id, name, source, createdAt }) => ({
          ...{ id, name: maskedName(name), source, createdAt },
        })),
        nextCursor,
      }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/referrals',
    config: { access: 'admin', permission: 'affiliation:read' },
    schema: {
      tags,
      summary: 'List referrals with their affiliates, newest first',
      querystring: ReferralQuery,
      response: { 200: Page(Referral) },
    },
    async handler({ query: { affiliateId, userId, ...page }, tenantId, db }) {
      return listReferrals(db, tenantId, { affiliateId, userId }, page)
    },
  })
}
