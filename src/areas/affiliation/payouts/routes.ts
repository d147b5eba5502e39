import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import {
  Amount,
  Body,
  Currency,
  DayOn,
  Id,
  IdParams,
  Line,
  Page,
  PageQuery,
  PositiveAmount,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findAffiliate } from '../affiliates/queries.ts'
import { bookPayout } from './actions.ts'
import { listPayoutsOf, type PayoutRow } from './queries.ts'

const tags: Tag[] = ['Affiliation']
const url = '/v1/admin/affiliates/:id/payouts'

const NewPayout = Body({
  amountCents: PositiveAmount,
  currency: Currency,
  paidOn: DayOn,
  method: Line(100),
  reference: Type.String({
    ...Line(200),
    description: 'Your reference for the transfer, unique in the shop: a transfer is booked once',
  }),
})

const Payout = Resource('Payout', {
  id: Id,
  affiliateId: Id,
  amountCents: Amount,
  currency: Currency,
  paidOn: DayOn,
  method: Type.String(),
  reference: Type.String(),
  createdAt: Timestamp,
})

function exists({ db, tenantId, params }: FastifyRequest) {
  return findAffiliate(db, { tenantId, id: (params as { id: string }).id })
}

/** Payouts: money the host paid to affiliates outside the shop. */
export const payoutRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: { access: 'admin', permission: 'affiliation:read' },
    schema: {
      tags,
      summary: 'List the payouts to an affiliate, newest first',
      params: IdParams,
      querystring: PageQuery,
      response: { 200: Page(Payout), ...problems(404) },
    },
    async handler({ params, query, tenantId, db }) {
      const key = { tenantId, ...params }
      if (!(await findAffiliate(db, key))) throw notFound('Affiliate')
      return listPayoutsOf(db, key, query)
    },
  })

  app.route({
    method: 'POST',
    url,
    config: { access: 'admin', permission: 'affiliation:write', exists },
    schema: {
      tags,
      summary: 'Book a payout to an affiliate: it can no longer be converted into credit',
      description:
        'Books money that you transferred yourself. Sent again with the same reference and content, it ' +
        'answers the payout that is booked already.',
      params: IdParams,
      body: NewPayout,
      response: { 201: Payout, ...problems(404, 409, 422) },
    },
    async handler({ params, body, tenantId, now, transact }, reply) {
      const key = { tenantId, ...params }
      const payout = await transact((tx) => bookPayout(tx, key, body, now))
      return reply.code(201).send(viewOf(payout))
    },
  })
}

function viewOf({ tenantId: _, ...payout }: PayoutRow): Static<typeof Payout> {
  return payout
}
