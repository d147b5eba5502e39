import type { FastifyContextConfig, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { Problem } from '#lib/problem.ts'
import { problemLanguage } from '#lib/problem-messages/index.ts'
import { isDatabaseAway } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import type { App } from '#platform/http/index.ts'
import { loggedPath } from '#platform/http/logged-path.ts'
import type { PageDocument } from '#platform/pages/document.ts'
import { readForms, refusedForm } from '#platform/pages/form.ts'
import { assertSameOrigin } from '#platform/pages/origin.ts'
import { awayVisit } from './away.ts'
import { closedPage, faultPage, retryPage } from './parts/problems.ts'
import { sharedPages } from './shared-pages.ts'
import { Refusal, sendPage, type Visit, visitsOf } from './visit.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
type AddPage = (
  method: 'GET' | 'POST',
  url: string,
  handler: Handler,
  schema?: FastifySchema,
  more?: FastifyContextConfig,
) => void

/**
 * Adds pages to the application. Forms are accepted only from our own origin, and errors are shown as a page
 * in the shop's look, never as JSON.
 */
export function guarded(app: App, deps: Deps, config: FastifyContextConfig): AddPage {
  const visitOf = visitsOf(app, deps)
  const { missing } = sharedPages(app, deps)
  readForms(app)
  app.setErrorHandler(async (error, request, reply) => {
    const status = statusOf(error)
    if (status === null || !request.scope) throw error
    // A shop that does not exist has no look to answer in.
    if (status < 500 && !request.scope.tenantId) throw error
    if (!isRefusal(error)) {
      const facts = { err: error, requestId: request.id, path: loggedPath(request) }
      deps.log.error(facts, 'request failed')
    }
    if (error instanceof Problem) reply.headers(error.headers)
    if (status === 404) return missing(request, reply)
    const visit = await shownVisit(request, reply)
    const closed = (error as { code?: string }).code === 'shop_suspended'
    const page = closed
      ? closedPage(visit)
      : ((await againPage(visit, request, status)) ?? faultPage(visit, messageOf(error, visit)))
    return sendPage(request, reply.code(status), page)
  })
  /** The visit; one without the look of the shop if that cannot be read. */
  async function shownVisit(request: FastifyRequest, reply: FastifyReply): Promise<Visit> {
    if (!request.scope.tenantId) return awayVisit(request)
    return visitOf(request, reply).catch(() => awayVisit(request))
  }
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

/** The message of the page for an error, in its language; null if the error has no text for people. */
function messageOf(error: unknown, { look }: Visit): string | null {
  if (error instanceof Problem) return error.messageIn(problemLanguage(look.locale))
  return error instanceof Refusal && error.status < 500 ? error.message : null
}

/**
 * The form that a service without its database, a busy one or a used up quota has refused, to submit again; null for
 * anything else.
 */
async function againPage(
  visit: Visit,
  request: FastifyRequest,
  status: number,
): Promise<PageDocument | null> {
  if (request.method !== 'POST' || (status !== 429 && status < 500)) return null
  try {
    assertSameOrigin(request)
  } catch {
    // Another site filled it in.
    return null
  }
  const fields = await refusedForm(request)
  const lead = status === 429 ? visit.texts.account.tooMany : visit.texts.problem.kept
  return fields && retryPage(visit, { lead, action: visit.path, fields })
}

/** Whether the service refused the request on purpose, or a call for it, which has logged why. */
function isRefusal(error: unknown): boolean {
  if (error instanceof Refusal) return true
  return error instanceof Problem && (error.statusCode < 500 || error.statusCode === 503)
}

/** The status of the page for an error; null if the request itself is malformed. */
function statusOf(error: unknown): number | null {
  if (error instanceof Refusal) return error.status
  if (error instanceof Problem) return error.statusCode
  if (isDatabaseAway(error)) return 503
  const { statusCode = 500 } = error as { statusCode?: number }
  return statusCode < 500 ? null : 500
}
