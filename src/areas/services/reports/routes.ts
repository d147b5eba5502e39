import { notFound } from '#lib/problem.ts'
import { IdParams, Page, PageQuery } from '#lib/schema.ts'
import { findReport, listActivity } from '#panel'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { findOwnService, findService, findServiceOf, type ServiceRow } from '../queries.ts'
import { ActivityEntry, ServerReport } from './schema.ts'

const UNHEARD = {
  ...{ state: null, stateAt: null, startedAt: null, crashedAt: null, interruptedAt: null },
  ...{ installStartedAt: null, installEndedAt: null, installSuccessful: null },
}

const reading = { access: 'admin', permission: 'services:read' } as const

type Place = Pick<ServiceRow, 'tenantId' | 'nodeId' | 'serverUuid'>

/** The latest report of the daemon about a service's server; all fields are null if there is none. */
async function reportOf(db: Db, service: Place | undefined) {
  if (!service) throw notFound('Service')
  const { tenantId, nodeId, serverUuid } = service
  if (!nodeId || !serverUuid) return UNHEARD
  return (await findReport(db, { tenantId, nodeId, serverUuid })) ?? UNHEARD
}

function activityOf(db: Db, service: Place | undefined, page: PageQuery) {
  if (!service) throw notFound('Service')
  const { tenantId, serverUuid } = service
  if (!serverUuid) return { data: [], nextCursor: null }
  return listActivity(db, { tenantId, serverUuid }, page)
}

/** The reports of daemons about the servers of services. */
export const reportRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/services/:id/report',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags: ['Services'],
      summary: 'Get the last report of a service’s machine: started, crashed, installed',
      params: IdParams,
      response: { 200: ServerReport, ...problems(404) },
    },
    handler: async ({ db, caller, params: { id } }) =>
      reportOf(db, await findServiceOf(db, caller, id)),
  })

  app.route({
    method: 'GET',
    url: '/v1/services/:id/activity',
    config: { access: 'user' },
    schema: {
      tags: ['Services'],
      summary:
        'List the activity on the server of a service of mine in the last 30 days, newest first',
      params: IdParams,
      querystring: PageQuery,
      response: { 200: Page(ActivityEntry), ...problems(404) },
    },
    handler: async ({ db, caller, params: { id }, query }) =>
      activityOf(db, await findOwnService(db, caller, id), query),
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/services/:id/report',
    config: reading,
    schema: {
      tags: ['Admin - Operations'],
      summary: 'Get the last report of a service’s machine',
      params: IdParams,
      response: { 200: ServerReport, ...problems(404) },
    },
    handler: async ({ db, tenantId, params: { id } }) =>
      reportOf(db, await findService(db, { tenantId, id })),
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/services/:id/activity',
    config: reading,
    schema: {
      tags: ['Admin - Operations'],
      summary: 'List the activity on the server of a service in the last 30 days, newest first',
      params: IdParams,
      querystring: PageQuery,
      response: { 200: Page(ActivityEntry), ...problems(404) },
    },
    handler: async ({ db, tenantId, params: { id }, query }) =>
      activityOf(db, await findService(db, { tenantId, id }), query),
  })
}
