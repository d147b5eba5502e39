import { IdParams } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { allowed } from '../live/routes.ts'
import { connectionOf } from './panel.ts'
import { ServerConnection } from './schema.ts'

/** How the server of a service is reached. */
export const connectionRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/services/:id/connection',
    config: { access: 'user' },
    schema: {
      tags: ['Services'],
      summary: 'How the server of a service is reached: its ports, its location, its SFTP address',
      params: IdParams,
      response: { 200: ServerConnection, ...problems(404) },
    },
    async handler({ db, caller, params: { id } }) {
      return connectionOf(deps, db, await allowed(db, caller, id, 'view'), caller)
    },
  })
}
