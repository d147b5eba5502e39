import type { FastifyRequest } from 'fastify'
import { notFound } from '#lib/problem.ts'
import { IdParams, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findIncident, type IncidentKey } from '../incidents/queries.ts'
import { updatePublished } from './actions.ts'
import { listUpdates, type UpdateRow } from './queries.ts'
import { IncidentUpdate, NewUpdate } from './schema.ts'

const tags: Tag[] = ['Admin - Incidents']
const url = '/v1/admin/incidents/:id/updates'

function keyOf({ tenantId, params }: FastifyRequest): IncidentKey {
  return { tenantId, id: (params as { id: string }).id }
}

function viewOf({ notify, notifiedCount: notified, finishedAt, ...update }: UpdateRow) {
  return { ...update, notify, notified, isNotifying: notify && finishedAt === null }
}

/** What staff say of an incident while it goes on. */
export const incidentUpdateRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: { access: 'admin', permission: 'incidents:read' },
    schema: {
      tags,
      summary: 'List the updates of an incident or maintenance, newest first',
      params: IdParams,
      querystring: PageQuery,
      response: { 200: Page(IncidentUpdate) },
    },
    async handler(request) {
      const key = keyOf(request)
      if (!(await findIncident(request.db, key))) throw notFound('Incident')
      const { data, nextCursor } = await listUpdates(request.db, key, request.query)
      return { data: data.map(viewOf), nextCursor }
    },
  })

  app.route({
    method: 'POST',
    url,
    config: {
      ...{ access: 'admin', permission: 'incidents:write' },
      exists: (request) => findIncident(request.db, keyOf(request)),
    },
    schema: {
      tags,
      summary: 'Write an update of a published incident or maintenance',
      description:
        '`resolved`, `completed` and `canceled` end it. With `notify`, the customers whom it affects at this moment are notified once each. 409 `incident_not_published`, `incident_over`.',
      params: IdParams,
      body: NewUpdate,
      response: { 201: IncidentUpdate, ...problems(404, 409) },
    },
    async handler(request, reply) {
      const { caller, body, now } = request
      const key = keyOf(request)
      reply.code(201)
      return request.transact(async (tx) =>
        viewOf(await updatePublished(tx, caller, key, body, now)),
      )
    },
  })
}
