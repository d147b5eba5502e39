import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isId, newId } from '#lib/id.ts'
import { networkOf } from '#lib/network.ts'
import { notFound, tooManyRequests, unavailable } from '#lib/problem.ts'
import { SECOND_MS } from '#lib/time.ts'
import type { JudgedRequest, RecordedRequest, RequestRecorder } from '../area.ts'
import { forRequest, type Tx, transact } from '../database/index.ts'
import type { Deps } from '../deps.ts'
import { concurrencyLimit } from './concurrency-limit.ts'
import { SECURITY_HEADERS } from './headers.ts'
import { markEffect } from './idempotency.ts'
import type { App, RequestScope } from './index.ts'
import { loggedPath } from './logged-path.ts'

/** How long to wait for the tenant of a request on routes that can do without. */
const LOOK_MS = SECOND_MS
/** How many of the ten connections of a process may write for one user at the same time. */
const TRANSACTIONS_AT_ONCE = 4

type Getters = Pick<
  FastifyRequest,
  'caller' | 'visitor' | 'tenantId' | 'db' | 'now' | 'transact' | 'transactOn' | 'spendAuthQuota'
>

/** Adds the properties to every request that handlers use. */
export function equipRequests(app: App, deps: Deps, recorder: RequestRecorder | null): void {
  function getter<K extends keyof Getters>(name: K, get: (request: FastifyRequest) => Getters[K]) {
    const decorate = app.decorateRequest.bind(app) as (name: string, value: object) => void
    decorate(name, {
      getter(this: FastifyRequest) {
        return get(this)
      },
    })
  }
  const transactions = concurrencyLimit(TRANSACTIONS_AT_ONCE)
  app.decorateRequest('scope')
  getter('caller', ({ scope }) => {
    if (!scope.caller) throw new Error('A public route asked who calls')
    return scope.caller
  })
  getter('visitor', ({ scope }) => scope.caller)
  getter('tenantId', ({ scope }) => scope.tenantId)
  getter('db', ({ scope }) => scope.db)
  getter('now', ({ scope }) => scope.now)
  getter(
    'transact',
    (request) => (work) =>
      transactions.run(whoOf(request), () => transactFor(request, recorder, null, work)),
  )
  getter(
    'transactOn',
    (request) => (objectId, work) =>
      transactions.run(whoOf(request), () => transactFor(request, recorder, objectId, work)),
  )
  getter('spendAuthQuota', (request) => async () => {
    const { exceeded, resetSeconds } = await deps.limiter.spend('auth', networkOf(request.ip))
    if (exceeded) throw tooManyRequests(resetSeconds)
  })
}

/** Finds the tenant and the time of a request, before anything else. Throws 404 for a closed shop. */
export function scopeRequests(app: App, deps: Deps): void {
  const tenantOf = deps.areas.find((area) => area.tenantOf)?.tenantOf?.(deps)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS)
    reply.header('x-request-id', request.id)
    const scope: RequestScope = {
      tenantId: '',
      suspended: false,
      caller: null,
      now: deps.clock.now(),
      startedMs: performance.now(),
      db: deps.database.everywhere,
      generalKey: `ip ${networkOf(request.ip)}`,
      provenId: null,
      changed: false,
      idempotency: null,
      entryId: null,
      parts: [],
      edit: null,
    }
    request.scope = scope
    // This request is still served; the next one goes to another process.
    if (deps.isEnding()) reply.header('connection', 'close')
    const { ofProcess } = request.routeOptions.config
    const found = tenantOf?.(request.hostname)
    const tenant = await (ofProcess ? inTime(found) : found)
    if (!tenant && ofProcess) return
    if (!tenant) throw unavailable('There is no tenant yet.')
    if (tenant.closed) throw notFound('Shop')
    scope.tenantId = tenant.id
    scope.suspended = tenant.suspended
    scope.db = deps.database.of(tenant.id)
  })
}

/** The result if it is there in time; null if the database is too slow or away. */
function inTime<T>(found: Promise<T> | undefined): Promise<T | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, LOOK_MS, null).unref())
  return Promise.race([late, found?.catch(() => null) ?? null])
}

