import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, Page, PageQuery } from '#lib/schema.ts'
import type { Instant } from '#lib/time.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { countAffectedCustomers } from '../notices/queries.ts'
import { publishIncident } from '../updates/actions.ts'
import { Publication } from '../updates/schema.ts'
import { changeIncident, createIncident, deleteDraft } from './actions.ts'
import { findIncident, type IncidentKey, listIncidents } from './queries.ts'
import { type IncidentRow, statusOf } from './rules.ts'
import { Audience, Incident, IncidentChange, IncidentQuery, NewIncident } from './schema.ts'

const tags: Tag[] = ['Admin - Incidents']
const url = '/v1/admin/incidents'
const reading = { access: 'admin', permission: 'incidents:read' } as const
const writing = { access: 'admin', permission: 'incidents:write' } as const

function keyOf({ tenantId, params }: FastifyRequest): IncidentKey {
  return { tenantId, id: (params as { id: string }).id }
}

function viewOf(incident: IncidentRow, now: Instant) {
  return { ...incident, status: statusOf(incident, now) }
}

async function found(request: FastifyRequest): Promise<IncidentRow> {
  const incident = await findIncident(request.db, keyOf(request))
  if (!incident) throw notFound('Incident')
  return incident
}

/** What staff do with incidents and planned maintenance, besides writing updates. */
export const incidentRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: reading,
    schema: {
      tags,
      summary: 'List incidents and maintenance, newest first',
      querystring: Type.Object({ ...PageQuery.properties, ...IncidentQuery }),
      response: { 200: Page(Incident) },
    },
    async handler({ db, tenantId, query, now }) {
      const { data, nextCursor } = await listIncidents(db, { tenantId, ...query }, now)
      return { data: data.map((it) => viewOf(it, now)), nextCursor }
    },
  })

  app.route({
    method: 'POST',
    url,
    config: writing,
    schema: {
      tags,
      summary: 'Add an incident or planned maintenance as a draft',
      description: 'Only staff see it until it is published.',
      body: NewIncident,
      response: { 201: Incident },
    },
    async handler({ body, caller, now, transact }, reply) {
      reply.code(201)
      return transact(async (tx) => viewOf(await createIncident(tx, caller, body, now), now))
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:id`,
    config: reading,
    schema: {
      tags,
      summary: 'Get an incident or maintenance',
      params: IdParams,
      response: { 200: Incident },
    },
    handler: async (request) => viewOf(await found(request), request.now),
  })

  app.route({
    method: 'PATCH',
    url: `${url}/:id`,
    config: { ...writing, exists: (request) => findIncident(request.db, keyOf(request)) },
    schema: {
      tags,
      summary: 'Change an incident or maintenance that is not over',
      description:
        'Customers whom a published one affects only now are notified of its first update, if the others were. Other changes send no notices: write an update. 409 `incident_over`.',
      params: IdParams,
      body: IncidentChange,
      response: { 200: Incident, ...problems(404, 409) },
    },
    handler: (request) =>
      request.transact(async (tx) =>
        viewOf(await changeIncident(tx, keyOf(request), request.body, request.now), request.now),
      ),
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:id`,
    config: writing,
    schema: {
      tags,
      summary: 'Delete a draft',
      description: '409 `incident_published` once it is published.',
      params: IdParams,
      response: { 200: Deleted, ...problems(404, 409) },
    },
    handler: (request) => request.transact((tx) => deleteDraft(tx, keyOf(request))),
  })

  app.route({
    method: 'GET',
    url: `${url}/:id/audience`,
    config: reading,
    schema: {
      tags,
      summary: 'Count the customers whom an incident or maintenance affects',
      params: IdParams,
      response: { 200: Audience },
    },
    async handler(request) {
      const incident = await found(request)
      const { db, tenantId } = request
      return { customers: await countAffectedCustomers(db, tenantId, incident) }
    },
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/publish`,
    config: { ...writing, exists: (request) => findIncident(request.db, keyOf(request)) },
    schema: {
      tags,
      summary: 'Publish an incident or maintenance with its first update',
      description:
        'The customers whom it affects at this moment are notified once each, unless `notify` is false. 409 `incident_published`; 422 `maintenance_soon` for maintenance that begins within 24 hours and is not urgent, `maintenance_past` once it has ended.',
      params: IdParams,
      body: Publication,
      response: { 200: Incident, ...problems(404, 409, 422) },
    },
    handler: (request) =>
      request.transact(async (tx) => {
        const { caller, body, now } = request
        return viewOf(await publishIncident(tx, caller, keyOf(request), body, now), now)
      }),
  })
}
