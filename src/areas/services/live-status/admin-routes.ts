import { notFound } from '#lib/problem.ts'
import { IdParams, NoBody } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { adminServiceOf } from '../admin-view.ts'
import { findServiceView, type ServiceKey, type ServiceView } from '../queries.ts'
import { reinstallServer } from '../reinstalls/order.ts'
import { AdminService } from '../schema.ts'
import { onServer, switchPower } from './power.ts'
import { LiveStatus, PowerAction } from './schema.ts'
import { statusOnPanel } from './status.ts'

const tags = ['Admin - Operations']
const idOf = (params: unknown) => (params as { id: string }).id

async function existing(db: Db, key: ServiceKey): Promise<ServiceView> {
  const service = await findServiceView(db, key)
  if (!service) throw notFound('Service')
  return service
}

/** The live status of a customer's server, and its power actions, for staff. */
export const adminLiveRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/services/:id/status',
    config: { access: 'admin', permission: 'services:read' },
    schema: {
      tags,
      summary: 'Get the live status of a service from its panel',
      params: IdParams,
      response: { 200: LiveStatus, ...problems(404) },
    },
    async handler({ db, tenantId, params: { id } }) {
      return statusOnPanel(deps, db, await existing(db, { tenantId, id }))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/services/:id/power',
    config: {
      ...{ access: 'admin', permission: 'services:power' },
      exists: ({ db, tenantId, params }) => existing(db, { tenantId, id: idOf(params) }),
    },
    schema: {
      tags,
      summary: 'Start, stop, restart or kill the server of a service',
      description:
        'Waits for the panel. 409 `service_not_active`, 502 or 504 where the panel fails or the outcome is unknown.',
      params: IdParams,
      body: PowerAction,
      response: { 200: AdminService, ...problems(404, 409, 502) },
    },
    async handler({ db, tenantId, params: { id }, body: { action }, now, transact }) {
      const key = { tenantId, id }
      await switchPower(deps, { db, transact }, await existing(db, key), action)
      return adminServiceOf(db, key, now)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/services/:id/reinstall',
    config: {
      ...{ access: 'admin', permission: 'services:write' },
      exists: ({ db, tenantId, params }) => existing(db, { tenantId, id: idOf(params) }),
    },
    schema: {
      tags,
      summary: 'Reinstall the server of a service for its customer; its files may be overwritten',
      description:
        'A job starts it; the server is unavailable meanwhile. 409 `service_not_active` and `service_busy`.',
      params: IdParams,
      body: NoBody,
      response: { 200: AdminService, ...problems(404, 409, 502) },
    },
    async handler({ db, tenantId, params: { id }, now, transact }) {
      const key = { tenantId, id }
      await onServer(deps, db, await existing(db, key), (client, { id: serverId }) =>
        reinstallServer({ transact, clock: deps.clock }, client, {
          ...{ tenantId, serviceId: id, serverId },
        }),
      )
      return adminServiceOf(db, key, now)
    },
  })
}
