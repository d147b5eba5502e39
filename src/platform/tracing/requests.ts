import type { FastifyRequest } from 'fastify'
import type { App } from '../http/index.ts'
import { type Span, type Tracing, within } from './index.ts'

/**
 * Measures every request. The caller's `traceparent` is continued only behind a trusted proxy, which decides whether to
 * pass it on. Only the route is recorded, never the path, which may contain a token.
 */
export function traceRequests(app: App, tracing: Tracing, trustsProxy: boolean): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions, id } = request
    const given = trustsProxy ? headers.traceparent : undefined
    const route = routeOptions.url
    const attributes = {
      ...{ 'http.request.method': method, 'moorage.request_id': id },
      ...(route && { 'http.route': route }),
    }
    const facts = { kind: 'server' as const, attributes }
    const parent = typeof given === 'string' ? given : null
    const span = tracing.begin(route ? `${method} ${route}` : method, facts, parent)
    spans.set(request, span)
    within(span, done)
  })
  // The body arrived with events of the connection, which have no context of a request.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) within(span, done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    const { tenantId = '' } = request.scope ?? {}
    span?.set({ 'http.response.status_code': reply.statusCode, 'moorage.tenant_id': tenantId })
    if (reply.statusCode >= 500) span?.fail({ name: String(reply.statusCode) })
    span?.end()
    done()
  })
}
