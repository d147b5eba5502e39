import type { FastifyRequest } from 'fastify'
import type { App } from '../http/index.ts'
import { type Span, type Tracing, within } from './index.ts'

/**
 * Measures every request. A caller's own `traceparent` is gone on with where a proxy is trusted: that
 * one lets through what it wants to. Only the route is told, never the path: it may hold a token.
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
  // The body came in on events of the connection, which know of no request.
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
