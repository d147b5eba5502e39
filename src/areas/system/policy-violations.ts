import { Type } from 'typebox'
import type { Routes } from '#platform/http/index.ts'
import { POLICY_REPORTS } from '#platform/pages/document.ts'

const MAX_BYTES = 8 * 1024
const MAX_LOGGED = 100

/** Directives that are counted by their name; an invented one must not add a series to the metrics. */
const DIRECTIVES: ReadonlySet<string> = new Set([
  ...['default-src', 'script-src', 'script-src-elem', 'script-src-attr', 'style-src'],
  ...['style-src-elem', 'style-src-attr', 'img-src', 'font-src', 'connect-src', 'form-action'],
  ...['frame-ancestors', 'frame-src', 'base-uri', 'object-src', 'media-src', 'worker-src'],
])

/**
 * Counts the violations of our pages' content policy that browsers report, and stores only a log line of each.
 */
export const policyViolationRoutes: Routes = async (app, { metrics, log }) => {
  app.addContentTypeParser(
    'application/csp-report',
    { parseAs: 'string', bodyLimit: MAX_BYTES },
    (_request, body: string, done) => done(null, reportIn(body)),
  )
  app.route({
    method: 'POST',
    url: POLICY_REPORTS,
    config: { access: 'public', hidden: true, whileSuspended: true },
    schema: { body: Type.Unknown(), response: { 204: Type.Null() } },
    async handler({ body }, reply) {
      const { directive, blocked } = (body ?? {}) as Partial<Report>
      if (directive !== undefined) {
        metrics.policyViolations.inc({ directive })
        log.warn({ directive, blocked }, 'a browser reported a violation of the content policy')
      }
      return reply.code(204).send(null)
    },
  })
}

type Report = { readonly directive: string; readonly blocked: string }

/** The directive of a report, and the origin or the keyword that was blocked; empty for any other body. */
function reportIn(body: string): Partial<Report> {
  try {
    const report = JSON.parse(body)['csp-report']
    const name = String(report['effective-directive'] ?? report['violated-directive']).split(' ')[0]
    const blocked = String(report['blocked-uri'] ?? '')
    const origin = URL.parse(blocked)?.origin ?? blocked
    const directive = name && DIRECTIVES.has(name) ? name : 'other'
    return { directive, blocked: origin.slice(0, MAX_LOGGED) }
  } catch {
    return {}
  }
}
