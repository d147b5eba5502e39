import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { conflict, forbidden, notFound } from '#lib/problem.ts'
import { IdParams, NoBody } from '#lib/schema.ts'
import { clientOf, outcomeOf, type PanelClient, PanelError } from '#panel'
import type { Db } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { findServiceOf, type ServiceView } from '../queries.ts'
import { dropReinstall, noteReinstall, watchReinstall } from '../reinstalls/actions.ts'
import { assertActive, viewOf } from '../rules.ts'
import { type MemberPermission, Service } from '../schema.ts'
import { panelProblem } from './problems.ts'
import { LiveStatus, PowerAction } from './schema.ts'
import { forgetStatus, statusOnPanel } from './status.ts'

const tags = ['Services']
const idOf = (params: unknown) => (params as { id: string }).id

/** A service of the caller's, own or shared, with a permission on it. Throws 404 and 403. */
async function allowed(
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

/** Does something with the server of an active service. Throws 409 and 502. */
async function onServer(
  deps: Deps,
  db: Db,
  service: ServiceView,
  work: (client: PanelClient, server: { id: number; uuid: string }) => Promise<void>,
): Promise<void> {
  assertActive(service)
  const { tenantId, nodeId, serverId: id, serverUuid: uuid } = service
  if (!nodeId || id === null || !uuid) {
    throw conflict('This service has no server on a connected panel.', 'unmanaged')
  }
  try {
    await work(await clientOf(deps, db, { tenantId, nodeId }), { id, uuid })
  } catch (error) {
    if (!(error instanceof PanelError)) throw error
    throw panelProblem(error)
  }
  forgetStatus(deps, service)
}

/** What a server does, and what its people make it do. */
export const liveRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/services/:id/status',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'What the server of a service does right now, as its panel says',
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
      params: IdParams,
      body: PowerAction,
      response: { 200: Service, ...problems(403, 404, 409, 502) },
    },
    async handler({ db, caller, params: { id }, body: { action } }) {
      const service = await allowed(db, caller, id, 'power')
      await onServer(deps, db, service, (client, { uuid }) => client.power(uuid, action))
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
      summary: 'Install the server of a service anew; what its people made may be overwritten',
      params: IdParams,
      body: NoBody,
      response: { 200: Service, ...problems(403, 404, 409, 502) },
    },
    async handler({ db, caller, params: { id }, now, transact }) {
      const service = await allowed(db, caller, id, 'settings')
      const key = { tenantId: caller.tenantId, serviceId: id, id: newId() }
      await onServer(deps, db, service, async (client, server) => {
        await transact((tx) => noteReinstall(tx, key, now))
        const outcome = await outcomeOf(client.reinstall(server.id))
        const refused = outcome instanceof PanelError && outcome.kind !== 'unknown_outcome'
        const at = deps.clock.now()
        await transact((tx) => (refused ? dropReinstall(tx, key) : watchReinstall(tx, key, at)))
        if (outcome instanceof PanelError) throw outcome
      })
      return viewOf(service)
    },
  })
}
