import type { FastifyContextConfig, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { Problem } from '#lib/problem.ts'
import { problemLanguage } from '#lib/problem-messages/index.ts'
import type { Deps } from '#platform/deps.ts'
import type { App } from '#platform/http/index.ts'
import type { PageDocument } from '#platform/pages/document.ts'
import { readForms, refusedForm } from '#platform/pages/form.ts'
import { assertSameOrigin } from '#platform/pages/origin.ts'
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
    // Without a shop there is no look to answer in.
    if (status === null || !request.scope?.tenantId) throw error
    if (error instanceof Problem) reply.headers(error.headers)
    if (status === 404) return missing(request, reply)
    const visit = await visitOf(request, reply)
    const closed = (error as { code?: string }).code === 'shop_suspended'
    const page = closed
      ? closedPage(visit)
      : ((await againPage(visit, request, status)) ?? faultPage(visit, messageOf(error, visit)))
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

/** The message of the page for an error, in its language; null if the error has no text for people. */
function messageOf(error: unknown, { look }: Visit): string | null {
  if (error instanceof Problem) return error.messageIn(problemLanguage(look.locale))
  return error instanceof Error ? error.message : null
}

/** The form that a busy service or a used up quota has refused, to submit again; null for anything else. */
async function againPage(
  visit: Visit,
  request: FastifyRequest,
  status: number,
): Promise<PageDocument | null> {
  if (request.method !== 'POST' || (status !== 429 && status !== 503)) return null
  try {
    assertSameOrigin(request)
  } catch {
    // Another site filled it in.
    return null
  }
  const fields = await refusedForm(request)
  const lead = status === 429 ? visit.texts.account.tooMany : visit.texts.problem.lead
  return fields && retryPage(visit, { lead, action: visit.path, fields })
}

/** The status of a refusal of ours; null for an unexpected error. */
function statusOf(error: unknown): number | null {
  if (error instanceof Refusal) return error.status
  if (error instanceof Problem && error.statusCode < 500) return error.statusCode
  if (error instanceof Problem && error.statusCode === 503) return 503
  return null
}