/** Counts, logs and records every request once its response is known; what its handler writes contains its id. */
export function recordRequests(app: App, deps: Deps, recorder: RequestRecorder | null): void {
  app.addHook('preHandler', ({ id }, _reply, done) => forRequest(id, done))
  app.addHook('onSend', (request, reply, _payload, done) => {
    // Before the response is sent, so that every response that a caller got has its entry.
    const { scope } = request
    if (!recorder || !scope?.tenantId) return done()
    const { statusCode } = reply
    const isKept = request.routeOptions.config.audited !== false
    const wanted = (scope.changed && isKept) || recorder.wants(judgedOf(request), statusCode)
    if (scope.parts.length > 0) return endParts(request, recorder, { statusCode, wanted })
    return wanted ? recorder.ended(recordOf(request), statusCode, scope.changed) : done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { elapsedTime } = reply
    const { method, route } = labelsOf(request)
    const status = String(reply.statusCode)
    if (!request.routeOptions.config.lasting) {
      deps.metrics.requestSeconds.observe({ method, route, status }, elapsedTime / 1000)
    }
    done()
    if (!deps.log.isLevelEnabled('debug')) return
    deps.log.debug(
      {
        requestId: request.id,
        method,
        path: loggedPath(request),
        statusCode: reply.statusCode,
        ms: Math.round(elapsedTime),
        userId: request.scope?.caller?.userId ?? null,
        impersonatorId: request.scope?.caller?.impersonatorId ?? null,
      },
      'request',
    )
  })
}

/** Completes the entries of a request that changed several objects, and its own if it has one. */
async function endParts(
  request: FastifyRequest,
  recorder: RequestRecorder,
  { statusCode, wanted }: { statusCode: number; wanted: boolean },
): Promise<void> {
  const { parts, changed } = request.scope
  for (const part of parts) {
    await recorder.ended({ ...recordOf(request), ...part }, statusCode, true)
  }
  if (wanted) await recorder.ended(recordOf(request), statusCode, changed)
}

async function transactFor<T>(
  request: FastifyRequest,
  recorder: RequestRecorder | null,
  objectId: string | null,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { scope } = request
  const part = objectId === null ? null : { entryId: newId(), objectId }
  const isKept = request.routeOptions.config.audited !== false
  const first = part !== null || !scope.changed
  const result = await transact(
    scope.db,
    async (tx) => {
      if (first) {
        if (isKept) await recorder?.began(tx, { ...recordOf(request), ...part })
        await markEffect(tx, request)
        await scope.edit?.began(tx)
      }
      const done = await work(tx)
      if (first) await recordChanges(tx, request, recorder)
      return done
    },
    request.id,
  )
  if (part) scope.parts.push(part)
  else scope.changed = true
  return result
}

/** Adds what an edit has changed to the entry of its request. */
async function recordChanges(
  tx: Tx,
  request: FastifyRequest,
  recorder: RequestRecorder | null,
): Promise<void> {
  const changes = (await request.scope.edit?.changes(tx)) ?? []
  if (changes.length > 0) await recorder?.edited(tx, recordOf(request), changes)
}

/** A key for the caller: the same for all credentials of one user. */
function whoOf({ scope }: FastifyRequest): string {
  const { caller, generalKey, tenantId } = scope
  return caller?.userId ? `${tenantId} ${caller.userId}` : generalKey
}

function judgedOf(request: FastifyRequest): JudgedRequest {
  const { access, audited = access === 'admin' } = request.routeOptions.config
  const { caller } = request.scope
  return {
    ...labelsOf(request),
    caller,
    audited: audited || caller?.impersonatorId != null,
  }
}

function recordOf(request: FastifyRequest): RecordedRequest {
  const { scope, params } = request
  scope.entryId ??= newId()
  const ids = Object.values((params ?? {}) as Record<string, string>).filter(isId)
  return {
    ...judgedOf(request),
    entryId: scope.entryId,
    provenId: scope.provenId,
    tenantId: scope.tenantId,
    requestId: request.id,
    now: scope.now,
    address: request.ip,
    objectId: ids.at(-1) ?? null,
  }
}

function labelsOf(request: FastifyRequest): { method: string; route: string } {
  return { method: request.method, route: request.routeOptions.url ?? 'unknown' }
}

/** Sends server-sent events for as long as `body` lasts. Proxies do not buffer them. */
export function sendEvents(reply: FastifyReply, body: Readable | ''): FastifyReply {
  return reply
    .type('text/event-stream')
    .header('x-accel-buffering', 'no')
    .serializer((it: string) => it)
    .send(body)
}

/** Sends bytes that are not JSON. */
export function sendFile(
  reply: FastifyReply,
  type: string,
  content: string | Buffer,
): FastifyReply {
  return reply
    .type(type)
    .serializer((it: string | Buffer) => it as string)
    .send(content)
}
