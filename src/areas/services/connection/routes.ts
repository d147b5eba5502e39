import { notFound } from '#lib/problem.ts'
import { IdParams } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { assertMayChangeCredentials, NEEDS_PROOF, Proof } from '#users'
import { allowed } from '../live-status/routes.ts'
import { findServiceOf } from '../queries.ts'
import { connectionOf } from './panel.ts'
import { renewPanelPassword } from './password.ts'
import { PanelSignIn, ServerConnection } from './schema.ts'

/** How the server of a service is reached. */
export const connectionRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/services/:id/connection',
    config: { access: 'user' },
    schema: {
      tags: ['Services'],
      summary: 'Get the connection details of a server: its ports, location and SFTP address',
      params: IdParams,
      response: { 200: ServerConnection, ...problems(404) },
    },
    async handler({ db, caller, params: { id } }) {
      return connectionOf(deps, db, await allowed(db, caller, id, 'view'), caller)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/services/:id/panel-password',
    config: { access: 'user', quota: 'auth', secretAnswer: true },
    schema: {
      tags: ['Services'],
      summary: 'Set a new random password for the account on the game panel, shown this once',
      description: `For the owner of a service whose panel account was created by this service. ${NEEDS_PROOF}`,
      params: IdParams,
      body: Proof,
      response: { 200: PanelSignIn, ...problems(404, 409, 502) },
    },
    async handler(request) {
      const { db, caller, params, body } = request
      const service = await findServiceOf(db, caller, params.id)
      if (service?.role !== 'owner') throw notFound('Service')
      await assertMayChangeCredentials(request, deps.secrets, body)
      return renewPanelPassword(deps, db, service, caller)
    },
  })
}
