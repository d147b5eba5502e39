import type { FastifyContextConfig, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { Problem } from '#lib/problem.ts'
import type { Deps } from '#platform/deps.ts'
import type { App } from '#platform/http/index.ts'
import { readForms } from '#platform/pages/form.ts'
import { assertSameOrigin } from '#platform/pages/origin.ts'
import { missingPage } from './catalogue/missing.ts'
import { closedPage, faultPage } from './parts/problems.ts'
import { Refusal, sendPage, visitsOf } from './visit.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
type AddPage = (
  method: 'GET' | 'POST',
  url: string,
  handler: Handler,
  schema?: FastifySchema,
  more?: FastifyContextConfig,
) => void

/**
 * Adds pages to the application. Forms count from our own origin only, and what goes wrong is answered by
 * a page in the shop's look, never by JSON.
 */
export function guarded(app: App, deps: Deps, config: FastifyContextConfig): AddPage {
  const visitOf = visitsOf(app, deps)
  readForms(app)
  app.setErrorHandler(async (error, request, reply) => {
    const status = statusOf(error)
    // Without a shop there is no look to answer in.
    if (status === null || !request.scope?.tenantId) throw error
    const visit = await visitOf(request, reply)
    if (error instanceof Problem) reply.headers(error.headers)
    const closed = (error as { code?: string }).code === 'shop_suspended'
    const page =
      status === 404
        ? await missingPage(visit)
        : closed
          ? closedPage(visit)
          : faultPage(visit, error instanceof Error ? error.message : null)
    return sendPage(request, reply.code(status), page)
  })
  return (method, url, handler, schema = {}, more = {}) => {
    app.route({
      ...{ method, url, config: { ...config, ...more }, schema },
      ...(method === 'POST' && {
        onRequest: async (request: FastifyRequest) => assertSameOrigin(request),
      }),
      handler,
    })
  }
}

/** What a refusal of ours is answered with; null for what was not foreseen. */
function statusOf(error: unknown): number | null {
  if (error instanceof Refusal) return error.status
  if (error instanceof Problem && error.statusCode < 500) return error.statusCode
  if (error instanceof Problem && error.statusCode === 503) return 503
  return null
}
