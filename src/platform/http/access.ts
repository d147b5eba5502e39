import { hash } from 'node:crypto'
import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import { type Caller, holds } from '#lib/caller.ts'
import { networkOf } from '#lib/network.ts'
import {
  badRequest,
  forbidden,
  notFound,
  Problem,
  unauthorized,
  unavailable,
} from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Area, Authenticator } from '../area.ts'
import type { Db } from '../database/index.ts'
import type { Deps } from '../deps.ts'
import { coalesced } from './coalesce.ts'
import { concurrencyLimit } from './concurrency-limit.ts'
import type { Access } from './index.ts'
import { spendAuth, spendGeneral } from './quota.ts'

/** How long a result about a credential is cached: a revocation by another process takes effect within this. */
const BELIEVED_MS = 1000
const MAX_REMEMBERED = 20_000
const MAX_TOKEN_LENGTH = 4096
/** How many unknown credentials of one network may wait to be looked up while its quota is used up. */
const MAX_LOOK_UPS = 100

/** `caller` is null until the look-up has ended; requests that arrive meanwhile wait for the same one. */
type Remembered = { answer: Promise<Caller | null>; caller: Caller | null; untilMs: number }

/** Finds out who calls, and whether they may. */
export class Gate {
  readonly #deps: Deps
  readonly #authenticators: readonly Authenticator[]
  readonly #permissionsOf: NonNullable<Area['permissionsOf']>
  readonly #admits: readonly NonNullable<Area['admits']>[]
  readonly #remembered: Map<string, Remembered>
  /** Checks that must be current are shared by requests that arrive at the same time. */
  readonly #identified = coalesced<Caller | null>()
  readonly #admitted = coalesced<void>()
  readonly #lookUps = concurrencyLimit(1)

  constructor(deps: Deps, remembered: CallerMemory) {
    this.#deps = deps
    this.#remembered = remembered.entries
    this.#authenticators = deps.areas.flatMap((area) => area.authenticators?.(deps) ?? [])
    const source = deps.areas.find((area) => area.permissionsOf)?.permissionsOf
    this.#permissionsOf = source ?? (async () => new Set())
    this.#admits = deps.areas.flatMap((area) => area.admits ?? [])
  }

