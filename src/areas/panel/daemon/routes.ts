import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '#platform/deps.ts'
import { answerErrors } from '#platform/http/errors.ts'
import { type App, problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { ENDPOINTS, REMOTE } from './endpoints.ts'
import { hear } from './hearing.ts'
import { countLoad, type Load } from './load.ts'
import { daemonBody } from './problems.ts'

const tags: Tag[] = ['Panel']
/** Daemons never try again after a 429: they have a limit of their own, which answers 503. */
const config = { access: 'daemon', uncounted: true } as const
const url = `/v1/panel${REMOTE}`

const Uuid = Type.String({ format: 'uuid-any', description: "The panel's" })
const AsThePanel = Type.Unsafe<never>({ description: 'Panel answer' })
const Said = Type.Unsafe<never>({ description: 'Daemon protocol' })

/**
 * Requests of the daemons of game machines. In a scope of its own: bodies are passed unparsed, and
 * errors have the form that daemons read.
 */
export const daemonRoutes: Routes = (app, deps) => {
  const load = countLoad()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  // Bodies are validated by the panel.
  app.setValidatorCompiler(() => () => true)
  answerErrors(app, deps, daemonBody)
  addRoutes(app, deps, load)
}

function addRoutes(app: App, deps: Deps, load: Load): void {
  async function handler(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const leave = load.enter(request.caller.credentialId)
    // Counts as being handled until the answer has been sent completely.
    reply.raw.once('close', leave)
    await hear({ deps, request, reply })
  }
  for (const { method, path, summary, operationId } of ENDPOINTS) {
    app.route({
      ...{ method, url: `${url}${path}`, config },
      schema: {
        ...{ tags, summary, ...(operationId && { operationId }) },
        ...(path.includes(':uuid') && { params: Type.Object({ uuid: Uuid }) }),
        ...(method === 'POST' && { body: Said }),
        response: { 200: AsThePanel, 204: Type.Null(), ...problems(400, 404, 409, 422, 502, 504) },
      },
      handler,
    })
  }

  // Paths with repeated slashes, and requests of future daemons.
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/v1/panel/*',
    config: { ...config, hidden: true },
    handler,
  })
}
