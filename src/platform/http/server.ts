import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { ProblemSchema } from '#lib/schema.ts'
import type { Deps } from '../deps.ts'
import { traceRequests } from '../tracing/requests.ts'
import { type CallerMemory, Gate, refuseUnknown } from './access.ts'
import { readJsonBodies } from './body.ts'
import { sendBuiltFiles } from './built-files.ts'
import { bindCursors } from './cursors.ts'
import { answerBadPaths, answerErrors, answerParserErrors } from './errors.ts'
import { replayAnswers } from './idempotency.ts'
import type { App } from './index.ts'
import { methodsOf } from './methods.ts'
import { completeRoutes, describeApi, type RouteFacts } from './openapi.ts'
import { checkQueries } from './query.ts'
import { showQuotas } from './quota.ts'
import { equipRequests, recordRequests, scopeRequests } from './request.ts'
import { refuseBadHeaders } from './request-headers.ts'
import { serializerBuilder, validatorCompiler } from './validation.ts'
import { versionEdits } from './versions.ts'

const BODY_BYTES = 1024 * 1024
const HEADERS_MS = 10_000
const KEEP_ALIVE_MS = 72_000
const MAX_PARAMETER_LENGTH = 500

/** A server with all routes. */
export type Server = { app: App; routes: readonly RouteFacts[] }

/** Builds the HTTP server: the conventions first, then every area's routes. */
export async function buildServer(deps: Deps, memory: CallerMemory): Promise<Server> {
  const app = bareServer(deps)
  app.setValidatorCompiler(validatorCompiler())
  app.addSchema(ProblemSchema)
  const routes = completeRoutes(app)
  await app.register(swagger, describeApi(deps.areas, routes))
  const recorder = deps.areas.find((area) => area.recorder)?.recorder?.(deps) ?? null
  const gate = new Gate(deps, memory)
  if (deps.tracing) traceRequests(app, deps.tracing, deps.config.trustProxy !== false)
  equipRequests(app, deps, recorder)
  scopeRequests(app, deps)
  const methodsAt = methodsOf(routes)
  app.addHook('onRequest', (request, reply, done) => {
    const allowed = request.method === 'OPTIONS' ? methodsAt(request.url) : []
    if (allowed.length > 0) reply.header('allow', [...allowed, 'OPTIONS'].join(', '))
    done()
  })
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
    // Other `OPTIONS` requests get the same empty response as a preflight.
    strictPreflight: false,
  })
  await sendBuiltFiles(app)
  refuseBadHeaders(app)
  app.addHook('onRequest', (request) => {
    if (request.is404) return refuseUnknown(gate, request, methodsAt)
    const { access = 'admin', permission } = request.routeOptions.config
    return gate.admit(request, access, permission)
  })
  readJsonBodies(app)
  checkQueries(app)
  bindCursors(app)
  replayAnswers(app)
  versionEdits(app)
  recordRequests(app, deps, recorder)
  showQuotas(app, deps.limiter)
  answerErrors(app, deps)
  for (const { routes = [] } of deps.areas) {
    for (const add of routes) await app.register(named(async (scope) => add(scope as App, deps)))
  }
  await app.ready()
  return { app, routes }
}

/** Gives a plugin a name, which Fastify would otherwise search among all loaded modules. */
function named(plugin: (scope: FastifyInstance) => Promise<void>) {
  return Object.assign(plugin, { [Symbol.for('fastify.display-name')]: 'routes' })
}

function bareServer(deps: Deps): App {
  return Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines about a request contain its id; a logger for each request would cost more than most requests.
    childLoggerFactory: (logger) => logger,
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    trustProxy: deps.config.trustProxy === false ? false : [...deps.config.trustProxy],
    bodyLimit: BODY_BYTES,
    // The time limit of a body is set in body.ts, where a route can have a longer one.
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A missing `Host` is refused in request-headers.ts: Node's own refusal has no body.
    http: { headersTimeout: HEADERS_MS, requireHostHeader: false },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    exposeHeadRoutes: true,
    schemaController: { compilersFactory: { buildSerializer: serializerBuilder } },
    clientErrorHandler: answerParserErrors(deps),
    frameworkErrors: answerBadPaths(deps),
  }) as unknown as App
}

const EXPOSED_HEADERS = [
  ...['X-Request-Id', 'Retry-After', 'Idempotency-Replayed', 'ETag', 'Allow'],
  'Content-Disposition',
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  ...['X-RateLimit-Limit-Auth', 'X-RateLimit-Remaining-Auth'],
]

/** A caller's own request id if it is well-formed, else a new one. */
function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(header)
    ? header
    : randomUUID()
}
