import type { ProblemBody } from '#lib/problem.ts'
import type { App } from '#platform/http/index.ts'

/** The error codes of RFC 6749 5.2 and 4.1.2.1 for refusals by the service itself. */
const CODES: Readonly<Record<number, string>> = {
  401: 'invalid_client',
  403: 'access_denied',
  429: 'temporarily_unavailable',
  503: 'temporarily_unavailable',
}

/** Adds the fields that OAuth clients expect to the service's own errors. */
export function showStandardErrors(app: App): void {
  app.addHook('preSerialization', (_request, reply, payload, done) => {
    if (reply.statusCode < 400) return done(null, payload)
    const problem = payload as ProblemBody
    const error =
      CODES[reply.statusCode] ?? (reply.statusCode < 500 ? 'invalid_request' : 'server_error')
    done(null, { ...problem, error, error_description: problem.message })
  })
}
