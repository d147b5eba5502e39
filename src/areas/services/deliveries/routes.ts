import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notFound, unauthorized } from '#lib/problem.ts'
import { IdParams, NoBody } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { findDeliveryTarget, isDeliveryToken } from '#store'
import { findService } from '../queries.ts'
import { recordResult, resend } from './actions.ts'
import { attemptsOf, findDelivery, listDeliveries } from './queries.ts'
import { type DeliveryRow, deliveryStateOf } from './rules.ts'
import { Delivery, Result, ResultAnswer } from './schema.ts'

const tags = ['Admin - Operations']

function exists({ db, tenantId, params }: FastifyRequest) {
  return findDelivery(db, { tenantId, id: (params as { id: string }).id })
}

/** The requests to systems that deliver services, and their call-backs. */
export const deliveryRoutes: Routes = (app, { secrets }) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/services/:id/deliveries',
    config: { access: 'admin', permission: 'services:read' },
    schema: {
      tags,
      summary: 'List the last 50 deliveries of a service by webhook, newest first',
      params: IdParams,
      response: {
        200: Type.Object({ data: Type.Array(Delivery) }),
        ...problems(404),
      },
    },
    async handler({ db, tenantId, params: { id } }) {
      const service = await findService(db, { tenantId, id })
      if (!service) throw notFound('Service')
      return { data: await viewsOf(db, tenantId, await listDeliveries(db, service)) }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/deliveries/:id/send',
    config: { access: 'admin', permission: 'services:write', exists },
    schema: {
      tags,
      summary: 'Send a delivery again at once with the same `webhook-id`, until it is confirmed',
      description: '409 `delivery_closed` for one that is done, failed or canceled.',
      params: IdParams,
      body: NoBody,
      response: { 200: Delivery, ...problems(404, 409) },
    },
    async handler({ tenantId, params: { id }, now, transact }) {
      return transact(async (tx) => {
        const [view] = await viewsOf(tx, tenantId, [await resend(tx, { tenantId, id }, now)])
        if (!view) throw notFound('Delivery')
        return view
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/deliveries/:id/result',
    config: { access: 'public', credential: 'delivery', whileSuspended: true, exists },
    schema: {
      tags: ['Services'],
      summary: 'Report the outcome of a delivery; repeating it changes nothing',
      description:
        '`done` records the service and notifies its customer; `failed` ends the attempts and notifies staff. 409 `delivery_closed` after another outcome.',
      params: IdParams,
      body: Result,
      response: { 200: ResultAnswer, ...problems(401, 404, 409) },
    },
    async handler(request) {
      const { tenantId, params, body: result, now, transact } = request
      const key = { tenantId, id: params.id }
      await assertToken(request)
      const delivery = await transact((tx) => recordResult(tx, key, { result, secrets }, now))
      return { id: delivery.id, state: deliveryStateOf(delivery) }
    },
  })
}

/** Throws 404 for an unknown delivery, and 401 unless the request has the token of its target. */
async function assertToken(request: FastifyRequest): Promise<void> {
  const { db, tenantId, headers, now } = request
  const { id } = request.params as { id: string }
  const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const delivery = await findDelivery(db, { tenantId, id })
  if (!delivery) throw notFound('Delivery')
  const target = await findDeliveryTarget(db, delivery)
  if (target && token && isDeliveryToken(target, token, now)) return
  await request.spendAuthQuota()
  throw unauthorized()
}

async function viewsOf(db: Db, tenantId: string, deliveries: readonly DeliveryRow[]) {
  const ids = deliveries.map(({ id }) => id)
  const attempts = await attemptsOf(db, tenantId, ids)
  return deliveries.map((delivery) => ({
    ...delivery,
    state: deliveryStateOf(delivery),
    attempts: attempts.get(delivery.id) ?? [],
  }))
}
