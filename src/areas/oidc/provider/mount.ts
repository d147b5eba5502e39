import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { badRequest, Problem } from '#lib/problem.ts'
import { sendFile } from '#platform/http/request.ts'
import type { PageDocument } from '#platform/pages/document.ts'
import { during } from './current.ts'
import { BASE } from './issuer.ts'
import { sendPage } from './pages.ts'
import type { TenantProvider } from './provider.ts'

/**
 * Lets the library answer a request, and sends its answer like all others: every hook
 * runs, so headers, quotas, audit and errors are those of the service. Throws what went wrong.
 */
export async function answerBy(
  { handle, outcomes }: TenantProvider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { raw } = request
  const { url = '' } = raw
  // The library decodes the URL itself, and would store a character that PostgreSQL cannot store.
  if (/%00/.test(url)) throw badRequest('The query holds text that cannot be used.')
  try {
    // The library computes its own base path from the difference of the two URLs.
    Object.assign(raw, { originalUrl: url, url: url.slice(BASE.length) })
    await during(request, async () => handle(raw, reply.raw))
  } finally {
    raw.url = url
  }
  const outcome = outcomes.get(raw)
  if (!outcome) throw new Error('The provider did not answer')
  if ('fault' in outcome) throw outcome.fault
  return sendAnswer(reply, outcome.ctx)
}

function sendAnswer(reply: FastifyReply, ctx: KoaContextWithOIDC): FastifyReply {
  const { status, body, type } = ctx
  reply.code(status)
  // They were set for the text that the library would have sent.
  reply.raw.removeHeader('content-length')
  reply.raw.removeHeader('content-type')
  const page = ctx.state.page as PageDocument | undefined
  if (page) return sendPage(reply, page)
  if (status >= 300 && status < 400) return sendFile(reply, 'text/plain; charset=utf-8', '')
  if (typeof body !== 'object' || body === null) {
    return sendFile(reply, type || 'text/plain; charset=utf-8', String(body ?? ''))
  }
  const answer = status >= 400 ? { ...ownFields(status, body), ...body } : body
  const media = type || 'application/json'
  return sendFile(reply, `${media}; charset=utf-8`, JSON.stringify(answer))
}

/** The fields of every error of this service, in addition to those of the standard. */
function ownFields(statusCode: number, body: object) {
  const { error, error_description } = body as Record<string, unknown>
  const { code } = new Problem(statusCode, '').toJSON()
  return { statusCode, code, message: String(error_description ?? error) }
}
