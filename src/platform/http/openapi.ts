import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifyContextConfig, RouteOptions } from 'fastify'
import { NoBody } from '#lib/schema.ts'
import type { Area } from '../area.ts'
import { documentOf, type TAGS } from './document.ts'
import { type Access, type App, problems } from './index.ts'

/** The groups of the API reference. */
export type Tag = keyof typeof TAGS

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** A registered route and its configuration. */
export type RouteFacts = { method: string; url: string; config: FastifyContextConfig }

/**
 * Completes every route as it is added: a body without a schema is refused, and the responses that
 * the conventions require are documented. A route without `access` prevents the start.
 */
export function completeRoutes(app: App): RouteFacts[] {
  const routes: RouteFacts[] = []
  app.addHook('onRoute', (route) => {
    const { config } = route
    if (!config?.access && route.method !== 'OPTIONS') {
      throw new Error(`${route.method} ${route.url} does not say who may call it`)
    }
    if (!config?.access) return
    const methods = [route.method].flat()
    routes.push(...methods.map((method) => ({ method, url: route.url, config })))
    const takesBody = methods.some((method) => WITH_BODY.has(method))
    const schema = route.schema ?? {}
    if (takesBody && !schema.body && !config.hidden) schema.body = NoBody
    const response = (schema.response ?? {}) as Record<string, unknown>
    schema.response = { ...problems(...statusesOf(route, config.access, takesBody)), ...response }
    if (config.hidden) schema.hide = true
    route.schema = schema
  })
  return routes
}

function statusesOf({ url }: RouteOptions, access: Access, takesBody: boolean): number[] {
  return [
    400,
    ...(access === 'public' ? [] : [401]),
    // Public routes refuse writes with a read-only key.
    ...(access === 'public' && !takesBody ? [] : [403]),
    ...(url.includes(':') ? [404] : []),
    ...(takesBody ? [409, 413, 415, 422] : []),
    ...[429, 500, 503],
  ]
}

/** The OpenAPI document, created from the schemas that validate requests. */
export function describeApi(
  areas: readonly Area[],
  routes: readonly RouteFacts[],
): FastifyDynamicSwaggerOptions {
  type Described = ReturnType<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>
  return {
    openapi: { openapi: '3.1.0', info: { title: 'Moorage', version: '1.0' } },
    transformObject: (described) => {
      const made = 'openapiObject' in described ? described.openapiObject : described.swaggerObject
      return documentOf(made, { areas, routes }) as Described
    },
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `Schema${index}`,
    },
  }
}
