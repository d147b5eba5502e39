import type { FastifyRequest } from 'fastify'
import { notFound } from '#lib/problem.ts'
import { IdParams, Page, PageQuery } from '#lib/schema.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findUser } from '#users'
import { findAffiliateOf } from '../affiliates/queries.ts'
import { correctReferral } from './actions.ts'
import { findShownReferral, listReferrals, listReferralsOf } from './queries.ts'
import { maskedName } from './rules.ts'
import { Correction, CustomerReferral, OwnReferral, Referral, ReferralQuery } from './schema.ts'

const tags: Tag[] = ['Affiliation']

const url = '/v1/admin/users/:id/referral'

function exists({ db, tenantId, params }: FastifyRequest) {
  return findUser(db, { tenantId, userId: (params as { id: string }).id })
}

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

  app.route({
    method: 'GET',
    url,
    config: { access: 'admin', permission: 'affiliation:read' },
    schema: {
      tags,
      summary: 'Get the affiliate of a customer, and the last correction',
      params: IdParams,
      response: { 200: CustomerReferral, ...problems(404) },
    },
    handler: ({ params, tenantId, db }) => shown(db, { tenantId, userId: params.id }),
  })

  app.route({
    method: 'PUT',
    url,
    config: { access: 'admin', permission: 'affiliation:write', exists },
    schema: {
      tags,
      summary: 'Correct the affiliate of a customer, or remove it, for future payments',
      description:
        'Commissions that were earned stay with their affiliate, and payments made before earn the new one nothing. ' +
        '409 `affiliate_closed`, and `own_referral` if customer and affiliate are the same person.',
      params: IdParams,
      body: Correction,
      response: { 200: CustomerReferral, ...problems(404, 409) },
    },
    async handler({ params, body, caller, tenantId, db, now, transact }) {
      const key = { tenantId, userId: params.id }
      await transact((tx) => correctReferral(tx, key, { ...body, by: caller.userId }, now))
      return shown(db, key)
    },
  })
}

async function shown(db: Db, key: UserKey): Promise<CustomerReferral> {
  const user = await findUser(db, key)
  if (!user) throw notFound('User')
  const referral = await findShownReferral(db, key)
  const { correctedAt = null, correctionReason: reason = null } = referral ?? {}
  if (!referral || referral.removedAt) return { ...NO_AFFILIATE, correctedAt, reason }
  const { affiliateId, name, code, source, refusal, refusedAt, createdAt: since } = referral
  return { affiliateId, name, code, source, refusal, refusedAt, since, correctedAt, reason }
}

const NO_AFFILIATE = {
  ...{ affiliateId: null, name: null, code: null, source: null },
  ...{ refusal: null, refusedAt: null, since: null },
}
