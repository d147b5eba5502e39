import type { FastifyRequest } from 'fastify'
import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import { IdParams } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { problemLanguageOf } from '#platform/http/language.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { currencyFor, faultIn, quoteBuyerOf, quoteFor, wantedServersOf } from '#store'
import { findUser } from '#users'
import { AdminOrder } from '../schema.ts'
import { surveyServers } from '../servers.ts'
import { adminViewsOf } from '../views.ts'
import { orderFor } from './actions.ts'
import { CustomerOrder, CustomerOrderPreview, CustomerQuote } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const writing = { access: 'admin', permission: 'orders:write' } as const

async function exists({
  db,
  tenantId,
  params,
}: Pick<FastifyRequest, 'db' | 'tenantId' | 'params'>) {
  const user = await findUser(db, { tenantId, userId: (params as { id: string }).id })
  return user?.deletedAt ? undefined : user
}

/** Orders that staff place for a customer. */
export const customerOrderRoutes: Routes = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/admin/users/:id/orders',
    config: { ...writing, exists },
    schema: {
      tags,
      summary: 'Place an order for a customer',
      description:
        'As in the checkout of the customer, who is notified and pays the invoice; their cart stays. No terms are accepted, and what a consumer may withdraw from waits (`startsAt`). 409 `account_suspended`; 422 as in the checkout.',
      params: IdParams,
      body: CustomerOrder,
      response: { 201: AdminOrder, ...problems(404, 409, 422) },
    },
    async handler(request, reply) {
      const { db, tenantId, caller, params, body, now, transactOn } = request
      if (!(await exists(request))) throw notFound('User')
      const user = { tenantId, userId: params.id }
      const wanted = { ...body, currency: await currencyFor(db, tenantId, body) }
      const servers = await wantedServersOf(db, user, wanted)
      const survey = await surveyServers(deps, db, tenantId, servers)
      const wish = { ...wanted, id: newId(), userId: params.id, survey, secrets: deps.secrets }
      // The entry in the audit log names the order.
      const { order } = await transactOn(wish.id, (tx) => orderFor(tx, caller, wish, now))
      const [view] = await adminViewsOf(db, tenantId, [order])
      if (!view) throw notFound('Order')
      return reply.code(201).send(view)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/users/:id/orders/preview',
    config: { ...writing, exists },
    schema: {
      tags,
      summary: 'Price an order for a customer, without placing it',
      description: 'With the tax, trials and coupons of the customer. `faults` prevent the order.',
      params: IdParams,
      body: CustomerOrderPreview,
      response: { 200: CustomerQuote, ...problems(404, 422) },
    },
    async handler(request) {
      const { db, tenantId, params, body, now } = request
      if (!(await exists(request))) throw notFound('User')
      const buyer = await quoteBuyerOf(db, { tenantId, userId: params.id })
      const wanted = { ...body, currency: await currencyFor(db, tenantId, body) }
      const quoted = await quoteFor(deps, db, buyer, wanted, now)
      const language = problemLanguageOf(request)
      return { ...quoted, faults: quoted.faults.map((it) => faultIn(language, it)) }
    },
  })
}
