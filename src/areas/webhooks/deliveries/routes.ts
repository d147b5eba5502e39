import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { IdParams, Page } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findEndpoint } from '../endpoints/queries.ts'
import { endpointIn } from '../endpoints/routes.ts'
import { recordAttempt, replay, replayMissed, writePing } from './actions.ts'
import { type DeliveryKey, findDelivery, listAttempts, listDeliveries } from './queries.ts'
import { deliveryView } from './rules.ts'
import {
  BulkReplay,
  Delivery,
  DeliveryDetail,
  DeliveryQuery,
  Replayed,
  TestResult,
} from './schema.ts'
import { send } from './sending.ts'

const tags: Tag[] = ['Admin - Operations']
const url = '/v1/admin/webhook-endpoints'
const read = { access: 'admin', permission: 'webhooks:read' } as const
const write = { access: 'admin', permission: 'webhooks:write' } as const

/** Routes for administrators to see messages that were sent, and to send them again. */
export const deliveryRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url: `${url}/:id/deliveries`,
    config: read,
    schema: {
      tags,
      summary: 'List the deliveries of a webhook endpoint, newest first',
      params: IdParams,
      querystring: DeliveryQuery,
      response: { 200: Page(Delivery) },
    },
    async handler({ params, query, tenantId, db }) {
      const endpoint = await findEndpoint(db, { tenantId, ...params })
      if (!endpoint) throw notFound('Webhook endpoint')
      const page = await listDeliveries(db, { tenantId, endpointId: endpoint.id }, query)
      return { ...page, data: page.data.map(deliveryView) }
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/deliveries/:id`,
    config: read,
    schema: {
      tags,
      summary: 'Get a delivery: the message, and the answer to each attempt',
      params: IdParams,
      response: { 200: DeliveryDetail },
    },
    handler: ({ params, tenantId, db }) => detailOf(db, { tenantId, ...params }),
  })

  app.route({
    method: 'POST',
    url: `${url}/deliveries/:id/replay`,
    config: write,
    schema: {
      tags,
      summary: 'Replay a delivery with the same webhook-id; a waiting one is sent at once',
      description: '409 `endpoint_disabled`.',
      params: IdParams,
      response: { 200: DeliveryDetail },
    },
    async handler({ params, tenantId, db, now, transact }) {
      const key = { tenantId, ...params }
      await transact((tx) => replay(tx, key, now))
      return detailOf(db, key)
    },
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/replay`,
    config: { ...write, exists: endpointIn },
    schema: {
      tags,
      summary: 'Replay all missed deliveries of a webhook endpoint',
      description: 'The oldest 10,000 at most; the answer says how many. 409 `endpoint_disabled`.',
      params: IdParams,
      body: BulkReplay,
      response: { 200: Replayed },
    },
    async handler({ params, body, tenantId, now, transact }) {
      const key = { tenantId, ...params }
      return { replayed: await transact((tx) => replayMissed(tx, key, body, now)) }
    },
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/test`,
    config: write,
    schema: {
      tags,
      summary: 'Send a ping to a webhook endpoint, enabled or not, and report its response',
      description: 'A refusal is an answer with its status, not an error.',
      params: IdParams,
      response: { 200: TestResult },
    },
    handler: (request) => ping(request),
  })

  async function ping({ params, tenantId, now, transact }: FastifyRequest) {
    const { id } = params as Static<typeof IdParams>
    const claimed = await transact((tx) => writePing(tx, { tenantId, id }, now))
    const outcome = await send(deps, claimed, now)
    const at = { now: deps.clock.now(), random: 0 }
    await transact((tx) => recordAttempt(tx, claimed, outcome, at))
    const { ok, statusCode, error, durationMs, responseBody } = outcome
    return { ok, deliveryId: claimed.id, statusCode, error, durationMs, responseBody }
  }
}

/** A delivery with its log. Throws 404. */
async function detailOf(db: Db, key: DeliveryKey): Promise<Static<typeof DeliveryDetail>> {
  const delivery = await findDelivery(db, key)
  if (!delivery) throw notFound('Webhook delivery')
  const log = await listAttempts(db, key)
  return {
    ...deliveryView(delivery),
    requestBody: delivery.body,
    log: log.map(({ id, startedAt, statusCode, error, durationMs, responseBody }) => ({
      ...{ id, startedAt, statusCode, error, durationMs, responseBody },
    })),
  }
}
