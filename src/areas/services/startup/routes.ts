import { IdParams } from '#lib/schema.ts'
import { findEgg } from '#panel'
import { problems, type Routes } from '#platform/http/index.ts'
import { findProduct } from '#store'
import { allowed } from '../live/routes.ts'
import { findStartupChange } from './queries.ts'
import { startupOf } from './rules.ts'
import { Startup } from './schema.ts'
import { serverOnPanel } from './seen.ts'

/** How a server starts. It is changed together with the other words of its service. */
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
      const service = await allowed(db, caller, id, 'settings')
      const { tenantId, productId } = service
      const product = await findProduct(db, { tenantId, id: productId })
      const provisioning = product?.provisioning ?? null
      const egg = provisioning ? await findEgg(db, { tenantId, id: provisioning.eggId }) : undefined
      const change = await findStartupChange(db, { tenantId, serviceId: id })
      const server = await serverOnPanel(deps, db, service)
      return startupOf({ egg, provisioning, service, server, change })
    },
  })
}
