import { notFound } from '#lib/problem.ts'
import { Body, IdParams } from '#lib/schema.ts'
import { findEgg } from '#panel'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { blueprintOf } from '../components/builds.ts'
import { allowed } from '../live-status/routes.ts'
import { findServiceView, lockService, type ServiceKey, type ServiceView } from '../queries.ts'
import { wishStartup } from './actions.ts'
import { serverOnPanel } from './last-seen.ts'
import { findStartupChange } from './queries.ts'
import { startupOf, type Wish } from './rules.ts'
import { Startup, StartupWish } from './schema.ts'

const Wished = Body(StartupWish)

/** How a server starts. Its users change it together with other fields of its service, staff on its own. */
export const startupRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/services/:id/startup',
    config: { access: 'user' },
    schema: {
      tags: ['Services'],
      summary: 'Get the start-up settings of a server: its variables, image and command',
      params: IdParams,
      response: { 200: Startup, ...problems(403, 404) },
    },
    async handler({ db, caller, params: { id } }) {
      return startupNow(db, await allowed(db, caller, id, 'settings'))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/services/:id/startup',
    config: { access: 'admin', permission: 'services:read' },
    schema: {
      tags: ['Admin - Operations'],
      summary: 'Get the start-up settings of the server of a customer',
      params: IdParams,
      response: { 200: Startup, ...problems(404) },
    },
    async handler({ db, tenantId, params: { id } }) {
      return startupNow(db, await existing(db, { tenantId, id }))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/services/:id/startup',
    config: {
      ...{ access: 'admin', permission: 'services:write' },
      exists: ({ db, tenantId, params }) =>
        existing(db, { tenantId, id: (params as { id: string }).id }),
    },
    schema: {
      tags: ['Admin - Operations'],
      summary: 'Change the start-up settings of the server of a customer, as its owner may',
      description:
        'Counts from the next start. 422 `environment_invalid` with the variables in `details`.',
      params: IdParams,
      body: Wished,
      response: { 200: Startup, ...problems(404, 409, 422) },
    },
    async handler({ db, tenantId, params: { id }, body, now, transact }) {
      const key = { tenantId, id }
      await transact(async (tx) => {
        const service = await lockService(tx, key)
        if (!service) throw notFound('Service')
        await wishStartup(tx, service, wishIn(body), now)
      })
      return startupNow(db, await existing(db, key))
    },
  })

  async function startupNow(db: Db, service: ServiceView): Promise<Startup> {
    const { tenantId, id: serviceId } = service
    const provisioning = (await blueprintOf(db, service))?.provisioning ?? null
    const egg = provisioning ? await findEgg(db, { tenantId, id: provisioning.eggId }) : undefined
    const change = await findStartupChange(db, { tenantId, serviceId })
    const server = await serverOnPanel(deps, db, service)
    return startupOf({ egg, provisioning, service, server, change })
  }
}

async function existing(db: Db, key: ServiceKey): Promise<ServiceView> {
  const service = await findServiceView(db, key)
  if (!service) throw notFound('Service')
  return service
}

/** The start-up request in a body, without the fields that are left out. */
export function wishIn({
  environment,
  dockerImage,
  startup,
}: { [Field in keyof Wish]?: Wish[Field] | undefined }): Wish {
  return {
    ...(environment && { environment }),
    ...(dockerImage && { dockerImage }),
    ...(startup && { startup }),
  }
}