  /** The access hook of a route: sets the caller, counts the quotas. Throws 401, 403, 429 or 503. */
  async admit(request: FastifyRequest, access: Access, permission?: string): Promise<void> {
    const { config } = request.routeOptions
    // Without a known tenant, a token would be looked for in all of them.
    const isKnown = request.scope.tenantId !== ''
    const token = isKnown ? bearerOf(request.headers.authorization) : null
    const caller = token === null ? null : await this.#callerOf(request, token, access === 'admin')
    const byKey = caller?.via === 'apiKey' || caller?.kind === 'bot'
    const spender = byKey ? `key ${caller.credentialId}` : `ip ${networkOf(request.ip)}`
    await spendGeneral(this.#deps, request, spender, personOf(caller))
    if (config.quota === 'auth') await spendAuth(this.#deps, request)
    request.scope.caller = caller
    if (request.scope.suspended) assertServed(caller, access, config)
    if (access === 'public') return assertMayWrite(caller, request.method)
    if (!caller) throw access === 'daemon' ? noDaemon(token) : unauthorized()
    assertMay(caller, access, permission, request.method)
    if (caller.impersonatorId && config.impersonation !== 'allowed') {
      throw forbidden('This is not available while you act as another person.', 'impersonated')
    }
    if (access !== 'admin') return
    await this.#admitted(caller.credentialId, () => this.#admit(request.scope.db, caller))
  }

  async #admit(db: Db, caller: Caller): Promise<void> {
    for (const admits of this.#admits) await admits(db, caller)
  }

  async #callerOf(request: FastifyRequest, token: string, fresh: boolean): Promise<Caller | null> {
    const { tenantId, db } = request.scope
    const key = hash('sha256', `${tenantId} ${request.ip} ${token}`, 'base64')
    const nowMs = performance.now()
    const known = this.#remembered.get(key)
    // Acting as another person ends as soon as it is no longer allowed, for whatever reason.
    const believed = !fresh && !known?.caller?.impersonatorId && !isOver(known, request.scope.now)
    if (known && believed && known.untilMs > nowMs) return known.answer
    const look = () => this.#identified(key, () => this.#identify(db, token, request))
    const answer = known ? look() : this.#lookUp(request, look)
    const entry: Remembered = { answer, caller: null, untilMs: nowMs + BELIEVED_MS }
    // Stored before the result is known: a revocation meanwhile removes it, so that no outdated result is cached.
    this.#remembered.delete(key)
    this.#remembered.set(key, entry)
    try {
      entry.caller = await answer
    } finally {
      if (!entry.caller && this.#remembered.get(key) === entry) this.#remembered.delete(key)
    }
    if (this.#remembered.size > MAX_REMEMBERED) {
      this.#remembered.delete(this.#remembered.keys().next().value ?? '')
    }
    return entry.caller
  }

  /**
   * Looks an unknown credential up. A network that has used up its quota may be guessing: its look-ups are made one
   * after the other, so that a flood of them cannot occupy the database, and a valid key still has its own quota.
   * Throws 503 if too many wait.
   */
  #lookUp(request: FastifyRequest, look: () => Promise<Caller | null>): Promise<Caller | null> {
    const network = networkOf(request.ip)
    if (this.#deps.limiter.look('general', `ip ${network}`).remaining > 0) return look()
    if (this.#lookUps.waiting(network) >= MAX_LOOK_UPS) throw unavailable('Try again in a moment.')
    return this.#lookUps.run(network, look)
  }

  async #identify(db: Db, token: string, request: FastifyRequest): Promise<Caller | null> {
    const { tenantId, now } = request.scope
    for (const authenticator of this.#authenticators) {
      if (!authenticator.accepts(token)) continue
      const identity = await authenticator.identify(db, token, {
        tenantId,
        address: request.ip,
        now,
      })
      if (!identity) return null
      const { scopes = new Set<string>(), ...known } = identity
      const permissions =
        known.kind === 'user'
          ? await this.#permissionsOf(db, { tenantId, userId: known.userId })
          : scopes
      return { ...known, permissions }
    }
    return null
  }
}

/** The user whose ceiling a request counts against: an administrator who acts as another person uses up their own. */
function personOf(caller: Caller | null): string | null {
  if (caller?.kind !== 'user') return null
  return `${caller.tenantId} ${caller.impersonatorId ?? caller.userId}`
}

/** Whether a cached caller has expired since it was cached: it is not used any longer then. */
function isOver(known: Remembered | undefined, now: Instant): boolean {
  const { until } = known?.caller ?? {}
  return until != null && until <= now
}

/** Callers that are cached for a short time. */
export type CallerMemory = {
  readonly entries: Map<string, Remembered>
  forget(which: { userId?: string; credentialId?: string }): void
}

/** A cache of callers from which some can be removed. */
export function callerMemory(): CallerMemory {
  const entries = new Map<string, Remembered>()
  return {
    entries,
    forget({ userId, credentialId }) {
      for (const [key, { caller }] of entries) {
        // An entry without a caller is being looked up at present: it may belong to the same one.
        if (!caller || caller.userId === userId || caller.credentialId === credentialId) {
          entries.delete(key)
        }
      }
    },
  }
}

function assertMay(
  caller: Caller,
  access: Access,
  permission: string | undefined,
  method: string,
): void {
  const wanted = access === 'admin' ? 'user' : access
  if (caller.kind !== wanted) throw forbidden('This credential is not for this part of the API.')
  if (access === 'admin' && caller.permissions.size === 0) {
    throw forbidden('This needs an administrator.')
  }
  if (access === 'admin' || access === 'bot') {
    if (permission && !holds(caller.permissions, permission)) {
      throw forbidden(`This needs the permission ${permission}.`, 'permission_missing')
    }
  }
  assertMayWrite(caller, method)
}

/** Throws 403 if a read-only key is used for more than reading on a public route. */
function assertMayWrite(caller: Caller | null, method: string): void {
  if (caller?.readOnly && method !== 'GET' && method !== 'HEAD') {
    throw forbidden('This API key may only read.', 'read_only_key')
  }
}

/** Errors that the protocol of daemons prescribes: no token 401, a malformed one 400, a wrong one 403. */
function noDaemon(token: string | null): Problem {
  if (token === null) {
    return unauthorized('Access to this endpoint must include an Authorization header.')
  }
  if (!/^[^.]+\.[^.]+$/.test(token)) {
    return badRequest('The Authorization header provided was not in a valid format.')
  }
  return forbidden('You are not authorized to access this resource.')
}

const SUSPENDED_RETRY_SECONDS = 300

/** Throws 503 for visitors and customers of a suspended shop; its staff is let in. */
function assertServed(
  caller: Caller | null,
  access: Access,
  { quota, whileSuspended = quota === 'auth' }: FastifyContextConfig,
): void {
  if (whileSuspended || (access !== 'public' && access !== 'user')) return
  if (access === 'user' && !caller) return
  if (caller?.kind === 'user' && caller.permissions.size > 0) return
  throw new Problem(503, 'This shop is closed for the time being.', {
    code: 'shop_suspended',
    headers: { 'retry-after': String(SUSPENDED_RETRY_SECONDS) },
  })
}

/**
 * Refuses paths without a route. A caller who may not use this part of the API learns nothing more. Throws 401, 403,
 * 404, 405 or 429, except for pages that a browser requests: the shop window answers these.
 */
export async function refuseUnknown(
  gate: Gate,
  request: FastifyRequest,
  methodsAt: (url: string) => readonly string[],
): Promise<void> {
  const area = /^\/v1\/(admin|bot|panel)(\/|$|\?)/.exec(request.url)?.[1]
  const access: Access =
    area === 'admin' ? 'admin' : area === 'bot' ? 'bot' : area === 'panel' ? 'daemon' : 'public'
  await gate.admit(request, access)
  const allowed = methodsAt(request.url)
  if (allowed.length === 0) {
    if (isVisited(request)) return
    throw notFound('Route')
  }
  throw new Problem(405, `This path allows ${allowed.join(', ')}.`, {
    headers: { allow: allowed.join(', ') },
  })
}

/** Whether a browser requests a page: the shop window answers if there is none. */
function isVisited({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return !/^\/v1(?:[/?]|$)/.test(url) && headers.accept?.includes('text/html') === true
}

function bearerOf(header: string | undefined): string | null {
  if (!header || header.length > MAX_TOKEN_LENGTH) return null
  const match = /^Bearer +([^\s]+)$/i.exec(header)
  return match?.[1] ?? null
}
