import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Currency } from '#lib/schema.ts'
import type { Deps } from '#platform/deps.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { originOf, sellerOf, settingsOf } from '#tenants'
import { LEAST_CENTS } from '../conversions/rules.ts'
import { affiliationSettings } from '../settings.ts'
import { enrol } from './actions.ts'
import { clicksOf, countReferrals, findAffiliateOf, totalsOf } from './queries.ts'
import { type AffiliateRow, linkOf, statusOf, totalsIn } from './rules.ts'
import { AffiliationTerms, OwnAffiliation } from './schema.ts'

const tags: Tag[] = ['Affiliation']

/** An affiliate's own account and its terms. */
export const affiliateRoutes: Routes = (app, { config }) => {
  app.route({
    method: 'GET',
    url: '/v1/affiliation',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'My code, my link, and what I have earned; 404 until I enrol',
      querystring: Type.Object({ currency: Type.Optional(Currency) }),
      response: { 200: OwnAffiliation, ...problems(404) },
    },
    async handler(request) {
      const affiliate = await findAffiliateOf(request.db, request.caller)
      if (!affiliate || affiliate.closedAt) throw notFound('Affiliate')
      return ownView(request, config, affiliate, request.query.currency)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/affiliation/terms',
    config: { access: 'public' },
    schema: {
      tags,
      summary: 'Get the terms of the affiliate programme, before enrolment',
      response: { 200: AffiliationTerms },
    },
    async handler({ db, tenantId }) {
      const [set, { currency }] = await Promise.all([
        settingsOf(db, tenantId, affiliationSettings),
        sellerOf(db, tenantId),
      ])
      const { enabled, commissionBasisPoints, payments, recurringMonths } = set
      const { holdDays, attributionDays } = set
      return {
        ...{ enabled, commissionBasisPoints, payments, recurringMonths, holdDays, attributionDays },
        ...{ minimumCents: LEAST_CENTS, currency },
      }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/affiliation',
    config: { access: 'user' },
    schema: {
      tags,
      operationId: 'affiliation.enroll',
      summary: 'Enrol: get a code and a link to bring customers with',
      description:
        'Answers the code and the link. 409 `already_enrolled` and `affiliation_disabled`.',
      response: { 201: OwnAffiliation, ...problems(409) },
    },
    async handler(request, reply) {
      const { caller, now, transact } = request
      const affiliate = await transact((tx) => enrol(tx, caller, now))
      return reply.code(201).send(await ownView(request, config, affiliate))
    },
  })
}

async function ownView(
  { db, tenantId, now }: Pick<FastifyRequest, 'db' | 'tenantId' | 'now'>,
  config: Deps['config'],
  affiliate: AffiliateRow,
  wanted?: string,
) {
  const { id, code, createdAt } = affiliate
  const currency = wanted ?? (await sellerOf(db, tenantId)).currency
  const totals = (await totalsOf(db, tenantId, [id])).get(id) ?? []
  const { clickCount, recentClickCount } = await clicksOf(db, affiliate, now)
  return {
    ...{ id, code, link: linkOf(await originOf(db, config, tenantId), code) },
    ...{ status: statusOf(affiliate), clickCount, recentClickCount },
    referralCount: await countReferrals(db, affiliate),
    ...totalsIn(totals, currency),
    createdAt,
  }
}
