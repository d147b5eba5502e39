import { Type } from 'typebox'
import { badRequest, notFound } from '#lib/problem.ts'
import { Id } from '#lib/schema.ts'
import { instant } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { connect } from '../gateways/connection.ts'
import { GatewayError } from '../gateways/error.ts'
import { findGatewayAnywhere } from '../gateways/queries.ts'
import { receiveEvents } from './jobs.ts'

const tags: Tag[] = ['Billing']
const LARGEST_BYTES = 1024 * 1024

/** In a scope of its own: a signature covers the received bytes, so the body stays unparsed. */
export const webhookRoutes: Routes = async (app, deps) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: LARGEST_BYTES },
    (_request, body, done) => done(null, body),
  )

  app.route({
    method: 'POST',
    url: '/v1/billing/webhooks/:gatewayId',
    bodyLimit: LARGEST_BYTES,
    config: {
      access: 'public',
      openQuery: true,
      credential: 'provider',
      uncounted: true,
      whileSuspended: true,
    },
    schema: {
      tags,
      operationId: 'billing.webhooks.receive',
      summary: 'Receive a webhook of a payment provider',
      description:
        'The signature is checked over the raw body, the event is stored, and then answered; unknown events are ignored. 400 for a wrong signature. For payment providers only.',
      params: Type.Object({ gatewayId: Id }),
      body: Type.Unsafe<unknown>({ description: 'As the provider signed it' }),
      response: { 200: Type.Object({ received: Type.Boolean() }) },
    },
    async handler({ params: { gatewayId }, body, headers, query, ip, now, log, db: ours }) {
      // Usually the gateway belongs to the shop of this host name, whose connections are available.
      const row =
        (await findGatewayAnywhere(ours, gatewayId)) ??
        (await findGatewayAnywhere(deps.database.everywhere, gatewayId))
      if (!row?.enabled || row.archivedAt !== null) throw notFound('Gateway')
      const { driver, context } = await connect(deps, row)
      const request = {
        headers: plainHeaders(headers),
        body: body instanceof Uint8Array ? body : new Uint8Array(),
        query: plainQuery(query),
        receivedAt: instant(Date.now()),
        remoteAddress: ip,
      }
      try {
        const envelopes = await driver.receiveWebhook(context, request)
        const key = { tenantId: row.tenantId, gatewayId: row.id }
        const db = deps.database.of(row.tenantId)
        await transact(db, (tx) => receiveEvents(tx, key, envelopes, now))
        return { received: true }
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
        deps.metrics.refusals.inc({ reason: 'webhook' })
        log.debug({ gatewayId: row.id, kind: error.kind }, 'webhook refused')
        if (error.kind === 'not_found' || error.kind === 'unsupported') throw notFound('Gateway')
        throw badRequest('This message is not authentic.')
      }
    },
  })
}

function plainQuery(query: unknown): Record<string, string> {
  const given = Object.entries((query ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    given.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  ) as Record<string, string>
}

function plainHeaders(headers: Record<string, string | string[] | undefined>) {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(',') : value]],
    ),
  ) as Record<string, string>
}
