import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { newId } from '#lib/id.ts'
import { networkOf } from '#lib/network.ts'
import { badRequest, notFound, Problem, type ProblemBody, unavailable } from '#lib/problem.ts'
import { isDatabaseAway } from '../database/index.ts'
import type { Deps } from '../deps.ts'
import { SECURITY_HEADERS } from './headers.ts'
import type { App } from './index.ts'
import { problemLanguageOf } from './language.ts'
import { loggedPath } from './logged-path.ts'
import { rateLimitHeaders } from './quota.ts'

/**
 * Gives all errors one shape, in the language of the caller; of an unexpected error only the request's id is
 * shown. `bodyOf` adds fields that the callers of a part of the API need.
 */
export function answerErrors(
  app: App,
  { log }: Pick<Deps, 'log'>,
  bodyOf?: (problem: Problem) => ProblemBody,
): void {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const problem = await problemFor(error, request)
    if (problem.statusCode >= 500) {
      log.error({ err: error, requestId: request.id, path: loggedPath(request) }, 'request failed')
    }
    // If the connection were closed while the client is still sending, the response would be lost: body.ts ends it.
    if (problem.statusCode === 413) reply.removeHeader('connection')
    return sendProblem(reply, problem, bodyOf?.(problem))
  })
}

/** Sends a problem in its one shape, in the language of the caller. */
function sendProblem(
  reply: FastifyReply,
  problem: Problem,
  body: ProblemBody = problem.bodyIn(problemLanguageOf(reply.request)),
) {
  return reply
    .code(problem.statusCode)
    .headers(problem.headers)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body)
}

async function problemFor(error: FastifyError, request: FastifyRequest): Promise<Problem> {
  const problem = asProblem(error, request.id)
  const { access, exists } = request.routeOptions.config
  const mayAsk = request.scope?.caller || access === 'public'
  if (problem.statusCode !== 400 || !exists || !mayAsk) return problem
  // An object of which the caller may not know is a 404, whatever else is wrong with the request.
  try {
    return (await exists(request)) ? problem : notFound('Object')
  } catch (inner) {
    return inner instanceof Problem ? inner : asProblem(inner, request.id)
  }
}

function asProblem(error: unknown, requestId: string): Problem {
  if (error instanceof Problem) return error
  if (isDatabaseAway(error))
    return unavailable('The database cannot be reached. Try again shortly.')
  const { statusCode, code } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Problem(413, 'The body is too large.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Problem(415, 'Send JSON: application/json.')
  }
  if (statusCode && statusCode >= 400 && statusCode < 500) {
    return statusCode === 400
      ? badRequest('The request is malformed.')
      : new Problem(statusCode, 'Refused.')
  }
  return new Problem(500, `Something went wrong here. Request ${requestId}.`)
}

/**
 * A path that cannot be parsed (bad escapes, a very long part) is a 404 like any other. No hook has run for
 * it, so this adds the headers of every response itself.
 */
export function answerBadPaths({ limiter, metrics }: Deps) {
  return (_error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    metrics.refusals.inc({ reason: 'path' })
    const network = networkOf(request.ip)
    reply.headers({
      ...SECURITY_HEADERS,
      'x-request-id': request.id,
      ...rateLimitHeaders(limiter.look('general', `ip ${network}`), limiter.look('auth', network)),
    })
    sendProblem(reply, notFound('Route'))
  }
}

/** Requests that the HTTP parser refuses do not reach any route; they get the same body and headers. */
export function answerParserErrors({ limiter, metrics }: Deps) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    metrics.refusals.inc({ reason: 'parser' })
    const statusCode =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? 431
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? 408
          : 400
    const problem = new Problem(statusCode, PARSER_MESSAGES[statusCode] ?? 'Bad request.')
    const body = JSON.stringify(problem.toJSON())
    const network = networkOf(socket.remoteAddress ?? 'unknown')
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
      'x-content-type-options': 'nosniff',
      'x-request-id': newId(),
      ...rateLimitHeaders(limiter.look('general', `ip ${network}`), limiter.look('auth', network)),
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const { error: phrase } = problem.toJSON()
    socket.end(`HTTP/1.1 ${statusCode} ${phrase}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  }
}

const PARSER_MESSAGES: Record<number, string> = {
  400: 'This is not a valid HTTP request.',
  408: 'The request took too long to arrive.',
  431: 'The headers of the request are too large.',
}
