import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifyContextConfig, RouteOptions } from 'fastify'
import { NoBody } from '#lib/schema.ts'
import type { Area } from '../area.ts'
import { type Access, type App, problems } from './index.ts'

const TAGS = [
  ...['Auth & Users', 'Store', 'Billing', 'Services', 'Affiliation', 'Notifications'],
  ...['Admin - RBAC', 'Admin - Store & Invoices', 'Admin - Settings & Tenants', 'Admin - Audit'],
  ...['System', 'Panel', 'Bot', 'OIDC', 'Admin - Operations', 'Admin - Imports'],
] as const

/** The groups of the API reference. */
export type Tag = (typeof TAGS)[number]

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** A registered route and what its configuration says. */
export type RouteFacts = { method: string; url: string; config: FastifyContextConfig }

/**
 * Completes every route as it is added: a body that is not described is refused, and the answers
 * that the conventions promise are documented. A route that does not say who may call it stops
 * the start.
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
    Object.assign(schema, {
      security: config.access === 'public' ? [] : [{ [SCHEMES[config.access]]: [] }],
    })
    if (config.hidden) schema.hide = true
    route.schema = schema
  })
  return routes
}

const SCHEMES: Record<Exclude<Access, 'public'>, string> = {
  user: 'bearer',
  admin: 'bearer',
  bot: 'botToken',
  daemon: 'daemonToken',
}

function statusesOf({ url }: RouteOptions, access: Access, takesBody: boolean): number[] {
  return [
    400,
    ...(access === 'public' ? [] : [401]),
    // What is public refuses the writes of a key that may only read.
    ...(access === 'public' && !takesBody ? [] : [403]),
    ...(url.includes(':') ? [404] : []),
    ...(takesBody ? [409, 413, 415, 422] : []),
    ...[429, 500, 503],
  ]
}

/** What is sent to other systems, as OpenAPI 3.1 describes it: the requests they get. */
function webhooksOf(areas: readonly Area[]) {
  const all = areas.flatMap(({ webhooks = [] }) => webhooks)
  const webhooks = Object.fromEntries(
    all.map(({ type, description, body }) => {
      const content = { 'application/json': { schema: body } }
      const answered = { '2XX': { description: 'Taken; anything else is tried again' } }
      const post = { summary: description, requestBody: { content }, responses: answered }
      return [type, { post }]
    }),
  )
  // A field of OpenAPI 3.1 that the types of the plugin do not know yet.
  return { webhooks } as object
}

type Described = ReturnType<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>
type Media = Record<string, { schema?: { $ref?: string } }>

/** A refusal is JSON on every route, also where the plugin gave it the type of the file that is asked for. */
function refusalsAsJson(document: Described): Described {
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path as Record<string, { responses?: object }>)) {
      const responses = Object.values(operation.responses ?? {}) as { content?: Media }[]
      for (const response of responses) {
        const [first] = Object.values(response.content ?? {})
        if (first?.schema?.$ref?.endsWith('/Problem')) {
          response.content = { 'application/json': first }
        }
      }
    }
  }
  return document
}

/** The OpenAPI document: made of the schemas that validate. */
export function describeApi(areas: readonly Area[]): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Moorage',
        version: '1.0',
        description: 'Billing and administration for people who sell game servers.',
        license: { name: 'AGPL-3.0-only', identifier: 'AGPL-3.0-only' },
      },
      tags: TAGS.map((name) => ({ name })),
      ...webhooksOf(areas),
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'A session token or an API key',
          },
          botToken: { type: 'http', scheme: 'bearer', description: "A bot's token" },
          daemonToken: { type: 'http', scheme: 'bearer', description: "A node's daemon token" },
        },
      },
    },
    transformObject: (described) =>
      refusalsAsJson(
        'openapiObject' in described ? described.openapiObject : described.swaggerObject,
      ),
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `Schema${index}`,
    },
  }
}
