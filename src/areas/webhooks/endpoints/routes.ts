import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { assertUsable } from '#platform/webhooks/address.ts'
import { changeEndpoint, createEndpoint, removeEndpoint, rotateSecret } from './actions.ts'
import { findEndpoint, listEndpoints } from './queries.ts'
import { endpointView } from './rules.ts'
import { Endpoint, EndpointChange, NewEndpoint, Rotation } from './schema.ts'

const tags: Tag[] = ['Admin - Operations']
const url = '/v1/admin/webhook-endpoints'
const read = { access: 'admin', permission: 'webhooks:read' } as const
const write = { access: 'admin', permission: 'webhooks:write' } as const

/** Routes for administrators to manage the addresses to which messages are sent. */
export const endpointRoutes: Routes = (app, { secrets, outbound }) => {
  const clientOf = (tenantId: string) => outbound.for({ tenantId, purpose: 'webhook' })

  app.route({
    method: 'GET',
    url,
    config: read,
    schema: {
      tags,
      summary: 'List webhook endpoints, newest first',
      querystring: PageQuery,
      response: { 200: Page(Endpoint) },
    },
    async handler({ query, tenantId, db, now }) {
      const page = await listEndpoints(db, tenantId, query)
      return { ...page, data: page.data.map((row) => endpointView(row, now)) }
    },
  })

  app.route({
    method: 'POST',
    url,
    config: { ...write, secretAnswer: true },
    schema: {
      tags,
      summary: 'Add a webhook endpoint; its secret is shown this once',
      description:
        'Events are sent from now on, signed as Standard Webhooks describes. 422 `address_not_allowed` for a private address that the operator has not opened.',
      body: NewEndpoint,
      response: { 201: Endpoint, ...problems(422) },
    },
    async handler({ body, tenantId, now, transact }, reply) {
      await assertUsable(body.url, clientOf(tenantId))
      reply.code(201)
      return transact((tx) => createEndpoint(tx, { tenantId, secrets }, body, now))
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:id`,
    config: read,
    schema: {
      tags,
      summary: 'Get a webhook endpoint; its secret is masked',
      params: IdParams,
      response: { 200: Endpoint },
    },
    async handler({ params, tenantId, db, now }) {
      const endpoint = await findEndpoint(db, { tenantId, ...params })
      if (!endpoint) throw notFound('Webhook endpoint')
      return endpointView(endpoint, now)
    },
  })

  app.route({
    method: 'PATCH',
    url: `${url}/:id`,
    config: { ...write, exists: endpointIn },
    schema: {
      tags,
      summary: 'Change a webhook endpoint, switch it on or off',
      description:
        'Switched on again, it gets the events that waited meanwhile. 422 `address_not_allowed`.',
      params: IdParams,
      body: EndpointChange,
      response: { 200: Endpoint, ...problems(422) },
    },
    async handler({ params, body, tenantId, now, transact }) {
      if (body.url !== undefined) await assertUsable(body.url, clientOf(tenantId))
      return transact((tx) => changeEndpoint(tx, { tenantId, ...params }, body, now))
    },
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:id`,
    config: write,
    schema: {
      tags,
      summary: 'Delete a webhook endpoint and its deliveries',
      params: IdParams,
      response: { 200: Deleted },
    },
    handler: ({ params, tenantId, now, transact }) =>
      transact((tx) => removeEndpoint(tx, { tenantId, ...params }, now)),
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/rotate-secret`,
    config: { ...write, secretAnswer: true, exists: endpointIn },
    schema: {
      tags,
      summary:
        'Rotate the secret of a webhook endpoint, shown only once; the old one keeps signing for the overlap',
      description: 'The old one also signs for a day, or for the requested overlap.',
      params: IdParams,
      body: Rotation,
      response: { 200: Endpoint },
    },
    handler: ({ params, body, tenantId, now, transact }) =>
      transact((tx) => rotateSecret(tx, { tenantId, ...params, secrets }, body, now)),
  })
}

/** The endpoint in the path, if it exists. */
export function endpointIn({ db, tenantId, params }: FastifyRequest) {
  return findEndpoint(db, { tenantId, ...(params as Static<typeof IdParams>) })
}
