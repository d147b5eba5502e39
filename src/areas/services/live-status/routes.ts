import type { Caller } from '#lib/caller.ts'
import { forbidden, notFound } from '#lib/problem.ts'
import { IdParams, NoBody, Page } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { findServiceOf, findServicesOf, listServicesOf, type ServiceView } from '../queries.ts'
import { reinstallServer } from '../reinstalls/order.ts'
import { viewOf } from '../rules.ts'
import { type MemberPermission, Service } from '../schema.ts'
import { onServer, switchPower } from './power.ts'
import { LiveStatus, MOST, PowerAction, ServiceLiveStatus, StatusQuery } from './schema.ts'
import { statusOnPanel } from './status.ts'

const tags = ['Services']
const idOf = (params: unknown) => (params as { id: string }).id

/** A service of the caller, own or shared, on which they have the permission. Throws 404 and 403. */
export async function allowed(
  db: Db,
  caller: Caller,
  id: string,
  permission: MemberPermission,
): Promise<ServiceView> {
  const service = await findServiceOf(db, caller, id)
  if (!service) throw notFound('Service')
  if (service.role !== 'owner' && !service.permissions.includes(permission)) {
    throw forbidden('This service is shared with you without that permission.')
  }
  return service
}

/** The live status of a server, and the power actions of its users. */
export const liveRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/services/status',
    config: { access: 'user' },
    schema: {
      tags,
      operationId: 'services.statuses.list',
      summary: 'Get the live status of several services',
      description: 'Services that are not mine are left out.',
      querystring: StatusQuery,
      response: { 200: Page(ServiceLiveStatus), ...problems() },
    },
    async handler({ db, caller, query: { ids } }) {
      const services = ids
        ? await findServicesOf(db, caller, ids.split(','))
        : (await listServicesOf(db, caller, { limit: MOST })).data
      const data = await Promise.all(
        services.map(async (service) => ({
          ...{ id: service.id, live: await statusOnPanel(deps, db, service) },
        })),
      )
      return { data, nextCursor: null }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/services/:id/status',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Get the live status of a service from its panel',
      params: IdParams,
      response: { 200: LiveStatus, ...problems(404) },
    },
    async handler({ db, caller, params: { id } }) {
      return statusOnPanel(deps, db, await allowed(db, caller, id, 'view'))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/services/:id/power',
    config: {
      access: 'user',
      exists: ({ db, caller, params }) => allowed(db, caller, idOf(params), 'power'),
    },
    schema: {
      tags,
      summary: 'Start, stop or restart the server of a service, or end it by force',
      description:
        'For the owner and members with `power`. Waits for the panel. 409 `service_not_active`, 502 or 504 where the panel fails or the outcome is unknown.',
      params: IdParams,
      body: PowerAction,
      response: { 200: Service, ...problems(403, 404, 409, 502) },
    },
    async handler({ db, caller, params: { id }, body: { action }, transact }) {
      const service = await allowed(db, caller, id, 'power')
      await switchPower(deps, { db, transact }, service, action)
      return viewOf(service)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/services/:id/reinstall',
    config: {
      access: 'user',
      exists: ({ db, caller, params }) => allowed(db, caller, idOf(params), 'settings'),
    },
    schema: {
      tags,
      summary: 'Reinstall the server of a service; its files may be overwritten',
      description:
        'For the owner and members with `settings`. A job starts it; the server is unavailable meanwhile. 409 `service_not_active` and `service_busy`.',
      params: IdParams,
      body: NoBody,
      response: { 200: Service, ...problems(403, 404, 409, 502) },
    },
    async handler({ db, caller, params: { id }, transact }) {
      const service = await allowed(db, caller, id, 'settings')
      const { tenantId } = caller
      await onServer(deps, db, service, (client, { id: serverId }) =>
        reinstallServer({ transact, clock: deps.clock }, client, {
          ...{ tenantId, serviceId: id, serverId },
        }),
      )
      return viewOf(service)
    },
  })
}
