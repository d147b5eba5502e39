import type { FastifyRequest } from 'fastify'
import { notFound } from '#lib/problem.ts'
import { IdParams, Page } from '#lib/schema.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { suspendAffiliate, unsuspendAffiliate } from './actions.ts'
import {
  type AffiliateKey,
  type Brought,
  broughtBy,
  findAffiliate,
  findListedAffiliate,
  type ListedAffiliate,
  listAffiliates,
  totalsOf,
} from './queries.ts'
import { codeOf, statusOf } from './rules.ts'
import { Affiliate, AffiliateQuery, type AffiliateTotals, Suspension } from './schema.ts'

const tags: Tag[] = ['Affiliation']
const read = { access: 'admin', permission: 'affiliation:read' } as const
const write = { access: 'admin', permission: 'affiliation:write' } as const

const NOTHING: Brought = { clickCount: 0, recentClickCount: 0, orderCount: 0 }

function exists({ db, tenantId, params }: FastifyRequest) {
  return findAffiliate(db, { tenantId, id: (params as { id: string }).id })
}

/** The administration of affiliates. */
export const adminAffiliateRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/affiliates',
    config: read,
    schema: {
      tags,
      summary: 'List affiliates, newest first',
      querystring: AffiliateQuery,
      response: { 200: Page(Affiliate) },
    },
    async handler({ query: { status, code, ...page }, tenantId, db, now }) {
      const filter = { status, ...(code && { code: codeOf(code) }) }
      const { data, nextCursor } = await listAffiliates(db, tenantId, filter, page)
      const ids = data.map(({ id }) => id)
      const totals = await totalsOf(db, tenantId, ids)
      const brought = await broughtBy(db, tenantId, ids, now)
      return {
        data: data.map((it) => viewOf(it, totals.get(it.id), brought.get(it.id))),
        nextCursor,
      }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/affiliates/:id',
    config: read,
    schema: {
      tags,
      summary: 'Get an affiliate',
      params: IdParams,
      response: { 200: Affiliate, ...problems(404) },
    },
    handler: ({ params, tenantId, db, now }) => shown(db, { tenantId, ...params }, now),
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/affiliates/:id/suspend',
    config: { ...write, exists },
    schema: {
      tags,
      summary:
        'Suspend an affiliate: no commission is earned or converted until the suspension is lifted',
      description: 'Clicks are no longer recorded. 409 `affiliate_closed`.',
      params: IdParams,
      body: Suspension,
      response: { 200: Affiliate, ...problems(404, 409) },
    },
    async handler({ params, body, tenantId, db, now, transact }) {
      const key = { tenantId, ...params }
      await transact((tx) => suspendAffiliate(tx, key, body.reason ?? null, now))
      return shown(db, key, now)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/affiliates/:id/unsuspend',
    config: write,
    schema: {
      tags,
      summary: 'Unsuspend an affiliate',
      description: '409 `affiliate_closed`.',
      params: IdParams,
      response: { 200: Affiliate, ...problems(404, 409) },
    },
    async handler({ params, tenantId, db, now, transact }) {
      const key = { tenantId, ...params }
      await transact((tx) => unsuspendAffiliate(tx, key))
      return shown(db, key, now)
    },
  })
}

async function shown(db: Db, key: AffiliateKey, now: Instant): Promise<Affiliate> {
  const affiliate = await findListedAffiliate(db, key)
  if (!affiliate) throw notFound('Affiliate')
  const { tenantId, id } = key
  const totals = await totalsOf(db, tenantId, [id])
  const brought = await broughtBy(db, tenantId, [id], now)
  return viewOf(affiliate, totals.get(id), brought.get(id))
}

function viewOf(
  affiliate: ListedAffiliate,
  totals: AffiliateTotals[] = [],
  { clickCount, recentClickCount, orderCount }: Brought = NOTHING,
): Affiliate {
  const { id, userId, name, email, code, suspendedReason, referralCount } = affiliate
  const { createdAt, suspendedAt, closedAt } = affiliate
  return {
    ...{ id, userId, name, email, code, status: statusOf(affiliate), suspendedReason },
    ...{ clickCount, recentClickCount, referralCount, orderCount },
    ...{ totals, createdAt, suspendedAt, closedAt },
  }
}
